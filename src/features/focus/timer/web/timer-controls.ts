import type { FocusSubject } from '#features/focus/subjects/focus-subject.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { digits } from '#platform/format/format-time.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { isBreak } from '../phase.ts'
import {
  type Beginning,
  chooseCounting,
  chooseSubject,
  type Dropped,
  droppedBy,
  type FocusTimer,
  lengthenBreak,
  pause,
  reset,
  type Step,
  save,
  shownAt,
  start,
  startBreak,
  startFocus,
  stillGoing,
  takeBack,
} from '../timer.ts'
import { allowSound } from './allowed-sound.ts'
import { timerNow } from './focus-clock.ts'
import type { TakePress } from './use-one-timer.ts'

export interface TimerControls {
  /** Begins to focus, or continues a paused phase. */
  start(): void
  pause(): void
  /** Resets the timer, also during a break. The person can undo this for a while. */
  reset(): void
  /** Saves the session so far. A phase that counts up ends this way. */
  save(): void
  startBreak(): void
  /** Begins the next focus phase, cutting a break short. */
  startFocus(): void
  lengthenBreak(minutes: number): void
  stillGoing(): void
  /** Chooses whether the next focus counts up. */
  countUp(up: boolean): void
  /** Sets the subject of the focus, also of a focus that has just ended. */
  chooseSubject(subject: FocusSubject | undefined): void
  /** Begins to focus on a subject. A running or paused focus continues with this subject. */
  startAbout(subject: FocusSubject): void
}

/** The presses that a person can make on the timer. `pressed` is the instant at which they were made, if it is not now. */
export function timerControls(take: TakePress, pressed?: Instant): TimerControls {
  const pressAt = async (
    at: Instant | undefined,
    step: (timer: FocusTimer, now: Instant, beginning: Beginning) => Step,
  ): Promise<Step | undefined> => {
    try {
      return await take(step, at)
    } catch (error) {
      console.warn('The device did not keep the timer', error)
      toast.error('Failed to change the timer', { description: "It couldn't be saved on this device." })
      return undefined
    }
  }
  const press = pressAt.bind(undefined, pressed)
  const begin = async (step: (timer: FocusTimer, now: Instant, beginning: Beginning) => Step) => {
    const begun = press(step)
    allowSound()
    announceStatus(await begun)
  }

  return {
    start: () => void begin(start),
    startBreak: () => void begin(startBreak),
    startFocus: () => void begin(startFocus),
    async startAbout(subject) {
      let goesOn = false
      await begin((timer, now, beginning) => {
        const started = startFocus(timer, now, beginning)
        goesOn =
          timer.status === 'running' &&
          started.timer.status === 'running' &&
          started.timer.run.id === timer.run.id
        return { ...started, timer: chooseSubject(started.timer, subject).timer }
      })
      toast(goesOn ? 'The running timer counts for this now' : 'Timer started')
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
      if (dropped && !isBreak(dropped.phase)) offerBack(dropped)
    },
    async save() {
      const taken = await press(save)
      if (!taken) return
      if (taken.focused) announce('Session saved')
      // If another tab or device saved first, there is no timer left to save.
      else if (taken.timer.status === 'running' || taken.timer.status === 'paused') {
        toast('Nothing to save yet', { description: 'A session must be at least one second long.' })
      }
    },
    lengthenBreak: (minutes) => void press((timer, now) => lengthenBreak(timer, now, minutes)),
    stillGoing: () => void press(stillGoing),
    countUp: (up) => void press((timer) => chooseCounting(timer, up ? 'flow' : undefined)),
    chooseSubject: (subject) => void press((timer) => chooseSubject(timer, subject)),
  }

  function offerBack(dropped: Dropped) {
    const { secondsLeft, secondsPassed, kind } = shownAt({ status: 'paused', ...dropped }, timerNow())
    toast('Timer reset', {
      description: `Paused at ${digits(kind === 'flow' ? secondsPassed : secondsLeft)}.`,
      action: { label: 'Undo', onClick: () => void giveBack(dropped) },
    })
  }

  async function giveBack(dropped: Dropped) {
    const taken = await pressAt(undefined, (timer, now) => takeBack(timer, now, dropped))
    if (!taken) return
    const { timer } = taken
    if (timer.status !== 'idle' && timer.run.id === dropped.run.id) announceStatus(taken)
    else toast("Can't undo: the timer has been started again")
  }
}

/** Announces the new status to screen readers. The end of a phase has its own announcement. */
function announceStatus(taken: Step | undefined) {
  if (taken?.timer.status === 'running') announce('Timer running')
  if (taken?.timer.status === 'paused') announce('Timer paused')
}
