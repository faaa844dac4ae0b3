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

/** Unanswered for this long, it ended when it asked. */
const answerWithin = 15 * minute
const mostMinutes = 1_440

/** Whoever rests for longer than this has finished the cycle: what they start is the first phase of another one. */
const longestRest = 120 * minute

/** An end noticed later than this was slept through: no break begins by itself. */
export const asleep = 10_000

interface Chosen {
  /** The next focus counts up. */
  next?: 'flow' | undefined
  /** What the focus is about; during a break, the one after it. */
  subject?: FocusSubject | undefined
}

interface Underway extends Chosen {
  run: Run
  /** Undefined in a run that a program started without one: it is focus of 25 minutes, in no cycle. */
  phase?: Phase | undefined
  /** As it was when the phase began: changing it touches no phase that runs. */
  plan?: FocusPlan | undefined
}

/** What is known of the cycle between two phases. */
interface RestingCycle {
  id: string
  /** Of the last phase. */
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
 * Stored as instants, never as the time left: that keeps it right after a reload, after sleep and in a tab that may not
 * tick.
 */
export type FocusTimer =
  | Idle
  | ({ status: 'running'; since: Instant } & Underway)
  | ({ status: 'paused' } & Underway)
  | ({ status: 'finished' } & Underway)

/** What a new phase is made of, besides the timer. */
export interface Beginning {
  /** The person's plan now. */
  plan: FocusPlan
  /** For the run that begins a cycle. */
  id: string
  /** How far the server's clock is ahead: the ids of later runs go by it. */
  ahead: number
}

/** A run that ended, with what its session says of it. */
export interface Focused extends Run {
  kind: 'countdown' | 'flow'
  subject?: FocusSubject | undefined
}

export interface Step {
  timer: FocusTimer
  /** A run of focus that ended with this step and must be recorded in the same write that stores the step. */
  focused?: Focused
  /** A recorded run that turned out to be about something else, to be changed in the same write. */
  renamed?: { id: string; subject: FocusSubject | undefined }
}

export interface Shown {
  status: FocusTimer['status']
  kind: Phase['kind']
  /** Whole seconds until the end; 0 in a phase that counts up. */
  secondsLeft: number
  /** Whole seconds since the start, without pauses. */
  secondsPassed: number
  /** The length of the phase in seconds; 0 in one that counts up. */
  length: number
  /** Counting up, it wants to know whether the person is still going. */
  asks: boolean
  /** How many phases of focus were completed in the cycle. */
  completed: number
}

/** A run that a reset discarded. */
export interface Dropped extends Underway {
  running: boolean
}

/** The timer of a user who never started one. */
export const idle: FocusTimer = { status: 'idle' }

/** Two correct clocks may differ by this much: a start no further ahead was not made by a wrong clock. */
const slack = 2_000
/** Enough to recognize the run that a device had before it slept through a morning. */
const runsKept = 24
const stretchesKept = 2 * runsKept

/** What the screen shows at this instant, whether or not anybody saw the phase end. `plan` is the person's plan now. */
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

/** When a running timer ends if nothing is pressed; undefined while it is not running. */
export function endOf(timer: FocusTimer): Instant | undefined {
  return timer.status === 'running' ? endOfRunning(timer) : undefined
}

/** Begins to focus, or continues what is paused. A phase that has ended is followed by `startBreak` or `startFocus`. */
export function start(timer: FocusTimer, now: Instant, beginning: Beginning): Step {
  if (timer.status === 'idle') return begun(timer, now, beginning, focusPhase)
  if (timer.status === 'paused') return running(timer, now)
  return settle(timer, now)
}

/** Begins the break after a phase of focus that has ended. */
export function startBreak(timer: FocusTimer, now: Instant, beginning: Beginning): Step {
  const settled = settle(timer, now)
  const { timer: ended } = settled
  if (ended.status !== 'finished' || isBreak(ended.phase)) return settled
  const { timer: started } = begun(atRest(ended, now), now, beginning, breakAfter(ended))
  return { ...settled, timer: started }
}

/** Begins the next phase of focus: after one that has ended, or in place of what is left of the break. */
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
  // Whoever pauses is there.
  const { since, run, ...rest } = answered(settled.timer, now)
  return { timer: { ...rest, status: 'paused', run: endedRun(run, since, now) } }
}

/** Goes back to the start from any state, and ends a break. A run of focus that was over by now is recorded all the same. */
export function reset(timer: FocusTimer, now: Instant): Step {
  const settled = settle(timer, now)
  return { ...settled, timer: atRest(settled.timer, now) }
}

