import { type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'

/** The weekday a week begins on: 1 is Monday, 7 is Sunday. */
export type WeekStart = 1 | 2 | 3 | 4 | 5 | 6 | 7

/** 1970-01-01 was a Thursday, three days into a week that begins on Monday. */
export const mondayOffset = 3

/** Weeks since the one that contains 1970-01-01; neighbouring weeks differ by one. */
export function weekNumber(day: Day, weekStart: WeekStart): number {
  return weekOfNumber(dayNumber(day), weekStart)
}

/** Like `weekNumber`, for a day given by its number. */
export function weekOfNumber(day: number, weekStart: WeekStart): number {
  return Math.floor((day + mondayOffset - (weekStart - 1)) / 7)
}

export function firstDayOfWeek(week: number, weekStart: WeekStart): Day {
  return dayFromNumber(week * 7 - mondayOffset + (weekStart - 1))
}

/** The weekday: 1 is Monday, 7 is Sunday. */
export function weekdayOf(day: Day): WeekStart {
  return (((((dayNumber(day) + mondayOffset) % 7) + 7) % 7) + 1) as WeekStart
}
