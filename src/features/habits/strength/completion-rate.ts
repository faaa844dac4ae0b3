import { type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import { firstOfMonth } from '#platform/calendar/month.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { firstDayOfWeek, weekOfNumber } from '#platform/calendar/week.ts'
import type { HabitTrack } from '../rhythm/habit-track.ts'
import { type PeriodResult, resultsBetween } from '../rhythm/period-result.ts'
import { meanPeriodDays, periodKindOf, spanOn } from '../rhythm/rhythm.ts'

/** The numbers of done and due periods, so that a rate can always show its counts. */
export interface PeriodCounts {
  done: number
  due: number
}

/**
 * Counts the periods with at least one day in the range; periods at the ends count whole. A period that is not over is due only
 * if it is done.
 */
export function countResults(track: HabitTrack, range: DayRange, today: Day): PeriodCounts {
  const now = dayNumber(today)
  const to = Math.min(dayNumber(range.to), now)
  return countsOf(resultsBetween(track, dayNumber(range.from), to, now))
}

export function countsOf(results: readonly PeriodResult[]): PeriodCounts {
  const done = results.filter(({ result }) => result === 'done').length
  return { done, due: done + results.filter(({ result }) => result === 'failed').length }
}

/**
 * The range that a listed habit's rate covers: 12 months if its periods are months, 30 days if they are shorter than a week,
 * otherwise 12 weeks.
 */
export function listedRateRange(track: HabitTrack, today: Day): DayRange {
  const now = dayNumber(today)
  const { rhythm, target } = spanOn(track.spans, now)
  if (periodKindOf(rhythm, target) === 'month') return { from: firstOfMonth(today, -11), to: today }
  if (meanPeriodDays(rhythm, target) < 7) return { from: dayFromNumber(now - 29), to: today }
  return { from: firstDayOfWeek(weekOfNumber(now, track.weekStart) - 11, track.weekStart), to: today }
}
