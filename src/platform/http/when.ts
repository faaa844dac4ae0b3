import { type Day, type Instant, latestDayAnywhere } from '#platform/calendar/day.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A device whose clock runs ahead must not lose the write, nor win over every later one: the future is taken as now. */
export function instantOf(at: Instant | undefined, now: Instant): Instant {
  return Math.min(at ?? now, now)
}

/**
 * The same for a change of a row that may be deleted: one that says when it was made, and that was after the deletion,
 * brings the row back. One that does not say so is asked now, by somebody who can be told that the row is gone.
 */
export function madeAt(at: Instant | undefined, now: Instant): { at: Instant; revives: boolean } {
  return { at: instantOf(at, now), revives: at !== undefined }
}

/**
 * Refuses the `field` of a body that names a day which is not there yet, anywhere. Not where the body says when the change
 * was made (`at`): that is a device whose clock runs far ahead, and its change is not lost for it (`dayThatIs`).
 */
export function refuseFutureDay(
  field: string,
  day: Day | undefined,
  now: Instant,
  at?: Instant,
): Refusal | undefined {
  if (at !== undefined || dayThatIs(day, now) === day) return undefined
  return refuseField(field, "This day hasn't started in any time zone yet.")
}

/** The day, unless it is not there yet, anywhere. */
export function dayThatIs(day: Day | undefined, now: Instant): Day | undefined {
  return day !== undefined && day <= latestDayAnywhere(now) ? day : undefined
}

export function refuseField(field: string, message: string): Refusal {
  return refuse(400, 'INVALID_INPUT', message, { fields: { [field]: message } })
}
