import type { Instant } from '#platform/calendar/day.ts'

/** The length of a run: 25 minutes. */
export const runSeconds = 1_500
export const runLength = runSeconds * 1_000

/** A part of a run in which the timer ran without a pause. */
export interface Stretch {
  from: Instant
  to: Instant
}

/** The time focused since the timer was started, without pauses. */
export interface Run {
  /** Created at the start; it becomes the id of the focus session, so that a run is recorded only once. */
  id: string
  /** The run that ended before this one started: whoever started this one knew of it. */
  follows?: string | undefined
  /** The completed stretches, in order and without overlap. */
  stretches: Stretch[]
}

/**
 * Stored as instants, never as the time left: that keeps it right after a reload, after sleep and in a tab that may not
 * tick.
 */
export type FocusTimer =
  | { status: 'idle'; follows?: string | undefined }
  | { status: 'running'; run: Run; since: Instant }
  | { status: 'paused'; run: Run }
  | { status: 'finished'; run: Run }

export interface Step {
  timer: FocusTimer
  /** A run that ended with this step and must be recorded in the same write that stores the step. */
  focused?: Run
}

export interface Shown {
  status: FocusTimer['status']
  /** Whole seconds: 1,500 down to 0. */
  secondsLeft: number
}

/** A run that a reset discarded. */
export interface Dropped {
  run: Run
  running: boolean
}

/** The timer of a user who never started one. */
export const idle: FocusTimer = { status: 'idle' }

/** Two correct clocks may differ by this much: a start no further ahead was not made by a wrong clock. */
const slack = 2_000

/** What the screen shows at this instant, whether or not anybody saw the run end. */
export function shownAt(timer: FocusTimer, now: Instant): Shown {
  return { status: isOver(timer, now) ? 'finished' : timer.status, secondsLeft: secondsLeft(timer, now) }
}

/** When a running timer ends if it is not paused; undefined while it is not running. */
export function endOf(timer: FocusTimer): Instant | undefined {
  return timer.status === 'running' ? endOfRunning(timer) : undefined
}

/** Starts a run with this id, or continues a paused one. */
export function start(timer: FocusTimer, now: Instant, id: string): Step {
  if (timer.status === 'idle') return running({ id, follows: timer.follows, stretches: [] }, now)
  if (timer.status === 'paused') return running(timer.run, now)
  return settle(timer, now)
}

export function pause(timer: FocusTimer, now: Instant): Step {
  const settled = settle(timer, now)
  if (settled.timer.status !== 'running') return settled
  return { timer: { status: 'paused', run: endedRun(settled.timer.run, settled.timer.since, now) } }
}

/** Goes back to 25:00 from any state. A run that was over by now is recorded all the same. */
export function reset(timer: FocusTimer, now: Instant): Step {
  return { ...settle(timer, now), timer: atRest(timer) }
}

/** The run that a reset at this instant would discard; undefined if nothing would be lost. */
export function droppedBy(timer: FocusTimer, now: Instant): Dropped | undefined {
  const { timer: paused } = pause(timer, now)
  return paused.status === 'paused' ? { run: paused.run, running: timer.status === 'running' } : undefined
}

/** Continues a discarded run as it was at the reset: the time since then was not focused. It never replaces another run. */
export function takeBack(timer: FocusTimer, now: Instant, { run, running: ran }: Dropped): Step {
  if (timer.status !== 'idle') return settle(timer, now)
  return ran ? running(run, now) : { timer: { status: 'paused', run } }
}

/**
 * Records what was focused so far and starts over. Before the first whole second there is nothing to record, and the
 * timer stays as it is.
 */
export function save(timer: FocusTimer, now: Instant): Step {
  const settled = settle(timer, now)
  if (settled.focused) return { timer: atRest(timer), focused: settled.focused }
  const run = begunRun(settled.timer, now)
  return (run && recorded(run)) ?? settled
}

/** Records what is left when a person signs out, even if the run is paused. */
export function leave(timer: FocusTimer, now: Instant): Step {
  const { timer: paused, focused } = pause(timer, now)
  if (focused) return { timer: atRest(timer), focused }
  return (paused.status === 'paused' && recorded(paused.run)) || { timer: atRest(timer) }
}

/** Whether `settle` would change anything. */
export function isUnsettled(timer: FocusTimer, now: Instant): boolean {
  return isOver(timer, now) || isSetBack(timer, now)
}

/**
 * Ends a run at its end, however much later that is noticed: never with more than its 25 minutes. If the clock was set
 * back behind the last start, the run continues from now with what it had before.
 */
export function settle(timer: FocusTimer, now: Instant): Step {
  if (timer.status !== 'running') return { timer }
  const end = endOfRunning(timer)
  if (now >= end) {
    const run = endedRun(timer.run, timer.since, end)
    return { timer: { status: 'finished', run }, focused: run }
  }
  return isSetBack(timer, now) ? running(timer.run, now) : { timer }
}

/** What was focused until now, as a completed run; undefined if nothing has been started. */
export function begunRun(timer: FocusTimer, now: Instant): Run | undefined {
  const { timer: paused, focused } = pause(timer, now)
  return focused ?? (paused.status === 'paused' ? paused.run : undefined)
}

/** The same timer by a clock that is `by` milliseconds ahead of the timer's own. */
export function shifted(timer: FocusTimer, by: number): FocusTimer {
  if (timer.status === 'idle') return timer
  const run = shiftedRun(timer.run, by)
  return timer.status === 'running' ? { ...timer, run, since: timer.since + by } : { ...timer, run }
}

export function shiftedRun(run: Run, by: number): Run {
  return { ...run, stretches: run.stretches.map(({ from, to }) => ({ from: from + by, to: to + by })) }
}

/** Milliseconds, without pauses. */
export function focusedFor({ stretches }: Run): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** Whether there is at least a second to record. */
export function isRecordable(run: Run): boolean {
  return focusedFor(run) >= 1_000
}

function atRest(timer: FocusTimer): FocusTimer {
  return timer.status === 'idle' ? timer : { status: 'idle', follows: timer.run.id }
}

function isSetBack(timer: FocusTimer, now: Instant): boolean {
  return timer.status === 'running' && now < timer.since - slack
}

function endOfRunning({ run, since }: { run: Run; since: Instant }): Instant {
  return since + runLength - focusedFor(run)
}

function running(run: Run, now: Instant): Step {
  return { timer: { status: 'running', run: endingBefore(run, now), since: now } }
}

/** When the clock is set back, the earlier stretches move back with it, so that no minute is in two stretches. */
function endingBefore(run: Run, now: Instant): Run {
  const late = (run.stretches.at(-1)?.to ?? now) - now
  if (late <= 0) return run
  return shiftedRun(run, -late)
}

function endedRun(run: Run, from: Instant, to: Instant): Run {
  return to > from ? { ...run, stretches: [...run.stretches, { from, to }] } : run
}

function recorded(run: Run): Step | undefined {
  return isRecordable(run) ? { timer: { status: 'idle', follows: run.id }, focused: run } : undefined
}

function isOver(timer: FocusTimer, now: Instant): boolean {
  const end = endOf(timer)
  return end !== undefined && now >= end
}

function elapsed(timer: FocusTimer, now: Instant): number {
  if (timer.status === 'idle') return 0
  const before = focusedFor(timer.run)
  if (timer.status !== 'running') return before
  return Math.min(runLength, before + Math.max(0, now - timer.since))
}

function secondsLeft(timer: FocusTimer, now: Instant): number {
  return Math.ceil((runLength - elapsed(timer, now)) / 1_000)
}
