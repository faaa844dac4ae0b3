import { type Day, dayNumber } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { isSummed, type RhythmRow, type RhythmSpan, spanOn, spansOf } from './rhythm.ts'

/** A range of days on which one habit, or every habit, is paused. */
export interface Pause {
  from_day: Day
  /** The last day of the pause; null until the habit is resumed. */
  to_day: Day | null
}

/** Everything that a habit's numbers are computed from. If the older days are summed up, contains only the days since then. */
export interface HabitDays {
  /** At least one row, in any order. */
  rows: readonly RhythmRow[]
  /** Days before `startDay` don't count, even if they were done. */
  startDay: Day
  /** The habit is not due from this day on; null if it is not archived. */
  archivedOn: Day | null
  states: ReadonlyMap<Day, 'done' | 'skipped'>
  /** The amounts of the days that have one, in thousandths (`amountOf`). */
  amounts: ReadonlyMap<Day, number>
  /** The pauses of this habit and of all habits, in any order. A pause that ends before it begins has no effect. */
  pauses: readonly Pause[]
  weekStart: WeekStart
}

/** The data of `HabitDays` prepared for counting, with days as numbers (`dayNumber`). */
export interface HabitTrack {
  spans: readonly RhythmSpan[]
  start: number
  done: ReadonlySet<number>
  skipped: ReadonlySet<number>
  amounts: ReadonlyMap<number, number>
  /** The earliest day with an amount. Before it, nobody knows whether a limit was kept. Infinity without any amount. */
  firstEntry: number
  /** Sorted ranges that do not overlap; overlapping pauses are merged. */
  pauses: readonly DayNumbers[]
  archived: number
  weekStart: WeekStart
  /** The latest day that is done or has an amount. After a flight west, it may be later than today. */
  latest: number
}

/** If the older days are summed up, pass the summary's `firstEntry`. */
export function trackOf(habit: HabitDays, firstEntry: Day | null = null): HabitTrack {
  const done = new Set<number>()
  const skipped = new Set<number>()
  let latest = Number.NEGATIVE_INFINITY
  for (const [day, state] of habit.states) {
    const number = dayNumber(day)
    if (state === 'skipped') skipped.add(number)
    else {
      done.add(number)
      latest = Math.max(latest, number)
    }
  }
  const amounts = new Map<number, number>()
  let first = firstEntry === null ? Number.POSITIVE_INFINITY : dayNumber(firstEntry)
  for (const [day, amount] of habit.amounts) {
    const number = dayNumber(day)
    amounts.set(number, amount)
    if (day >= habit.startDay) first = Math.min(first, number)
    latest = Math.max(latest, number)
  }
  return {
    spans: spansOf(habit.rows),
    start: dayNumber(habit.startDay),
    done,
    skipped,
    amounts,
    firstEntry: first,
    pauses: pausedRanges(habit.pauses),
    archived: habit.archivedOn === null ? Number.POSITIVE_INFINITY : dayNumber(habit.archivedOn),
    weekStart: habit.weekStart,
    latest,
  }
}

export type DayNumbers = readonly [first: number, last: number]

/** Caches its result: most habits share the same array of pauses, those of all habits. */
export function pausedRanges(pauses: readonly Pause[]): readonly DayNumbers[] {
  const known = rangesOf.get(pauses)
  if (known) return known
  const ranges = apartFromEachOther(pauses)
  rangesOf.set(pauses, ranges)
  return ranges
}

const rangesOf = new WeakMap<readonly Pause[], readonly DayNumbers[]>()

function apartFromEachOther(pauses: readonly Pause[]): DayNumbers[] {
  const ranges = pauses
    .map(
      ({ from_day, to_day }): DayNumbers => [
        dayNumber(from_day),
        to_day === null ? Number.POSITIVE_INFINITY : dayNumber(to_day),
      ],
    )
    .filter(([first, last]) => first <= last)
    .sort(([one], [other]) => one - other)
  const apart: DayNumbers[] = []
  for (const [first, last] of ranges) {
    const before = apart.at(-1)
    if (before && first <= before[1]) apart[apart.length - 1] = [before[0], Math.max(before[1], last)]
    else apart.push([first, last])
  }
  return apart
}

/** Uses a binary search: there may be thousands of pauses, and callers ask for every day. */
export function isPaused({ pauses }: Pick<HabitTrack, 'pauses'>, day: number): boolean {
  let [low, high] = [0, pauses.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pauses[middle]?.[1] ?? day) < day) low = middle + 1
    else high = middle
  }
  return (pauses[low]?.[0] ?? Number.POSITIVE_INFINITY) <= day
}

/**
 * Whether the day is skipped, paused or archived, which lowers what its period asks for. If it was done, it counts all the same.
 */
export function isTakenOut(track: HabitTrack, day: number): boolean {
  return track.skipped.has(day) || day >= track.archived || isPaused(track, day)
}

/**
 * Whether the day counts as one of the times that its period asks for. If the amount is summed over a period, any amount is
 * enough. A limit per day counts as kept only once the day is over.
 */
export function isDoneDay(track: HabitTrack, day: number, today: number): boolean {
  const { target } = spanOn(track.spans, day)
  if (target === 'yes') return track.done.has(day)
  const amount = track.amounts.get(day)
  if (target.at === 'least') {
    return amount !== undefined && amount >= (isSummed(target) ? 1 : target.amount)
  }
  if (day >= today) return false
  return amount === undefined ? day >= track.firstEntry && !isTakenOut(track, day) : amount <= target.amount
}
