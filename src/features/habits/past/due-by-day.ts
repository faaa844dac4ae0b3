import { type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { type HabitTrack, isDoneDay } from '../rhythm/habit-track.ts'
import { firstDayThatCounts, type PeriodResult, resultsBetween } from '../rhythm/period-result.ts'
import { periodKindOf } from '../rhythm/rhythm.ts'

export interface DayOfHabits {
  day: Day
  completed: number
  due: number
}

/**
 * The days of the range on which a habit counts, in order. If a period asks for n times, each of its first n done days counts as
 * due once. The missing times count on the period's last day, once the period is over. A due day counts from its morning on. An
 * amount that is summed over a period counts once, on the day that reached it. A limit counts once its period is over. A period
 * with result `out` counts only on the days on which it was done.
 */
export function countedDays(track: HabitTrack, range: DayRange, today: Day): DayOfHabits[] {
  const [from, to, now] = [dayNumber(range.from), dayNumber(range.to), dayNumber(today)]
  const counted: DayOfHabits[] = []
  for (const result of resultsBetween(track, from, to, now)) {
    const done = doneDaysOf(track, result, now)
    const { last } = result.period
    const missing = missingOf(result, done.length, now)
    const days = done.map((day) => ({ day, completed: 1, due: 1 }))
    const atEnd = days.find(({ day }) => day === last)
    if (atEnd) atEnd.due += missing
    else if (missing > 0) days.push({ day: last, completed: 0, due: missing })
    for (const { day, completed, due } of days) {
      if (day >= from && day <= to) counted.push({ day: dayFromNumber(day), completed, due })
    }
  }
  return counted
}

/** The days on which a period was done, at most as many as it asks for. */
function doneDaysOf(
  track: HabitTrack,
  { period, counts, target, result }: PeriodResult,
  today: number,
): number[] {
  if (counts === 'at most') return result === 'done' ? [period.last] : []
  const days: number[] = []
  let sum = 0
  for (let day = firstDayThatCounts(track, period); day <= period.last; day += 1) {
    if (counts === 'times') {
      if (days.length < target && isDoneDay(track, day, today)) days.push(day)
      continue
    }
    const before = sum
    sum += track.amounts.get(day) ?? 0
    if (before < target && sum >= target) days.push(day)
  }
  return days
}

function missingOf({ period, counts, target, result }: PeriodResult, done: number, today: number): number {
  if (result === 'out' || result === 'done') return 0
  const isDueDay = periodKindOf(period.span.rhythm, period.span.target) === 'due day'
  const isDue = period.last < today || (isDueDay && period.last === today && counts !== 'at most')
  if (!isDue) return 0
  return counts === 'times' ? target - done : 1
}
