import { type Day, dayNumber } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { isSummed, type RhythmRow, type RhythmSpan, spanOn, spansOf } from './rhythm.ts'

/** A range of days that are taken out, of one habit or of all. */
export interface Pause {
  from_day: Day
  /** Included. Null: until it is resumed. */
  to_day: Day | null
}

/** All that the numbers of a habit are computed from. With a summary of what is older: the days since that. */
export interface HabitDays {
  /** In any order; at least one. */
  rows: readonly RhythmRow[]
  /** What was done before it doesn't count. */
  startDay: Day
  /** From this day on it is not due. */
  archivedOn: Day | null
  states: ReadonlyMap<Day, 'done' | 'skipped'>
  /** The amounts of the days with an entry, in thousandths (`amountOf`). */
  amounts: ReadonlyMap<Day, number>
  /** Of this habit and of all habits, in any order; one whose ends cross counts as none. */
  pauses: readonly Pause[]
  weekStart: WeekStart
}

/** The same, prepared for counting: days are numbers (`dayNumber`). */
export interface HabitTrack {
  spans: readonly RhythmSpan[]
  start: number
  done: ReadonlySet<number>
  skipped: ReadonlySet<number>
  amounts: ReadonlyMap<number, number>
  /** The earliest day with an entry: before it, an at-most habit is unknown. Infinite without any. */
  firstEntry: number
  /** In order, and apart from each other: a pause of one day in them, or several, is one range. */
  pauses: readonly DayNumbers[]
  archived: number
  weekStart: WeekStart
  /** The latest day with anything on it: after a flight west, later than today. */
  latest: number
}

/** `firstEntry` is that of a summary, where the days are only those since. */
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

/** Of the same pauses the same ranges: most habits have those of all habits alone. */
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

/** There may be thousands of pauses, and every day is asked for. */
export function isPaused({ pauses }: Pick<HabitTrack, 'pauses'>, day: number): boolean {
  let [low, high] = [0, pauses.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pauses[middle]?.[1] ?? day) < day) low = middle + 1
    else high = middle
  }
  return (pauses[low]?.[0] ?? Number.POSITIVE_INFINITY) <= day
}

/** Skipped, paused or archived: it lowers what its period asks for. What was done on it counts all the same. */
export function isTakenOut(track: HabitTrack, day: number): boolean {
  return track.skipped.has(day) || day >= track.archived || isPaused(track, day)
}

/**
 * Whether the day counts as one of the times that its period asks for. Of an amount that is summed over a period, it is
 * a day with anything to show for it. At most: kept, which nobody knows before the day is over.
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
