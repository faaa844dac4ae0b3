import type { Instant } from '#platform/calendar/day.ts'
import { defaultPlan } from '../plan/focus-plan.ts'

/** A part of a run in which the timer ran without a pause. */
export interface Stretch {
  from: Instant
  to: Instant
}

/** One phase from its start on. Pauses are the gaps between its stretches. */
export interface Run {
  /** Created when the run starts. The focus session gets the same id, so that a run is recorded only once. */
  id: string
  /** The run before this one, as far as the device that started this run knew. */
  follows?: string | undefined
  /** The runs before `follows`, the latest first. Only the last few are kept. */
  before?: string[] | undefined
  /** The recorded stretches of `follows` and the runs before it, the latest last. Only the last few are kept. */
  recorded?: Stretch[] | undefined
  /** The completed stretches, in order and without overlap. */
  stretches: Stretch[]
}

interface PlaceInCycle {
  /** The id of the run that began the cycle. */
  cycle: string
  /** The place of the phase in its cycle, counted from 1. */
  number: number
  /** How many focus phases of the cycle were completed before this phase. */
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

/** Focus that counts up. */
export interface FlowPhase extends PlaceInCycle {
  kind: 'flow'
  minutes: null
  /** How often the person answered 'Still going'. */
  answered?: number | undefined
}

export type Phase = FocusPhase | BreakPhase | FlowPhase

export const minute = 60_000
/** Milliseconds of a run without a phase, which only a client of the API starts: 25 minutes. */
export const runLength = defaultPlan.focus * minute

/** The longest session, in milliseconds. */
export const wholeDay = 1_440 * minute
/**
 * Counting up never ends by itself. After this many milliseconds the timer asks whether the person is still focusing, and again
 * equally long after each answer.
 */
const asksAfter = 240 * minute

/** Focused milliseconds of a run, without pauses. */
export function focusedFor({ stretches }: Run): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** The most milliseconds that a run of this phase may last. */
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

/** Milliseconds after which the phase is over, or asks whether the person is still focusing. */
export function lengthOf(phase: Phase | undefined): number {
  if (!phase) return runLength
  if (phase.kind !== 'flow') return phase.minutes * minute
  return Math.min(wholeDay, ((phase.answered ?? 0) + 1) * asksAfter)
}
