import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { FocusPlan } from '#features/focus/plan/focus-plan.ts'
import { changeFocusSession, recordFocusSession } from '#features/focus/sessions/web/focus-queries.ts'
import { subjectFields } from '#features/focus/subjects/focus-subject.ts'
import { deviceClock } from '#platform/browser/clock/device-clock.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { clockTime, formatDuration } from '#platform/format/format-time.ts'
import { type WriteToQueue, writeToQueue } from '#platform/sync/collections/device-value.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { useDeviceValue } from '#platform/sync/react/use-device-value.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { sessionOfRun } from '../session-of-run.ts'
import { type Beginning, type FocusTimer, idle, type Step } from '../timer.ts'
import {
  adoptServerTimer,
  applyNotice,
  applyPress,
  type ClockSet,
  type DeviceTimer,
  differsFromServer,
  followClock,
  type Recording,
  type TimerStep,
} from '../timer-merge.ts'
import { deviceTimer } from './device-timer.ts'
import { timerNow } from './focus-clock.ts'
import { changeFocusTimer, focusTimerList } from './focus-timer-queries.ts'

/**
 * Applies a press to the timer that the device has stored by then, and resolves with the result once it is stored. `pressed` is
 * the instant of the press, by default now. Rejects if the result could not be stored.
 */
export type TakePress = (
  take: (timer: FocusTimer, now: Instant, beginning: Beginning) => Step,
  pressed?: Instant,
) => Promise<Step>

export interface OneTimer {
  /** The timer; undefined until it has been read from the device. */
  timer: FocusTimer | undefined
  press: TakePress
  /** Handles the end of a phase, or a clock that was set back. Rejects if the result could not be stored. */
  notice(): Promise<void>
  /** Requests changes of other devices from the server. Settles once they are known, or cannot be fetched. */
  refetch(): Promise<void>
}

/**
 * The one timer of all devices of a person. Changes from other devices are adopted only once the person's calendar and the
 * server's clock are known. The next phase begins with `plan`.
 */
export function useOneTimer(calendarKnown: boolean, plan: FocusPlan): OneTimer {
  const { value: local, change } = useDeviceValue(deviceTimer)
  const { rows, retry: refetch } = useCollection(focusTimerList)
  const serverTimer = rows?.[0]
  const { timeZone, dayStart } = useUserCalendar()
  const sync = useSync()
  const clockKnown = useSyncExternalStore(sync.subscribe, () => sync.ahead !== undefined)

  const apply = useCallback(
    (
      step: (before: DeviceTimer, beginning: Beginning) => TimerStep & { also?: WriteToQueue | undefined },
    ) => {
      const record = ({ run, at }: Recording) => {
        const session = sessionOfRun(run, timeZone, dayStart)
        const label = `${formatDuration(session.duration)} from ${clockTime(Date.parse(session.started_at), timeZone)}`
        return writeToQueue(recordFocusSession, { session, label, pressed: instantToWire(at) })
      }
      const id = newRowId(timerNow(), crypto.getRandomValues(new Uint8Array(10)))
      return change((stored, fromServer) => {
        const { ahead, guessedAhead } = sync
        const before = followClock(stored, timesSet(), guessedAhead)
        const adopted: TimerStep =
          fromServer && calendarKnown && ahead !== undefined
            ? adoptServerTimer(before, fromServer, ahead, timerNow())
            : { standing: before, focused: [] }
        const { standing, toSend, focused, also } = step(adopted.standing, { plan, id, ahead: guessedAhead })
        const queue = [...adopted.focused, ...focused].map(record)
        if (also) queue.push(also)
        if (toSend) queue.push(writeToQueue(changeFocusTimer, toSend))
        return { value: standing, queue }
      })
    },
    [change, sync, calendarKnown, plan, timeZone, dayStart],
  )

  const press: TakePress = useCallback(
    // A press counts from when it was made, not from when the device stored it.
    async (take, now = timerNow()) => {
      let taken: Step = { timer: idle }
      await apply((before, beginning) => {
        taken = take(before.timer, now, beginning)
        const { renamed } = taken
        const also =
          renamed &&
          writeToQueue(changeFocusSession, {
            id: renamed.id,
            changes: subjectFields(renamed.subject),
            label: 'Focus session',
            at: instantToWire(now),
          })
        return { ...applyPress(before, taken, beginning.ahead, now), also }
      })
      return taken
    },
    [apply],
  )
  const notice = useCallback(async () => {
    const now = timerNow()
    if (isDoubtful(deviceTimer.parse(sync.deviceValues.get(deviceTimer)).timer)) return
    await apply((before, beginning) => applyNotice(before, now, beginning))
  }, [apply, sync])

  useEffect(() => {
    if (!calendarKnown || !clockKnown || !local || !serverTimer || !differsFromServer(local, serverTimer))
      return
    // `apply` adopts the server's timer; this step changes nothing else.
    apply((standing) => ({ standing, focused: [] })).catch((error: unknown) => {
      console.warn('The device did not keep what another one made of the timer', error)
    })
  }, [local, serverTimer, calendarKnown, clockKnown, apply])

  useEffect(
    () =>
      deviceClock.subscribe(() => {
        if (deviceClock.isUnsure) return
        apply((standing) => ({ standing, focused: [] })).catch((error: unknown) => {
          console.warn('The timer could not follow the clock of the device', error)
        })
      }),
    [apply],
  )

  return { timer: local?.timer, press, notice, refetch }
}

/** The clock changes whose amount is known for sure. */
function timesSet(): ClockSet[] {
  return deviceClock.shifts.filter(({ isUnsure }) => !isUnsure)
}

/**
 * Whether it is unclear how much of the running phase has passed. If the clock was set forward, the phase may seem to be over too
 * early. The server's next response makes it clear. Presses take effect without waiting for this response.
 */
function isDoubtful(timer: FocusTimer): boolean {
  return (
    timer.status === 'running' && deviceClock.shifts.some(({ isUnsure, at }) => isUnsure && timer.since < at)
  )
}
