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
 * A focus timer, and the instant of the press that made it what it is: when several devices change it, the latest press
 * wins. It is sent with all its instants by the server's clock.
 */
export interface StandingTimer {
  timer: FocusTimer
  at: Instant
}

/**
 * The timer as a device stores it: `timer` goes by the device's own clock, so that nothing the server says about the
 * time moves a timer that nobody touched, and `byServer` is the version last sent or received. `at` alone goes by the
 * server's clock, as it does there.
 */
export interface DeviceTimer extends StandingTimer {
  byServer: FocusTimer
}

/** For a user who never started one. */
export const neverStarted: DeviceTimer = { timer: idle, at: 0, byServer: idle }

/** What becomes of the timer on a device, and the runs that must be recorded in the same write. */
export interface TimerStep {
  standing: DeviceTimer
  /** What to send to the server; undefined if it is nothing new there. */
  toSend?: StandingTimer
  focused: Run[]
}

/**
 * Applies a step to the timer, where the server's clock is `ahead` of the device's. A press counts from its own
 * instant, but always after the state that it changed. What is only noticed, such as an end, has the instant of the
 * press that led to it, so that it never undoes a press on another device. That the device's own clock was set back is
 * not sent to others.
 */
export function applyStep(
  standing: DeviceTimer,
  { timer, focused }: Step,
  ahead: number,
  pressed?: Instant,
): TimerStep {
  const ended = focused ? [focused] : []
  if (timer === standing.timer) return { standing, focused: ended }
  if (pressed === undefined && timer.status !== 'finished') {
    return { standing: { ...standing, timer }, focused: ended }
  }
  const at = pressed === undefined ? standing.at : Math.max(pressed + ahead, standing.at + 1)
  const byServer = shifted(timer, ahead)
  return { standing: { timer, at, byServer }, toSend: { timer: byServer, at }, focused: ended }
}

/**
 * Whether what was sent replaces the current timer. If both come from the same press, an end wins over the rest, in
 * either order.
 */
export function supersedes(sent: StandingTimer, standing: StandingTimer): boolean {
  return sent.at === standing.at ? standing.timer.status !== 'finished' : sent.at > standing.at
}

/**
 * A device receives the current timer from the server, with none of the device's own presses missing from it, at the
 * instant `now`, and shows it from then on. If it had a run of which the latest press knew nothing, that run is
 * recorded, except for the time in which the other ran too: no second counts twice. If the device has this timer
 * already, it stays as it is, and only its instant may change: the server replaces an instant in the future by now.
 */
export function adoptServerTimer(
  local: DeviceTimer,
  server: StandingTimer,
  ahead: number,
  now: Instant,
): TimerStep {
  if (isSame(local.byServer, server.timer)) return { standing: { ...local, at: server.at }, focused: [] }
  const timer = shifted(server.timer, -ahead)
  const standing = { timer, at: server.at, byServer: server.timer }
  const replaced = begunRun(local.timer, now)
  if (!replaced || knowsRun(timer, replaced.id)) return { standing, focused: [] }
  const other = timer.status === 'finished' ? timer.run : begunRun(timer, now)
  const run = { ...replaced, stretches: without(replaced.stretches, other?.stretches ?? []) }
  return { standing, focused: isRecordable(run) ? [run] : [] }
}

/** Whether the server's timer differs from what this device last sent or received. */
export function differsFromServer({ at, byServer }: DeviceTimer, server: StandingTimer): boolean {
  return at !== server.at || !isSame(byServer, server.timer)
}

function isSame(timer: FocusTimer, other: FocusTimer): boolean {
  return JSON.stringify(timer) === JSON.stringify(other)
}

/** Whether the timer is on this run, or on one that was started after it ended. */
function knowsRun(timer: FocusTimer, run: string): boolean {
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
