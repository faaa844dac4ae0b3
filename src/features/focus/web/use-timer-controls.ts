import { useMemo } from 'react'
import type { Instant } from '#platform/calendar/day.ts'
import { digits } from '#platform/format/format-time.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { toast } from '#platform/ui/overlays/toast.ts'
import { newRowId } from '#platform/wire/new-row-id.ts'
import {
  type Dropped,
  droppedBy,
  type FocusTimer,
  pause,
  reset,
  type Step,
  save,
  shownAt,
  start,
  takeBack,
} from '../timer.ts'
import { allowChime } from './chime.ts'
import { timerNow } from './focus-clock.ts'
import type { TakeStep } from './use-one-timer.ts'

export interface TimerControls {
  start(): void
  pause(): void
  /** Can be undone for a while. */
  reset(): void
  save(): void
}

/** What a person can do to the timer. The same object until `takeStep` changes. */
export function useTimerControls(takeStep: TakeStep): TimerControls {
  return useMemo(() => {
    // A press counts from when it was made, not from when the device has stored it.
    const press = async (take: (timer: FocusTimer, now: Instant) => Step): Promise<Step | undefined> => {
      const now = timerNow()
      try {
        return await takeStep((timer) => take(timer, now), now)
      } catch (error) {
        console.warn('The device did not keep the timer', error)
        toast.error('Failed to change the timer', { description: "It couldn't be saved on this device." })
        return undefined
      }
    }

    return {
      async start() {
        const id = newRowId(timerNow(), crypto.getRandomValues(new Uint8Array(10)))
        const pressed = press((timer, now) => start(timer, now, id))
        allowChime()
        announceStatus(await pressed)
      },
      async pause() {
        announceStatus(await press(pause))
      },
      async reset() {
        let dropped: Dropped | undefined
        const taken = await press((timer, now) => {
          dropped = droppedBy(timer, now)
          return reset(timer, now)
        })
        if (!taken) return
        announce('Timer reset')
        if (dropped) offerBack(dropped)
      },
      async save() {
        const taken = await press(save)
        if (!taken) return
        if (taken.focused) announce('Session saved')
        // If another tab or device was quicker, there is no timer left to save.
        else if (taken.timer.status === 'running' || taken.timer.status === 'paused') {
          toast('Nothing to save yet', { description: 'A session must be at least one second long.' })
        }
      },
    }

    function offerBack(dropped: Dropped) {
      const { secondsLeft } = shownAt({ status: 'paused', run: dropped.run }, timerNow())
      toast('Timer reset', {
        description: `Paused at ${digits(secondsLeft)}.`,
        action: { label: 'Undo', onClick: () => void giveBack(dropped) },
      })
    }

    async function giveBack(dropped: Dropped) {
      const taken = await press((timer, now) => takeBack(timer, now, dropped))
      if (!taken) return
      const { timer } = taken
      if (timer.status !== 'idle' && timer.run.id === dropped.run.id) announceStatus(taken)
      else toast("Can't undo: the timer has been started again")
    }
  }, [takeStep])
}

/** The end has its own announcement. */
function announceStatus(taken: Step | undefined) {
  if (taken?.timer.status === 'running') announce('Timer running')
  if (taken?.timer.status === 'paused') announce('Timer paused')
}
