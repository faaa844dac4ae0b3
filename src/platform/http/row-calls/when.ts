import { type Day, type Instant, latestDayAnywhere } from '#platform/calendar/day.ts'
import { latestInstant } from '#platform/database/rows/later-changes.ts'
import { type ErrorResponse, errorResponse } from '../request/error-response.ts'

/**
 * The instant to store for a change. A device whose clock runs ahead must neither lose its write nor win over every later change.
 * So a future instant becomes now, or the instant of the change that it follows (`later-writes.ts`).
 */
export function instantOf(at: Instant | undefined, now: Instant): Instant {
  const latest = latestInstant() ?? now
  return Math.min(at ?? latest, latest)
}

/**
 * Like `instantOf`, for a change to a row that may be deleted. A change with a time after the deletion brings the row back.
 * A change without a time is made now, by a client that can be told that the row is gone.
 */
export function madeAt(at: Instant | undefined, now: Instant): { at: Instant; revives: boolean } {
  return { at: instantOf(at, now), revives: at !== undefined }
}

/**
 * Refuses a `field` that names a day which has not started anywhere yet. A change with a time (`at`) is not refused: it must not
 * be lost only because its device's clock runs far ahead. Its day is left out instead (`dayThatIs`).
 */
export function refuseFutureDay(
  field: string,
  day: Day | undefined,
  now: Instant,
  at?: Instant,
): ErrorResponse | undefined {
  if (at !== undefined || dayThatIs(day, now) === day) return undefined
  return refuseField(field, "This day hasn't started in any time zone yet.")
}

/** Returns the day, or undefined if it has not started anywhere yet. */
export function dayThatIs(day: Day | undefined, now: Instant): Day | undefined {
  return day !== undefined && day <= latestDayAnywhere(now) ? day : undefined
}

export function refuseField(field: string, message: string): ErrorResponse {
  return errorResponse(400, 'INVALID_INPUT', message, { fields: { [field]: message } })
}
