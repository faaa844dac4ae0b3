import type { Instant } from '#platform/calendar/day.ts'
import { defaultPlan, type FocusPlan } from '../plan/focus-plan.ts'
import type { FocusSubject } from '../subjects/focus-subject.ts'
import { laterRunId } from './later-run-id.ts'
import {
  type BreakPhase,
  type FlowPhase,
  type FocusPhase,
  focusedFor,
  isBreak,
  kindOf,
  lengthOf,
  minute,
  type Phase,
  type Run,
  type Stretch,
  wholeDay,
} from './phase.ts'

/** Milliseconds that a person has to answer 'Still focusing?'. Without an answer, the run ends at the instant of the question. */
const answerWithin = 15 * minute
/** The most minutes of a phase: a whole day. A break can get this long when the person keeps pressing '5 min more'. */
export const mostMinutes = 1_440

/** Milliseconds. A longer rest ends the cycle: the next phase is the first of a new cycle. */
const longestRest = 120 * minute

/**
 * Milliseconds after the end of a phase. If the end is noticed later, the device slept through it, and no break begins by itself.
 */
export const asleep = 10_000

interface Chosen {
  /** Set if the next focus counts up. */
  next?: 'flow' | undefined
  /** The subject of the focus; during a break, of the next focus. */
  subject?: FocusSubject | undefined
}

interface Underway extends Chosen {
  run: Run
  /** Undefined if a client that knows no phases started the run: it is then 25 minutes of focus, in no cycle. */
  phase?: Phase | undefined
  /** The plan when the phase began. Later changes of the plan do not affect a running phase. */
  plan?: FocusPlan | undefined
}

/** The state of the cycle between two phases. */
interface RestingCycle {
  id: string
  /** The number of the last phase. */
  number: number
  focused: number
  /** When the last phase ended, or was paused for the last time. */
  ended: Instant
}

interface Idle extends Chosen {
  status: 'idle'
  follows?: string | undefined
  before?: string[] | undefined
  recorded?: Stretch[] | undefined
  cycle?: RestingCycle | undefined
}

/**
 * A timer stores instants, never the time left. It therefore stays right after a reload, after sleep, and in a tab that the
 * browser does not let tick.
 */
export type FocusTimer =
  | Idle
  | ({ status: 'running'; since: Instant } & Underway)
  | ({ status: 'paused' } & Underway)
  | ({ status: 'finished' } & Underway)

/** Everything besides the timer that a new phase needs. */
export interface Beginning {
  /** The person's current plan. */
  plan: FocusPlan
  /** The id of the run, if the run begins a cycle. */
  id: string
  /** Milliseconds by which the server's clock is ahead of the device's. The ids of later runs go by the server's clock. */
  ahead: number
}

/** A run that ended, with the kind and the subject for its session. */
export interface Focused extends Run {
  kind: 'countdown' | 'flow'
  subject?: FocusSubject | undefined
}

export interface Step {
  timer: FocusTimer
  /** A run of focus that ended with this step and must be recorded in the same write that stores the step. */
  focused?: Focused
  /** A recorded run whose subject was changed afterwards. Its session must be changed in the same write. */
  renamed?: { id: string; subject: FocusSubject | undefined }
}

export interface Shown {
  status: FocusTimer['status']
  kind: Phase['kind']
  /** Whole seconds until the end; 0 in a phase that counts up. */
  secondsLeft: number
  /** Whole seconds since the start, without pauses. */
  secondsPassed: number
  /** The length of the phase in seconds; 0 in a phase that counts up. */
  length: number
  /** Whether a phase that counts up is asking if the person is still focusing. */
  asks: boolean
  /** How many focus phases of the cycle were completed. */
  completed: number
}

/** A run that a reset discarded. */
export interface Dropped extends Underway {
  running: boolean
}

/** The timer of a user who never started it. */
export const idle: FocusTimer = { status: 'idle' }

/** Milliseconds by which two correct clocks may differ. If a run starts further in the future, the clock was set back. */
const slack = 2_000
/** How many earlier runs a timer names: enough for a device that slept through a morning to find its own run among them. */
const runsKept = 24
const stretchesKept = 2 * runsKept

/**
 * The state to show at the instant `now`, even if no device noticed the end of the phase. `plan` is the person's current plan.
 */
