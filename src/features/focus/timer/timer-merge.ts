import type { Instant } from '#platform/calendar/day.ts'
import type { Stretch } from './phase.ts'
import {
  type Beginning,
  begunRun,
  endedFocusOf,
  type Focused,
  type FocusTimer,
  idle,
  isRecordable,
  moved,
  type Step,
  settleAwake,
  shifted,
  shiftedRun,
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

/** A run that must be recorded, by the server's clock, and the instant of the press that it follows from. */
export interface Recording {
  run: Focused
  at: Instant
}

/** What becomes of the timer on a device, and the runs that must be recorded in the same write. */
export interface TimerStep {
  standing: DeviceTimer
  /** What to send to the server; undefined if it is nothing new there. */
  toSend?: StandingTimer
  focused: Recording[]
}

/**
 * Applies a press to the timer, where the server's clock is `ahead` of the device's. It counts from its own instant, but
 * always after the state that it changed.
 */
export function applyPress(
  standing: DeviceTimer,
  { timer, focused }: Step,
  ahead: number,
  pressed: Instant,
): TimerStep {
  if (timer === standing.timer) return { standing, focused: [] }
  const at = Math.max(pressed + ahead, standing.at + 1)
  const byServer = shifted(timer, ahead)
  return {
    standing: { timer, at, byServer },
    toSend: { timer: byServer, at },
    focused: focused ? [{ run: shiftedRun(focused, ahead), at }] : [],
  }
}

/**
 * What the device notices at the instant `now`: an end, the break that begins with it by itself, or that its own clock
 * was set back, which is not sent to others. It has the instant of the press that led to it, so that it never undoes a
 * press on another device; and every device that notices it makes the same of it.
 */
export function applyNotice(standing: DeviceTimer, now: Instant, beginning: Beginning): TimerStep {
  const ahead = aheadIn(standing, beginning.ahead)
  const { timer, focused } = settleAwake(standing.timer, now, { ...beginning, ahead })
  if (timer === standing.timer) return { standing, focused: [] }
  if (
    timer.status === 'running' &&
    standing.timer.status === 'running' &&
    timer.run.id === standing.timer.run.id
  )
    return { standing: { ...standing, timer }, focused: [] }
  const { at } = standing
  const byServer = shifted(timer, ahead)
  return {
    standing: { timer, at, byServer },
    toSend: { timer: byServer, at },
    focused: focused ? [{ run: shiftedRun(focused, ahead), at }] : [],
  }
}

/**
 * Whether what was sent replaces the current timer. If both come from the same press, what comes later by itself wins
 * over what it follows from, in either order: an end, and then the break that begins with it.
 */
export function supersedes(sent: StandingTimer, standing: StandingTimer): boolean {
  if (sent.at !== standing.at) return sent.at > standing.at
  const [later, earlier] = [progress(sent.timer), progress(standing.timer)]
  return later === earlier ? standing.timer.status !== 'finished' : later > earlier
}

/**
 * A device receives the current timer from the server, with none of the device's own presses missing from it, at the
 * instant `now`, and shows it from then on. If it had a run of which the latest press knew nothing, that run is
 * recorded, except for the time in which the other ran too, or was recorded of those before it: no second counts twice. If the device has this timer
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
  const other = begunRun(timer, now) ?? endedFocusOf(timer)
  const { recorded = [] } = timer.status === 'idle' ? timer : timer.run
  const counted = [...recorded, ...(other?.stretches ?? [])]
  const run = { ...replaced, stretches: without(replaced.stretches, counted) }
  return {
    standing,
    focused: isRecordable(run) ? [{ run: shiftedRun(run, aheadIn(local, ahead)), at: local.at }] : [],
  }
}

/** Whether the server's timer differs from what this device last sent or received. */
export function differsFromServer({ at, byServer }: DeviceTimer, server: StandingTimer): boolean {
  return at !== server.at || !isSame(byServer, server.timer)
}

/** That the device's clock was set: by how many milliseconds, and what it showed then. */
export interface ClockSet {
  by: number
  at: Instant
}

/**
 * The timer after the device's clock was set: its instants move along, so that five minutes stay five minutes; those from after that
 * stay, and what the device sent of them counted from later than it knew. `sets`: how often it was set, in order; `ahead`: how far
 * the server's clock is ahead now, which tells what of that this timer has followed already, in another tab or before. What only the
 * server's clock did moves nothing.
 */
export function followClock(standing: DeviceTimer, sets: readonly ClockSet[], ahead: number): DeviceTimer {
  const offset = offsetIn(standing)
  if (offset === undefined) return standing
  const left = notFollowed(sets, offset - ahead)
  if (left.length === 0) return standing
  let { timer, at } = standing
  let by = offset
  for (const set of left) {
    timer = moved(timer, (instant) => afterSet(set, instant))
    if (set.by > 0 && at >= set.at + by) at -= set.by
    by -= set.by
  }
  return { timer, at, byServer: shifted(timer, by) }
}

/** The last of them, as few as possible, that explain how far the offset of a timer is off. */
function notFollowed(sets: readonly ClockSet[], off: number): readonly ClockSet[] {
  let best: readonly ClockSet[] = []
  let leftOver = Math.abs(off)
  for (let last = 1; last <= sets.length; last++) {
    const some = sets.slice(-last)
    const sum = some.reduce((sum, { by }) => sum + by, 0)
    const left = Math.abs(off - sum)
    if (left < leftOver && left < Math.abs(sum) / 2) [best, leftOver] = [some, left]
  }
  return best
}

/** No time passed while the clock was set forward. One that is set back is noticed before anything else is timed by it. */
function afterSet({ by, at }: ClockSet, instant: Instant): Instant {
  return by < 0 || instant <= at - by ? instant + by : Math.max(instant, at)
}

/** How far the server's clock is ahead in a timer that has an instant. */
function offsetIn({ timer, byServer }: DeviceTimer): number | undefined {
  const [own, server] = [firstInstantOf(timer), firstInstantOf(byServer)]
  return own === undefined || server === undefined ? undefined : server - own
}

function firstInstantOf(timer: FocusTimer): Instant | undefined {
  if (timer.status === 'idle') return timer.cycle?.ended ?? timer.recorded?.[0]?.from
  return timer.run.stretches[0]?.from ?? (timer.status === 'running' ? timer.since : undefined)
}

/** How far the server's clock is ahead in a timer that both have: whatever the device learned of it since. */
function aheadIn({ timer, byServer }: DeviceTimer, ahead: number): number {
  const same = timer.status === 'running' && byServer.status === 'running' && timer.run.id === byServer.run.id
  return same ? byServer.since - timer.since : ahead
}

function isSame(timer: FocusTimer, other: FocusTimer): boolean {
  return inOrder(timer) === inOrder(other)
}

/** As text, whatever the order of the fields. */
function inOrder(value: object): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

/** How far a timer has come by itself since the press. */
function progress(timer: FocusTimer): number {
  if (timer.status === 'idle') return 0
  return 2 * (timer.phase?.number ?? 0) + (timer.status === 'finished' ? 1 : 0)
}

/** Whether the timer is on this run, or on one that was started after it ended. */
function knowsRun(timer: FocusTimer, run: string): boolean {
  const { follows, before } = timer.status === 'idle' ? timer : timer.run
  const own = timer.status === 'idle' ? undefined : timer.run.id
  return [own, follows, ...(before ?? [])].includes(run)
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
