import type { Instant } from '#platform/calendar/day.ts'
import { begunRun, type FocusTimer, isRecordable, type Run, type Step, type Stretch } from './timer.ts'

/** A focus timer, and the instant of the press that made it so: of what several devices made of it, the latest stands. */
export interface Standing {
  timer: FocusTimer
  at: Instant
}

/** What a device makes of the timer, and the runs that have to be recorded in the same breath. */
export interface StandingStep {
  standing: Standing
  focused: Run[]
}

/**
 * A step that was taken from what stands. A press counts from its own instant, yet always after what it was made on. What
 * is only found out, such as an end, has the instant of the press that it follows from: so it never undoes a press of
 * another device.
 */
export function stepFrom(standing: Standing, { timer, focused }: Step, pressed?: Instant): StandingStep {
  const at = pressed === undefined ? standing.at : Math.max(pressed, standing.at + 1)
  return {
    standing: timer === standing.timer ? standing : { timer, at },
    focused: focused ? [focused] : [],
  }
}

/** Whether what is sent takes the place of what stands. Of one press and its end, in whichever order, the end does. */
export function standsOver(sent: Standing, standing: Standing): boolean {
  return sent.at === standing.at ? standing.timer.status !== 'finished' : sent.at > standing.at
}

/**
 * A device learns what stands by now, at the instant `now`, and that none of its own presses is missing there. It shows
 * that from now on. Where it had a run that is unknown to whoever pressed last, what was focused in it is recorded, but
 * for the time in which the other ran too: no second counts twice.
 */
export function takeOver(kept: Standing, known: Standing, now: Instant): StandingStep {
  const replaced = begunRun(kept.timer, now)
  if (!replaced || knowsOf(known.timer, replaced.id)) return { standing: known, focused: [] }
  const other = known.timer.status === 'finished' ? known.timer.run : begunRun(known.timer, now)
  const run = { ...replaced, stretches: without(replaced.stretches, other?.stretches ?? []) }
  return { standing: known, focused: isRecordable(run) ? [run] : [] }
}

/** Whether a press of another device left the timer otherwise than it is kept here. */
export function isBehind(kept: Standing, known: Standing): boolean {
  return JSON.stringify(kept) !== JSON.stringify(known)
}

/** Whether the run is the one that stands, or the one that was ended before it. */
function knowsOf(timer: FocusTimer, run: string): boolean {
  if (timer.status === 'idle') return timer.follows === run
  return timer.run.id === run || timer.run.follows === run
}

function without(stretches: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  return others.reduce<Stretch[]>(
    (left, { from, to }) =>
      left.flatMap((stretch) =>
        [
          { from: stretch.from, to: Math.min(stretch.to, from) },
          { from: Math.max(stretch.from, to), to: stretch.to },
        ].filter((part) => part.from < part.to),
      ),
    [...stretches],
  )
}
