import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'
import { type DayValue, type MetricValue, sumOf } from '../metrics/day-value.ts'
import type { Unit } from '../metrics/range-days.ts'

/** Consecutive days and their total. The range may cut off the first and the last group. */
export type Group = DayRange & MetricValue

/** Groups days into units, in order. Each day is in exactly one group. */
export function groupDays(days: readonly DayValue[], unit: Unit, weekStart: WeekStart): Group[] {
  const groups = new Map<Day, DayValue[]>()
  for (const value of days) {
    const first = firstDayOf(unit, value.day, weekStart)
    const group = groups.get(first)
    if (group) group.push(value)
    else groups.set(first, [value])
  }
  return [...groups].map(([first, group]) => ({
    from: group[0]?.day ?? first,
    to: group.at(-1)?.day ?? first,
    ...sumOf(group),
  }))
}

function firstDayOf(unit: Unit, day: Day, weekStart: WeekStart): Day {
  if (unit === 'day') return day
  if (unit === 'week') return firstDayOfWeek(weekNumber(day, weekStart), weekStart)
  return addDays(day, 1 - Number(day.slice(8)))
}
