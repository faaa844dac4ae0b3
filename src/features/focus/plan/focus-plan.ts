import * as z from 'zod/mini'

/** The longest phases, in minutes, and the most sessions before a long break. */
export const planLimits = { focus: 240, break: 120, every: 12 }

function minutes(most: number) {
  return z
    .int('Expected whole minutes')
    .check(z.minimum(1, 'Expected at least 1 minute'), z.maximum(most, `Expected at most ${most} minutes`))
}

/** The lengths of focus and breaks, in minutes. A phase keeps the plan that it began with. */
export const focusPlanSchema = z.object({
  focus: minutes(planLimits.focus),
  break: minutes(planLimits.break),
  long_break: minutes(planLimits.break),
  /** The number of focus phases before a long break. */
  every: z
    .int('Expected a whole number of sessions')
    .check(
      z.minimum(1, 'Expected at least 1 session'),
      z.maximum(planLimits.every, `Expected at most ${planLimits.every} sessions`),
    ),
  /** Whether breaks begin by themselves. They do so only while a device is awake. */
  auto_start: z.boolean(),
})
export type FocusPlan = z.infer<typeof focusPlanSchema>

export const defaultPlan: FocusPlan = { focus: 25, break: 5, long_break: 15, every: 4, auto_start: false }

export function isSamePlan(one: FocusPlan, other: FocusPlan): boolean {
  return (
    one.focus === other.focus &&
    one.break === other.break &&
    one.long_break === other.long_break &&
    one.every === other.every &&
    one.auto_start === other.auto_start
  )
}

/** The plan as shown beside the ring: '25 · 5 · long 15 after 4'. */
export function formatPlan(plan: FocusPlan): string {
  return `${plan.focus} · ${plan.break} · long ${plan.long_break} after ${plan.every}`
}
