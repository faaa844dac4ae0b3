import type { Instant } from '#platform/calendar/day.ts'
import { defaultPlan } from '../plan/focus-plan.ts'

/** A part of a run in which the timer ran without a pause. */
export interface Stretch {
  from: Instant
  to: Instant
}

/** One phase from its start on, without pauses. */
export interface Run {
  /** Created at the start; it becomes the id of the focus session, so that a run is recorded only once. */
  id: string
  /** The run that ended before this one started: whoever started this one knew of it. */
  follows?: string | undefined
  /** The runs before that one, the latest first, as many as are kept. */
  before?: string[] | undefined
  /** When those runs were focused, as far as they were recorded, the latest last, as many stretches as are kept. */
  recorded?: Stretch[] | undefined
  /** The completed stretches, in order and without overlap. */
  stretches: Stretch[]
}

interface PlaceInCycle {
  /** The run that began the cycle. */
  cycle: string
  /** Counts the phases of the cycle, from 1. */
  number: number
  /** How many phases of focus were completed in the cycle before. */
  focused: number
}

export interface FocusPhase extends PlaceInCycle {
  kind: 'focus'
  minutes: number
}

export interface BreakPhase extends PlaceInCycle {
  kind: 'break' | 'long_break'
  minutes: number
}

/** Counts up. */
export interface FlowPhase extends PlaceInCycle {
  kind: 'flow'
  minutes: null
  /** How often the person answered that they are still going. */
  answered?: number | undefined
}

export type Phase = FocusPhase | BreakPhase | FlowPhase

export const minute = 60_000
/** The length of a run without a phase, as only a program starts one: 25 minutes. */
export const runLength = defaultPlan.focus * minute

/** No session is longer. */
export const wholeDay = 1_440 * minute
/** Counting up has no end of its own: after this long it asks, and again as long after each answer. */
const asksAfter = 240 * minute

/** Milliseconds, without pauses. */
export function focusedFor({ stretches }: Run): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** The most milliseconds that a run of this phase may have. */
export function longestOf(phase: Phase | undefined): number {
  return kindOf(phase) === 'flow' ? wholeDay : lengthOf(phase)
}

export function isBreak(phase: Phase | undefined): phase is BreakPhase {
  return phase !== undefined && isBreakKind(phase.kind)
}

export function isBreakKind(kind: Phase['kind']): boolean {
  return kind === 'break' || kind === 'long_break'
}

export function kindOf(phase: Phase | undefined): Phase['kind'] {
  return phase?.kind ?? 'focus'
}

/** After so many milliseconds a phase is over, or asks. */
export function lengthOf(phase: Phase | undefined): number {
  if (!phase) return runLength
  if (phase.kind !== 'flow') return phase.minutes * minute
  return Math.min(wholeDay, ((phase.answered ?? 0) + 1) * asksAfter)
}