export function shownAt(timer: FocusTimer, now: Instant, plan: FocusPlan = defaultPlan): Shown {
  const kind = timer.status === 'idle' ? (timer.next ?? 'focus') : kindOf(timer.phase)
  const length = lengthShown(timer, plan)
  const passed = elapsed(timer, now)
  return {
    status: isOver(timer, now) ? 'finished' : timer.status,
    kind,
    secondsLeft: kind === 'flow' ? 0 : Math.ceil((length - passed) / 1_000),
    secondsPassed: Math.floor(passed / 1_000),
    length: length / 1_000,
    asks: isAsking(timer, now),
    completed: completedInCycle(timer, now),
  }
}

/** When a running timer ends if nobody presses anything; undefined while the timer is not running. */
export function endOf(timer: FocusTimer): Instant | undefined {
  return timer.status === 'running' ? endOfRunning(timer) : undefined
}

/** Begins to focus, or continues a paused phase. To go on after a phase has ended, use `startBreak` or `startFocus`. */
export function start(timer: FocusTimer, now: Instant, beginning: Beginning): Step {
  if (timer.status === 'idle') return begun(timer, now, beginning, focusPhase)
  if (timer.status === 'paused') return running(timer, now)
  return settle(timer, now)
}

/** Begins the break after a focus phase that has ended. */
export function startBreak(timer: FocusTimer, now: Instant, beginning: Beginning): Step {
  const settled = settle(timer, now)
  const { timer: ended } = settled
  if (ended.status !== 'finished' || isBreak(ended.phase)) return settled
  const { timer: started } = begun(atRest(ended, now), now, beginning, breakAfter(ended))
  return { ...settled, timer: started }
}

/** Begins the next focus phase, either after a phase has ended or by cutting a break short. */
export function startFocus(timer: FocusTimer, now: Instant, beginning: Beginning): Step {
  const settled = settle(timer, now)
  const { timer: ended } = settled
  const resting = ended.status !== 'idle' && isBreak(ended.phase)
  if (ended.status !== 'finished' && !resting) return start(timer, now, beginning)
  const { timer: started } = begun(atRest(ended, now), now, beginning, focusPhase)
  return { ...settled, timer: started }
}

export function pause(timer: FocusTimer, now: Instant): Step {
  const settled = settle(timer, now)
  if (settled.timer.status !== 'running') return settled
  // Pressing pause also answers 'Still focusing?'.
  const { since, run, ...rest } = answered(settled.timer, now)
  return { timer: { ...rest, status: 'paused', run: endedRun(run, since, now) } }
}

/** Resets the timer from any state, and ends a break. A focus phase that was already over is still recorded. */
export function reset(timer: FocusTimer, now: Instant): Step {
  const settled = settle(timer, now)
  return { ...settled, timer: atRest(settled.timer, now) }
}

/** The run that a reset at this instant would discard; undefined if a reset would lose nothing. */
export function droppedBy(timer: FocusTimer, now: Instant): Dropped | undefined {
  const { timer: paused } = pause(timer, now)
  if (paused.status !== 'paused') return undefined
  const { status, ...underway } = paused
  return { ...underway, running: timer.status === 'running' }
}

/** Continues a discarded run as it was at the reset; the time since then does not count as focus. Never replaces another run. */
export function takeBack(timer: FocusTimer, now: Instant, { running: ran, ...underway }: Dropped): Step {
  if (timer.status !== 'idle') return settle(timer, now)
  return ran ? running(underway, now) : { timer: { status: 'paused', ...underway } }
}

/**
 * Records the focus so far and resets the timer. A phase that counts up is ended instead, so that its break is due. With less
 * than a whole second of focus there is nothing to record, and the timer stays as it is.
 */
export function save(timer: FocusTimer, now: Instant): Step {
  const settled = settle(timer, now)
  if (settled.focused) return { timer: atRest(settled.timer, now), focused: settled.focused }
  const { timer: paused } = pause(settled.timer, now)
  if (paused.status !== 'paused' || isBreak(paused.phase) || !isRecordable(paused.run)) return settled
  const focused = focusedOf(paused)
  if (kindOf(paused.phase) !== 'flow') return { timer: atRest(paused, now, focused), focused }
  return { timer: { ...paused, status: 'finished' }, focused }
}

