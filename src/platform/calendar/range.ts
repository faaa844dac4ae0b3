import * as z from 'zod/mini'
import { addDays, type Day, dayNumber, daySchema } from '#platform/calendar/day.ts'

/** A stretch of days, both ends included. */
export interface DayRange {
  from: Day
  to: Day
}

export const rangeSchema = z.object({ from: z.optional(daySchema), to: z.optional(daySchema) })

const defaultDays = 30
const longestDays = 3_660

/**
 * The range asked for, the last 30 days where an end was left out, or why it cannot be answered.
 * An answer that names every day of it has a `longest` range; one that names only what there is needs none.
 */
export function rangeOf(
  asked: z.output<typeof rangeSchema>,
  today: Day,
  longest = longestDays,
): DayRange | { problem: string } {
  const to = asked.to ?? later(today, asked.from)
  const from = asked.from ?? addDays(to, 1 - defaultDays)
  if (from > to) return { problem: 'The range ends before it begins' }
  if (dayNumber(to) - dayNumber(from) >= longest) {
    return {
      problem: `A range can span at most ${longest === longestDays ? 'ten years' : `${longest} days`}`,
    }
  }
  return { from, to }
}

function later(today: Day, from: Day | undefined): Day {
  return from !== undefined && from > today ? from : today
}
