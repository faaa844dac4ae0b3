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
 * A focus timer, and the instant of the last press that changed it. If several devices change the timer, the latest press wins.
 * When sent, all instants go by the server's clock.
 */
export interface StandingTimer {
  timer: FocusTimer
  at: Instant
}

/**
 * The timer as a device stores it. `timer` goes by the device's own clock, so that a timer nobody touched never moves when the
 * server's time becomes known. `byServer` is the timer as last sent or received, by the server's clock. `at` goes by the server's
 * clock, too.
 */
export interface DeviceTimer extends StandingTimer {
  byServer: FocusTimer
}

/** The state for a user who never started the timer. */
export const neverStarted: DeviceTimer = { timer: idle, at: 0, byServer: idle }

/** A run to record, by the server's clock, and the instant of the press that led to it. */
export interface Recording {
  run: Focused
  at: Instant
}

/** The result of a press or of a change noticed by the device: the new timer, and the runs to record in the same write. */
export interface TimerStep {
  standing: DeviceTimer
  /** The timer to send to the server; undefined if the server need not know. */
  toSend?: StandingTimer
  focused: Recording[]
}

/**
 * Applies a press to the timer. `ahead` is how far the server's clock is ahead of the device's, in milliseconds. The press counts
 * from the instant at which it was made, but always after the state that it changed.
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
 * Applies what the device notices at `now`: the end of a phase, a break that begins by itself, or a device clock that was set
 * back. Only the first two are sent. The result keeps the instant of the last press, so that it never undoes a press on another
 * device. All devices that notice an end reach the same state.
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
 * Whether the sent timer replaces the current one. If both follow from the same press, the timer that is further along wins, in
 * whichever order they arrive. The end of a phase wins over the phase, and the break after it wins over the end.
 */
export function supersedes(sent: StandingTimer, standing: StandingTimer): boolean {
  if (sent.at !== standing.at) return sent.at > standing.at
  const [later, earlier] = [progress(sent.timer), progress(standing.timer)]
  return later === earlier ? standing.timer.status !== 'finished' : later > earlier
}

/**
 * Adopts the timer from the server at the instant `now`. The server must already know all presses of this device. If the latest
 * press was made without knowing of this device's run, that run is recorded. Time in which the other run was running, or that is
 * already recorded, is left out, so that no second counts twice. If the device already has this timer, only `at` may change, as
 * the server replaces an instant in the future by now.
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

/** A change of the device's clock: the milliseconds it was set by, and the time it showed then. */
export interface ClockSet {
  by: number
  at: Instant
}

/**
 * Adjusts the timer after the device's clock was set. Instants from before the change move along, so that five minutes stay five
 * minutes. Instants from after the change stay; the copy for the server moves instead, as it was sent with a wrong offset. `sets`
 * are the clock changes in order. `ahead` is how far the server's clock is ahead now; it tells which changes this timer has
 * already followed, for example in another tab. A change of the server's clock alone moves nothing.
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

/**
 * The last clock changes, as few as possible, that explain the difference `off` between the timer's offset and the current one.
 */
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

/**
 * Moves an instant along with a clock change. An instant that the clock jumped over becomes the end of the jump. A clock that was
 * set back is noticed before it times anything, so every instant moves.
 */
function afterSet({ by, at }: ClockSet, instant: Instant): Instant {
  return by < 0 || instant <= at - by ? instant + by : Math.max(instant, at)
}

/** How far the server's clock is ahead according to the timer; undefined if the timer contains no instant. */
function offsetIn({ timer, byServer }: DeviceTimer): number | undefined {
  const [own, server] = [firstInstantOf(timer), firstInstantOf(byServer)]
  return own === undefined || server === undefined ? undefined : server - own
}

function firstInstantOf(timer: FocusTimer): Instant | undefined {
  if (timer.status === 'idle') return timer.cycle?.ended ?? timer.recorded?.[0]?.from
  return timer.run.stretches[0]?.from ?? (timer.status === 'running' ? timer.since : undefined)
}

/** How far the server's clock was ahead when this run was last sent or received, if the run is still going; otherwise `ahead`. */
function aheadIn({ timer, byServer }: DeviceTimer, ahead: number): number {
  const same = timer.status === 'running' && byServer.status === 'running' && timer.run.id === byServer.run.id
  return same ? byServer.since - timer.since : ahead
}

function isSame(timer: FocusTimer, other: FocusTimer): boolean {
  return inOrder(timer) === inOrder(other)
}

/** The value as JSON, regardless of the order of its fields. */
function inOrder(value: object): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

/** How far the timer has come by itself since the last press. */
function progress(timer: FocusTimer): number {
  if (timer.status === 'idle') return 0
  return 2 * (timer.phase?.number ?? 0) + (timer.status === 'finished' ? 1 : 0)
}

/** Whether the timer is on this run, or on a run that was started after this one ended. */
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