/** Records the remaining focus when a person signs out, even if the run is paused. */
export function leave(timer: FocusTimer, now: Instant): Step {
  const { timer: paused, focused } = pause(timer, now)
  if (focused) return { timer: atRest(paused, now), focused }
  if (paused.status !== 'paused' || isBreak(paused.phase) || !isRecordable(paused.run)) {
    return { timer: atRest(paused, now) }
  }
  const left = focusedOf(paused)
  return { timer: atRest(paused, now, left), focused: left }
}

/** Makes a break longer by this many minutes. */
export function lengthenBreak(timer: FocusTimer, now: Instant, minutes: number): Step {
  const settled = settle(timer, now)
  const { timer: there } = settled
  if (there.status !== 'running' && there.status !== 'paused') return settled
  const { phase } = there
  if (!isBreak(phase)) return settled
  return {
    timer: { ...there, phase: { ...phase, minutes: Math.min(mostMinutes, phase.minutes + minutes) } },
  }
}

/** Answers 'yes' when a phase that counts up asks whether the person is still focusing. */
export function stillGoing(timer: FocusTimer, now: Instant): Step {
  const settled = settle(timer, now)
  if (settled.timer.status !== 'running' || !isAsking(settled.timer, now)) return settled
  return { timer: answered(settled.timer, now) }
}

/** Chooses whether the next focus counts up. */
export function chooseCounting(timer: FocusTimer, next: 'flow' | undefined): Step {
  return timer.next === next ? { timer } : { timer: { ...timer, next } }
}

/** Sets the subject of the focus, even if the focus has just ended; during a break, of the next focus. */
export function chooseSubject(timer: FocusTimer, subject: FocusSubject | undefined): Step {
  if (isSameSubject(timer.subject, subject)) return { timer }
  const recorded = endedFocusOf(timer)
  return { timer: { ...timer, subject }, ...(recorded && { renamed: { id: recorded.id, subject } }) }
}

/**
 * The phase that ended by itself between two states of the timer. The second state is then either the end of the phase, or the
 * break that began at that end. Undefined if a press ended the phase.
 */
export function endedPhase(
  before: FocusTimer,
  timer: FocusTimer,
): { run: Run; kind: Phase['kind'] } | undefined {
  if (before.status !== 'running') return undefined
  const { run, phase, since } = before
  const kind = kindOf(phase)
  if (timer.status === 'finished' && timer.run.id === run.id) {
    return focusedFor(timer.run) < lengthOf(phase) ? undefined : { run: timer.run, kind }
  }
  const end = endOfRunning(before)
  if (timer.status !== 'running' || timer.run.follows !== run.id || timer.since < end) return undefined
  return { run: endedRun(run, since, end), kind }
}

/** Whether `settle` would change anything. */
export function isUnsettled(timer: FocusTimer, now: Instant): boolean {
  return isOver(timer, now) || isSetBack(timer, now)
}

/**
 * Ends a run that has reached its end, however late this is noticed: the run never gets longer than its phase. If the clock was
 * set back behind the last start, the run continues from now with the focus it had before.
 */
export function settle(timer: FocusTimer, now: Instant): Step {
  if (timer.status !== 'running') return { timer }
  if (isOver(timer, now)) {
    const { since, ...rest } = timer
    const ended = {
      ...rest,
      status: 'finished' as const,
      run: endedRun(timer.run, since, endOfRunning(timer)),
    }
    return isBreak(timer.phase) ? { timer: ended } : { timer: ended, focused: focusedOf(ended) }
  }
  return isSetBack(timer, now) ? running(timer, now) : { timer }
}

/**
 * Like `settle`, for a device that was awake at the end: with `auto_start`, the break begins at the end of the focus. If the
 * device slept through the end, the person starts the break.
 */
export function settleAwake(timer: FocusTimer, now: Instant, beginning: Beginning): Step {
  const settled = settle(timer, now)
  const end = endOf(timer)
  const { timer: ended } = settled
  if (end === undefined || ended.status !== 'finished' || !beginning.plan.auto_start) return settled
  if (kindOf(ended.phase) !== 'focus' || ended.phase === undefined || now - end > asleep) return settled
  const { timer: started } = startBreak(ended, end, beginning)
  return { ...settled, timer: started }
}

/** The focus until now, as a completed run; undefined if nothing was started, or during a break. */
export function begunRun(timer: FocusTimer, now: Instant): Focused | undefined {
  const { timer: paused, focused } = pause(timer, now)
  if (focused) return focused
  return paused.status === 'paused' && !isBreak(paused.phase) ? focusedOf(paused) : undefined
}

