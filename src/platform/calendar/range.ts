import * as z from 'zod/mini'
import { addDays, type Day, dayNumber, daySchema } from '#platform/calendar/day.ts'

/** A range of days, both ends included. */
export interface DayRange {
  from: Day
  to: Day
}

export const rangeSchema = z.object({ from: z.optional(daySchema), to: z.optional(daySchema) })

const defaultDays = 30
const maxDays = 3_660

/**
 * The requested range, or the reason why it is not valid. A missing end is filled in with the last 30 days. `maxLength` is for
 * responses with an entry for every day of the range; responses that list only existing rows do not need it.
 */
export function rangeOf(
  requested: z.output<typeof rangeSchema>,
  today: Day,
  maxLength = maxDays,
): DayRange | { problem: string } {
  const to = requested.to ?? later(today, requested.from)
  const from = requested.from ?? addDays(to, 1 - defaultDays)
  if (from > to) return { problem: 'The range ends before it begins' }
  if (dayNumber(to) - dayNumber(from) >= maxLength) {
    return {
      problem: `A range can span at most ${maxLength === maxDays ? 'ten years' : `${maxLength} days`}`,
    }
  }
  return { from, to }
}

function later(today: Day, from: Day | undefined): Day {
  return from !== undefined && from > today ? from : today
}
