import * as z from 'zod/mini'

const [longestFocus, longestBreak, mostSessions] = [240, 120, 12]

function minutes(most: number) {
  return z
    .int('Expected whole minutes')
    .check(z.minimum(1, 'Expected at least 1 minute'), z.maximum(most, `Expected at most ${most} minutes`))
}

/** How long focus and breaks are. A phase keeps the plan with which it began. */
export const focusPlanSchema = z.object({
  focus: minutes(longestFocus),
  break: minutes(longestBreak),
  long_break: minutes(longestBreak),
  /** After how many phases of focus the break is a long one. */
  every: z
    .int('Expected a whole number of sessions')
    .check(
      z.minimum(1, 'Expected at least 1 session'),
      z.maximum(mostSessions, `Expected at most ${mostSessions} sessions`),
    ),
  /** Whether breaks begin by themselves, which they do only while a device is awake. */
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
