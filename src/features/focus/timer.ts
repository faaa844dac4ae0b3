import type { Instant } from '#platform/calendar/day.ts'

/** The length of a run: 25 minutes. */
export const runSeconds = 1_500
export const runLength = runSeconds * 1_000

/** A part of a run in which the timer ran without a pause. */
export interface Stretch {
  from: Instant
  to: Instant
}

/** What was focused since the timer was started, pauses left out. */
export interface Run {
  /** Made at the start, and the id of the focus session in the end: so a run is recorded only once. */
  id: string
  /** The run that was ended before this one was started: whoever started this one knew of it. */
  follows?: string | undefined
  /** Those that are over, in order and apart from each other. */
  stretches: Stretch[]
}

/** Kept as instants, never as what is left: it is right after a reload, a sleep and in a tab that may not tick. */
export type FocusTimer =
  | { status: 'idle'; follows?: string | undefined }
  | { status: 'running'; run: Run; since: Instant }
  | { status: 'paused'; run: Run }
  | { status: 'finished'; run: Run }

export interface Step {
  timer: FocusTimer
  /** A run that has come to its end by this step and has to be recorded, in the same breath as the step is kept. */
  focused?: Run
}

export interface Shown {
  status: FocusTimer['status']
  /** Whole seconds: 1,500 down to 0. */
  secondsLeft: number
}

/** A run that a reset has dropped. */
export interface Dropped {
  run: Run
  running: boolean
}

/** Of somebody who never started one. */
export const idle: FocusTimer = { status: 'idle' }

/** Two clocks that are both right differ by as much: a start that lies ahead by no more was not made by a wrong one. */
const slack = 2_000

/** What the screen shows at this instant, whether or not anybody was there to see the run end. */
export function shownAt(timer: FocusTimer, now: Instant): Shown {
  return { status: isOver(timer, now) ? 'finished' : timer.status, secondsLeft: secondsLeft(timer, now) }
}

/** When a running timer ends unless it is paused; undefined while it does not run. */
export function endOf(timer: FocusTimer): Instant | undefined {
  return timer.status === 'running' ? endOfRunning(timer) : undefined
}

/** Begins a run under the id, or goes on with a paused one. */
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

/** Back to 25:00, from anywhere. A run that was over by now is recorded all the same. */
export function reset(timer: FocusTimer, now: Instant): Step {
  return { ...settle(timer, now), timer: atRest(timer) }
}

/** What a reset at this instant drops, or undefined where nothing is lost by it. */
export function droppedBy(timer: FocusTimer, now: Instant): Dropped | undefined {
  const { timer: paused } = pause(timer, now)
  return paused.status === 'paused' ? { run: paused.run, running: timer.status === 'running' } : undefined
}

/** Goes on with a dropped run as it was at the reset: the time since then was not focused. Not in place of another run. */
export function takeBack(timer: FocusTimer, now: Instant, { run, running: ran }: Dropped): Step {
  if (timer.status !== 'idle') return settle(timer, now)
  return ran ? running(run, now) : { timer: { status: 'paused', run } }
}

/**
 * Records what a running or paused timer has come to and begins anew. Before the first whole second there is nothing to
 * record, and the timer stays as it is.
 */
export function save(timer: FocusTimer, now: Instant): Step {
  const settled = settle(timer, now)
  if (settled.focused) return { timer: atRest(timer), focused: settled.focused }
  const run = begunRun(settled.timer, now)
  return (run && recorded(run)) ?? settled
}

/** Records what the person leaves behind who signs out last, of a paused run too. */
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
 * Ends a run at its end, however much later that is noticed: never with more than its 25 minutes.
 * Where the clock was set back behind the last start, the run goes on from now with what it had before that.
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

/** What was focused until now, as one run that is over; undefined while nothing is begun. */
export function begunRun(timer: FocusTimer, now: Instant): Run | undefined {
  const { timer: paused, focused } = pause(timer, now)
  return focused ?? (paused.status === 'paused' ? paused.run : undefined)
}

/** The same by a clock that is `by` milliseconds ahead of the one that it goes by. */
export function shifted(timer: FocusTimer, by: number): FocusTimer {
  if (timer.status === 'idle') return timer
  const run = shiftedRun(timer.run, by)
  return timer.status === 'running' ? { ...timer, run, since: timer.since + by } : { ...timer, run }
}

export function shiftedRun(run: Run, by: number): Run {
  return { ...run, stretches: run.stretches.map(({ from, to }) => ({ from: from + by, to: to + by })) }
}

/** Milliseconds, pauses left out. */
export function focusedFor({ stretches }: Run): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** Whether there is a second to record. */
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

/** A clock that was set back takes what was before along, so that no minute is in two stretches. */
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
