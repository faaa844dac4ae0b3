import { addDays, type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import { firstDayOfWeek, type WeekStart, weekOfNumber } from '#platform/calendar/week.ts'
import type { Frequency } from '../rhythm/rhythm.ts'
import type { PeriodCounts } from '../strength/completion-rate.ts'

export type { Frequency } from '../rhythm/rhythm.ts'

/** Decides which period a day belongs to. */
export interface Rhythm {
  frequency: Frequency
  weekStart: WeekStart
}

/** A summary of the completions before `from`, the first day of a period. With it, only later completions must be read. */
export interface Earlier {
  from: Day
  /** The number of consecutive completed periods that end right before `from`. */
  run: number
  longest: number
}

/**
 * The number of consecutive completed periods that end with today's period or the one before. The streak goes on while today's
 * period is not completed yet. A completion after today, as after a flight west, counts as if today were that day.
 * `completedDays` may be in any order; with `earlier`, they are those since `earlier.from`.
 */
export function currentStreak(
  completedDays: readonly Day[],
  today: Day,
  rhythm: Rhythm,
  earlier?: Earlier,
): number {
  const periods = completedPeriods(completedDays, rhythm)
  const boundary = earlier && periodOf(earlier.from, rhythm)
  const last = periods.at(-1) ?? (earlier && earlier.run > 0 ? periodOf(earlier.from, rhythm) - 1 : undefined)
  if (last === undefined || last < periodOf(today, rhythm) - 1) return 0

  let streak = 0
  while (streak < periods.length && periods[periods.length - 1 - streak] === last - streak) streak += 1
  return boundary === last - streak + 1 ? streak + (earlier?.run ?? 0) : streak
}

/** The longest run of consecutive periods with a completion, ever. */
export function longestStreak(completedDays: readonly Day[], rhythm: Rhythm, earlier?: Earlier): number {
  let longest = earlier?.longest ?? 0
  let run = earlier?.run ?? 0
  let previous = earlier ? periodOf(earlier.from, rhythm) - 1 : Number.NaN
  for (const period of completedPeriods(completedDays, rhythm)) {
    run = period === previous + 1 ? run + 1 : 1
    longest = Math.max(longest, run)
    previous = period
  }
  return longest
}

/** Whether there is a completion in today's period. */
export function isCompleted(completedDays: readonly Day[], today: Day, rhythm: Rhythm): boolean {
  const period = periodOf(today, rhythm)
  return completedDays.some((day) => periodOf(day, rhythm) === period)
}

/**
 * Counts the periods from the later of `from` and the habit's start day up to `to`; periods at both ends count whole. Today's
 * period is due only once it is completed; later periods never are.
 */
export function countPeriods(
  completedDays: readonly Day[],
  range: { from: Day; to: Day },
  startDay: Day,
  today: Day,
  rhythm: Rhythm,
): PeriodCounts {
  const firstDay = range.from > startDay ? range.from : startDay
  if (range.to < firstDay) return { done: 0, due: 0 }

  const first = periodOf(firstDay, rhythm)
  const current = periodOf(today, rhythm)
  const last = Math.min(periodOf(range.to, rhythm), current)
  const done = completedPeriods(completedDays, rhythm).filter((period) => period >= first && period <= last)
  const due = Math.max(0, last - first + 1)
  const todayIsOpen = due > 0 && last === current && done.at(-1) !== current
  return { done: done.length, due: todayIsOpen ? due - 1 : due }
}

/** The range that a listed habit's rate covers: 30 days, or 12 weeks including the current one. */
export function rateRange(today: Day, rhythm: Rhythm): { from: Day; to: Day } {
  const periodsBack = rhythm.frequency === 'daily' ? 29 : 11
  return { from: firstDayOfPeriod(periodOf(today, rhythm) - periodsBack, rhythm), to: today }
}

/** The first day of the period that contains `day`. */
export function periodStart(day: Day, rhythm: Rhythm): Day {
  return firstDayOfPeriod(periodOf(day, rhythm), rhythm)
}

/** The last day of the period that contains `day`. */
export function periodEnd(day: Day, rhythm: Rhythm): Day {
  return addDays(firstDayOfPeriod(periodOf(day, rhythm) + 1, rhythm), -1)
}

/** Sums up the completions before the period of `day`. With `earlier`, `completedDays` are those since `earlier.from`. */
export function sumUpBefore(
  completedDays: readonly Day[],
  day: Day,
  rhythm: Rhythm,
  earlier?: Earlier,
): Earlier {
  const from = periodStart(day, rhythm)
  if (earlier && from <= earlier.from) return earlier
  const before = completedDays.filter((completed) => completed < from)
  // Seen from the first day of the next period, the run that ends right before it is the current streak.
  return {
    from,
    run: currentStreak(before, from, rhythm, earlier),
    longest: longestStreak(before, rhythm, earlier),
  }
}

function periodOf(day: Day, rhythm: Rhythm): number {
  return periodOfNumber(dayNumber(day), rhythm)
}

function periodOfNumber(day: number, { frequency, weekStart }: Rhythm): number {
  return frequency === 'daily' ? day : weekOfNumber(day, weekStart)
}

function firstDayOfPeriod(period: number, rhythm: Rhythm): Day {
  return rhythm.frequency === 'daily' ? dayFromNumber(period) : firstDayOfWeek(period, rhythm.weekStart)
}

function completedPeriods(completedDays: readonly Day[], rhythm: Rhythm): number[] {
  return [...new Set(completedDays.map((day) => periodOf(day, rhythm)))].sort((a, b) => a - b)
}