/** The run that a reset at this instant would discard; undefined if nothing would be lost. */
export function droppedBy(timer: FocusTimer, now: Instant): Dropped | undefined {
  const { timer: paused } = pause(timer, now)
  if (paused.status !== 'paused') return undefined
  const { status, ...underway } = paused
  return { ...underway, running: timer.status === 'running' }
}

/** Continues a discarded run as it was at the reset: the time since then was not focused. It never replaces another run. */
export function takeBack(timer: FocusTimer, now: Instant, { running: ran, ...underway }: Dropped): Step {
  if (timer.status !== 'idle') return settle(timer, now)
  return ran ? running(underway, now) : { timer: { status: 'paused', ...underway } }
}

/**
 * Records what was focused so far and starts over; what counts up has ended, and a break is due. Before the first whole
 * second there is nothing to record, and the timer stays as it is.
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

/** Records what is left when a person signs out, even if the run is paused. */
export function leave(timer: FocusTimer, now: Instant): Step {
  const { timer: paused, focused } = pause(timer, now)
  if (focused) return { timer: atRest(paused, now), focused }
  if (paused.status !== 'paused' || isBreak(paused.phase) || !isRecordable(paused.run)) {
    return { timer: atRest(paused, now) }
  }
  const left = focusedOf(paused)
  return { timer: atRest(paused, now, left), focused: left }
}

/** Makes a break this much longer. */
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

/** Answers what a timer that counts up asks. */
export function stillGoing(timer: FocusTimer, now: Instant): Step {
  const settled = settle(timer, now)
  if (settled.timer.status !== 'running' || !isAsking(settled.timer, now)) return settled
  return { timer: answered(settled.timer, now) }
}

/** Whether the next focus counts up. */
export function chooseCounting(timer: FocusTimer, next: 'flow' | undefined): Step {
  return timer.next === next ? { timer } : { timer: { ...timer, next } }
}

/** What the focus is about, even if it has just ended; during a break, the one after it. */
export function chooseSubject(timer: FocusTimer, subject: FocusSubject | undefined): Step {
  if (isSameSubject(timer.subject, subject)) return { timer }
  const recorded = endedFocusOf(timer)
  return { timer: { ...timer, subject }, ...(recorded && { renamed: { id: recorded.id, subject } }) }
}

/**
 * The phase that ended by itself between two timers: the second one stands at its end, or is the break that began with
 * that. One that a press ended is none.
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
 * Ends a run at its end, however much later that is noticed: never with more than the length of its phase. If the clock
 * was set back behind the last start, the run continues from now with what it had before.
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
 * What a device that is awake makes of the end: if the person wants that, the break begins with the end of the focus.
 * Whoever slept through the end finds the break still to be begun.
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

/** What was focused until now, as a completed run; undefined if nothing has been started, or a break. */
export function begunRun(timer: FocusTimer, now: Instant): Focused | undefined {
  const { timer: paused, focused } = pause(timer, now)
  if (focused) return focused
  return paused.status === 'paused' && !isBreak(paused.phase) ? focusedOf(paused) : undefined
}

/** A run of focus that has ended; undefined unless one has just done that. */
export function endedFocusOf(timer: FocusTimer): Run | undefined {
  return timer.status === 'finished' && !isBreak(timer.phase) ? timer.run : undefined
}

/** The same timer by a clock that is `by` milliseconds ahead of the timer's own. */
export function shifted(timer: FocusTimer, by: number): FocusTimer {
  return moved(timer, (at) => at + by)
}

/** The same timer with its instants where they stand by another clock. */
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

/** Whether there is at least a second to record. */
export function isRecordable(run: Run): boolean {
  return focusedFor(run) >= 1_000
}

/** The break that is due after a phase that has ended: of what counted up a fifth, and a long one after every so many. */
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

/** How many phases of focus were completed in the cycle as it is at this instant. */
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

/** Focus that was completed counts in its cycle; what was reset, saved early or skipped does not. */
function cycleAfter(timer: Exclude<FocusTimer, Idle>, now: Instant): RestingCycle | undefined {
  const { phase, run, status } = timer
  if (!phase) return undefined
  const completed = status === 'finished' && !isBreak(phase)
  const focused = phase.focused + (completed ? 1 : 0)
  // Whoever pauses rests from then on.
  const ended = status === 'running' ? now : (run.stretches.at(-1)?.to ?? now)
  return { id: phase.cycle, number: phase.number, focused, ended }
}

/** `saved`: what was recorded of the run. */
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
    // A cycle in which nothing was completed is none.
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

/** How long after its end a phase is over: as long as it waits for an answer, but for no longer than a session may be. */
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

/** When the clock is set back, the earlier stretches move back with it, so that no minute is in two stretches. */
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
