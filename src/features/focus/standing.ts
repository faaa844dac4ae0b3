import type { Instant } from '#platform/calendar/day.ts'
import {
  begunRun,
  type FocusTimer,
  idle,
  isRecordable,
  type Run,
  type Step,
  type Stretch,
  shifted,
} from './timer.ts'

/**
 * A focus timer, and the instant of the press that made it so: of what several devices made of it, the latest stands. It
 * travels with all of its instants by the server's clock.
 */
export interface Standing {
  timer: FocusTimer
  at: Instant
}

/**
 * As a device keeps it: the timer by the device's own clock, so that nothing the server says of the time moves a timer
 * that nobody touched, and `byServer`, what was sent or heard of it. Only `at` is by the server's clock, as it is there.
 */
export interface KeptStanding extends Standing {
  byServer: FocusTimer
}

/** Of somebody who never started one. */
export const rest: KeptStanding = { timer: idle, at: 0, byServer: idle }

/** What a device makes of the timer, and the runs that have to be recorded in the same breath. */
export interface StandingStep {
  standing: KeptStanding
  /** What the server has to be told; undefined where it is nothing new to it. */
  told?: Standing
  focused: Run[]
}

/**
 * A step that was taken from what stands, where the server's clock is `ahead` of the device's. A press counts from its own
 * instant, yet always after what it was made on. What is only found out, such as an end, has the instant of the press that
 * it follows from: so it never undoes a press of another device. That the own clock was set back concerns nobody else.
 */
export function stepFrom(
  standing: KeptStanding,
  { timer, focused }: Step,
  ahead: number,
  pressed?: Instant,
): StandingStep {
  const ended = focused ? [focused] : []
  if (timer === standing.timer) return { standing, focused: ended }
  if (pressed === undefined && timer.status !== 'finished') {
    return { standing: { ...standing, timer }, focused: ended }
  }
  const at = pressed === undefined ? standing.at : Math.max(pressed + ahead, standing.at + 1)
  const byServer = shifted(timer, ahead)
  return { standing: { timer, at, byServer }, told: { timer: byServer, at }, focused: ended }
}

/** Whether what is sent takes the place of what stands. Of one press and its end, in whichever order, the end does. */
export function standsOver(sent: Standing, standing: Standing): boolean {
  return sent.at === standing.at ? standing.timer.status !== 'finished' : sent.at > standing.at
}

/**
 * A device learns what stands by now, at the instant `now`, and that none of its own presses is missing there. It shows
 * that from now on. Where it had a run that is unknown to whoever pressed last, what was focused in it is recorded, but
 * for the time in which the other ran too: no second counts twice. What it has already stays as it is, and only its
 * instant may be another: the server takes one in the future as now.
 */
export function takeOver(kept: KeptStanding, known: Standing, ahead: number, now: Instant): StandingStep {
  if (isSame(kept.byServer, known.timer)) return { standing: { ...kept, at: known.at }, focused: [] }
  const timer = shifted(known.timer, -ahead)
  const standing = { timer, at: known.at, byServer: known.timer }
  const replaced = begunRun(kept.timer, now)
  if (!replaced || knowsOf(timer, replaced.id)) return { standing, focused: [] }
  const other = timer.status === 'finished' ? timer.run : begunRun(timer, now)
  const run = { ...replaced, stretches: without(replaced.stretches, other?.stretches ?? []) }
  return { standing, focused: isRecordable(run) ? [run] : [] }
}

/** Whether the server says otherwise than this device last told it, or heard from it. */
export function isBehind({ at, byServer }: KeptStanding, known: Standing): boolean {
  return at !== known.at || !isSame(byServer, known.timer)
}

function isSame(timer: FocusTimer, other: FocusTimer): boolean {
  return JSON.stringify(timer) === JSON.stringify(other)
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