/** The run of a focus phase that has ended; undefined in any other state. */
export function endedFocusOf(timer: FocusTimer): Run | undefined {
  return timer.status === 'finished' && !isBreak(timer.phase) ? timer.run : undefined
}

/** The same timer by a clock that is `by` milliseconds ahead of the timer's own clock. */
export function shifted(timer: FocusTimer, by: number): FocusTimer {
  return moved(timer, (at) => at + by)
}

/** The same timer with `move` applied to all its instants, to follow another clock. */
export function moved(timer: FocusTimer, move: (at: Instant) => Instant): FocusTimer {
  if (timer.status === 'idle') {
    const { cycle, recorded } = timer
    return {
      ...timer,
      ...(cycle && { cycle: { ...cycle, ended: move(cycle.ended) } }),
      ...(recorded && { recorded: movedStretches(recorded, move) }),
    }
  }
  const run = movedRun(timer.run, move)
  return timer.status === 'running' ? { ...timer, run, since: move(timer.since) } : { ...timer, run }
}

export function shiftedRun<Kind extends Run>(run: Kind, by: number): Kind {
  return movedRun(run, (at) => at + by)
}

function movedRun<Kind extends Run>(run: Kind, move: (at: Instant) => Instant): Kind {
  const { stretches, recorded } = run
  return {
    ...run,
    stretches: movedStretches(stretches, move),
    ...(recorded && { recorded: movedStretches(recorded, move) }),
  }
}

function movedStretches(stretches: readonly Stretch[], move: (at: Instant) => Instant): Stretch[] {
  return stretches.map(({ from, to }) => ({ from: move(from), to: move(to) }))
}

/** Whether the run has at least one second to record. */
export function isRecordable(run: Run): boolean {
  return focusedFor(run) >= 1_000
}

/**
 * The break after a phase that has ended. After counting up, it is a fifth of the focus. Otherwise it goes by the plan, with a
 * long break after every `plan.every` focus phases.
 */
function breakAfter({ phase, run }: { phase?: Phase | undefined; run: Run }) {
  return (plan: FocusPlan): Pick<BreakPhase, 'kind' | 'minutes'> => {
    if (kindOf(phase) === 'flow') {
      const fifth = Math.floor(focusedFor(run) / minute / 5)
      return { kind: 'break', minutes: Math.max(1, fifth) }
    }
    const focused = (phase?.focused ?? 0) + 1
    return focused % plan.every === 0
      ? { kind: 'long_break', minutes: plan.long_break }
      : { kind: 'break', minutes: plan.break }
  }
}

/** How many focus phases of the cycle are completed at this instant. */
function completedInCycle(timer: FocusTimer, now: Instant): number {
  const { timer: settled } = settle(timer, now)
  if (settled.status === 'running' || settled.status === 'paused') return settled.phase?.focused ?? 0
  const resting = settled.status === 'idle' ? settled.cycle : cycleAfter(settled, now)
  return resting && !isOverdue(resting, now) ? resting.focused : 0
}

type Started =
  | Pick<FocusPhase, 'kind' | 'minutes'>
  | Pick<BreakPhase, 'kind' | 'minutes'>
  | Pick<FlowPhase, 'kind' | 'minutes'>

function focusPhase(plan: FocusPlan, next: 'flow' | undefined): Started {
  return next === 'flow' ? { kind: 'flow', minutes: null } : { kind: 'focus', minutes: plan.focus }
}

function begun(
  timer: FocusTimer,
  now: Instant,
  { plan, id, ahead }: Beginning,
  phaseOf: (plan: FocusPlan, next: 'flow' | undefined) => Started,
): Step {
  if (timer.status !== 'idle') return { timer }
  const { follows, before, recorded, cycle: rested, next, subject } = timer
  const cycle = rested && !isOverdue(rested, now) ? rested : undefined
  const number = (cycle?.number ?? 0) + 1
  const place = { cycle: cycle?.id ?? id, number, focused: cycle?.focused ?? 0 }
  const phase: Phase = { ...phaseOf(plan, next), ...place }
  const run: Run = {
    id: cycle ? laterRunId(cycle.id, number, now + ahead) : id,
    follows,
    before,
    recorded,
    stretches: [],
  }
  return running({ run, phase, plan, next, subject }, now)
}

function isOverdue({ ended }: RestingCycle, now: Instant): boolean {
  return now - ended > longestRest
}

