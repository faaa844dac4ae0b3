import { type Day, type Instant, latestDayAnywhere } from '#platform/calendar/day.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A device whose clock runs ahead must not lose the write, nor win over every later one: the future is taken as now. */
export function instantOf(at: Instant | undefined, now: Instant): Instant {
  return Math.min(at ?? now, now)
}

/** Refuses the `field` of a body that names a day which is not there yet, anywhere. */
export function refuseFutureDay(field: string, day: Day | undefined, now: Instant): Refusal | undefined {
  if (day === undefined || day <= latestDayAnywhere(now)) return undefined
  return refuseField(field, 'This day is not there yet, anywhere.')
}

export function refuseField(field: string, message: string): Refusal {
  return refuse(400, 'INVALID_INPUT', message, { fields: { [field]: message } })
}
