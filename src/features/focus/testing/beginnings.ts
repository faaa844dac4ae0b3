import { defaultPlan, type FocusPlan } from '../plan/focus-plan.ts'
import type { Beginning } from '../timer/timer.ts'

/** What a new phase needs besides the timer, for tests. If the phase begins a cycle, its run gets this `id`. */
export function by(id: string, plan: Partial<FocusPlan> = {}, ahead = 0): Beginning {
  return { id, plan: { ...defaultPlan, ...plan }, ahead }
}

/** The instant at which tests begin. */
export const nine = Date.UTC(2026, 10, 20, 9)
export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