/** Completed focus counts in its cycle. Focus that was reset, saved early or skipped does not. */
function cycleAfter(timer: Exclude<FocusTimer, Idle>, now: Instant): RestingCycle | undefined {
  const { phase, run, status } = timer
  if (!phase) return undefined
  const completed = status === 'finished' && !isBreak(phase)
  const focused = phase.focused + (completed ? 1 : 0)
  // A rest begins when the person pauses.
  const ended = status === 'running' ? now : (run.stretches.at(-1)?.to ?? now)
  return { id: phase.cycle, number: phase.number, focused, ended }
}

/** The timer after the phase was ended or discarded. `saved` is the run that was recorded, if any. */
function atRest(timer: FocusTimer, now: Instant, saved: Run | undefined = endedFocusOf(timer)): FocusTimer {
  if (timer.status === 'idle') return timer
  const { run, next, subject } = timer
  const cycle = cycleAfter(timer, now)
  const before = [run.follows, ...(run.before ?? [])].filter((id) => id !== undefined).slice(0, runsKept)
  const recorded = [...(run.recorded ?? []), ...(saved?.stretches ?? [])].slice(-stretchesKept)
  return {
    status: 'idle',
    follows: run.id,
    before: before.length > 0 ? before : undefined,
    recorded: recorded.length > 0 ? recorded : undefined,
    // Drop a cycle in which no focus was completed.
    cycle: cycle && cycle.focused > 0 ? cycle : undefined,
    next,
    subject,
  }
}

function isSetBack(timer: FocusTimer, now: Instant): boolean {
  return timer.status === 'running' && now < timer.since - slack
}

function lengthShown(timer: FocusTimer, plan: FocusPlan): number {
  if (timer.status === 'idle') return timer.next === 'flow' ? 0 : plan.focus * minute
  return kindOf(timer.phase) === 'flow' ? 0 : lengthOf(timer.phase)
}

function endOfRunning({
  run,
  since,
  phase,
}: {
  run: Run
  since: Instant
  phase?: Phase | undefined
}): Instant {
  return since + lengthOf(phase) - focusedFor(run)
}

/**
 * Milliseconds for which a phase stays open after its end. Only a phase that counts up has any: the time to answer 'Still
 * focusing?', cut short so that no session exceeds a day.
 */
function grace(phase: Phase | undefined): number {
  return kindOf(phase) === 'flow' ? Math.min(answerWithin, wholeDay - lengthOf(phase)) : 0
}

function isAsking(timer: FocusTimer, now: Instant): boolean {
  return (
    timer.status === 'running' &&
    kindOf(timer.phase) === 'flow' &&
    now >= endOfRunning(timer) &&
    !isOver(timer, now)
  )
}

function answered<Timer extends FocusTimer & { status: 'running' }>(timer: Timer, now: Instant): Timer {
  const { phase } = timer
  if (phase?.kind !== 'flow' || !isAsking(timer, now)) return timer
  return { ...timer, phase: { ...phase, answered: (phase.answered ?? 0) + 1 } }
}

function running({ run, phase, plan, next, subject }: Underway, now: Instant): Step {
  return {
    timer: { status: 'running', run: endingBefore(run, now), since: now, phase, plan, next, subject },
  }
}

/** If the clock was set back, moves the earlier stretches back too, so that no minute is in two stretches. */
function endingBefore(run: Run, now: Instant): Run {
  const late = (run.stretches.at(-1)?.to ?? now) - now
  if (late <= 0) return run
  return shiftedRun(run, -late)
}

function endedRun(run: Run, from: Instant, to: Instant): Run {
  return to > from ? { ...run, stretches: [...run.stretches, { from, to }] } : run
}

function focusedOf({ run, phase, subject }: Underway): Focused {
  return { ...run, kind: kindOf(phase) === 'flow' ? 'flow' : 'countdown', subject }
}

function isSameSubject(one: FocusSubject | undefined, other: FocusSubject | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isOver(timer: FocusTimer, now: Instant): boolean {
  return timer.status === 'running' && now >= endOfRunning(timer) + grace(timer.phase)
}

function elapsed(timer: FocusTimer, now: Instant): number {
  if (timer.status === 'idle') return 0
  const before = focusedFor(timer.run)
  if (timer.status !== 'running') return before
  const passed = before + Math.max(0, now - timer.since)
  return Math.min(passed, isOver(timer, now) ? lengthOf(timer.phase) : Number.POSITIVE_INFINITY)
}
