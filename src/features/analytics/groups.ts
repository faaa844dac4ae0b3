import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { firstDayOfWeek, type WeekStart, weekNumber } from '#platform/calendar/week.ts'
import { type DayFigure, type Figure, sumOf } from './day-figure.ts'
import type { Unit } from './range.ts'

/** Neighbouring days and what they came to together; the first and the last group may be cut by the range. */
export type Group = DayRange & Figure

/** Days in order, in groups in order: each day in exactly one. */
export function groupDays(days: readonly DayFigure[], unit: Unit, weekStart: WeekStart): Group[] {
  const groups = new Map<Day, DayFigure[]>()
  for (const figure of days) {
    const first = firstDayOf(unit, figure.day, weekStart)
    const group = groups.get(first)
    if (group) group.push(figure)
    else groups.set(first, [figure])
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
