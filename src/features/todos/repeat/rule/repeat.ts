import { addDays, type Day } from '#platform/calendar/day.ts'
import { addMonths } from '#platform/calendar/month.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { DoneRule, DueRule, RepeatRule } from './repeat-rule.ts'
import { countOfSeries, isOfSeries, lastOfSeriesUpTo, seriesFrom } from './series.ts'

// Computes which occurrence of a repeating to-do is due, which were missed and which comes next. The result follows from the
// rule, the states of the occurrences and today. It is computed on every read, so no job runs at midnight and no stored result
// can become wrong.

/** An occurrence and its state. How the changes of several devices are merged is decided elsewhere. */
export interface Occurrence {
  /** The day on which the occurrence was due by the rule: its key on every device. */
  day: Day
  state: 'done' | 'skipped' | 'open'
  /** The person's own day on which the occurrence was done or skipped. */
  done_on: Day | null
  /** The day to which this one occurrence was moved. */
  moved_to: Day | null
}

/** The sum of the occurrences before a day, so that years of them need not be read to know what is due. */
export interface Earlier {
  before: Day
  /**
   * In mode 'due', the newest stored occurrence before that day that is on a day of the series. In mode 'done', the last stored
   * occurrence that is reached by doing each occurrence in turn.
   */
  last: Occurrence | null
  /** How many occurrences before that day were done since the first day of the rule. */
  done: number
  /** How many days of the series nobody has settled, within the last `missedDays` days. */
  missed: number
}

/** The stored occurrences of a to-do, one per day, in any order: all of them, or those since `earlier.before`. */
export interface Known {
  occurrences: readonly Occurrence[]
  earlier?: Earlier | undefined
}

export interface Due {
  /**
   * The occurrence that can be completed, and the day on which it is due. Undefined once the series has ended and its last
   * occurrence is settled.
   */
  open: { day: Day; due: Day } | undefined
  /**
   * Days of the series before the open one that nobody has settled, oldest first. Days before `earlier.before` are only counted,
   * in `missedEarlier`. Computed on access, because a list of to-dos shows only the number.
   */
  readonly missed: readonly Day[]
  missedEarlier: number
  /** The total of `missed` and `missedEarlier`. */
  missedInAll: number
  /** The day of the next occurrence after the open one. In mode 'done', assumes that the open one is settled today. */
  next: Day | undefined
}

/** How many days back missed occurrences are reported. */
const missedDays = 366

export function dueNow(rule: RepeatRule, known: Known, today: Day): Due {
  const byDay = new Map(known.occurrences.map((occurrence) => [occurrence.day, occurrence]))
  if (known.earlier?.last) byDay.set(known.earlier.last.day, known.earlier.last)
  return rule.mode === 'due'
    ? dueBySeries(rule, byDay, known.earlier, today)
    : dueAfterDone(rule, byDay, known.earlier, today)
}

/**
 * The day of the next unsettled occurrence after `day`. The occurrence of `day` cannot be moved to that day or past it. Undefined
 * if there is none, or in mode 'done'.
 */
export function nextOfSeries(
  rule: RepeatRule,
  occurrences: readonly Occurrence[],
  day: Day,
): Day | undefined {
  if (rule.mode === 'done') return undefined
  return unsettledAfter(rule, new Map(occurrences.map((each) => [each.day, each])), day)
}

/** When a to-do that was due on `day` comes back after it was done or skipped on `doneOn`. Always later than `day`. */
export function comesBackOn({ freq, every }: Pick<DoneRule, 'freq' | 'every'>, day: Day, doneOn: Day): Day {
  const after = addInterval(doneOn, freq, every)
  const tomorrow = addDays(day, 1)
  return after > tomorrow ? after : tomorrow
}

type ByDay = ReadonlyMap<Day, Occurrence>

function dueBySeries(rule: DueRule, byDay: ByDay, earlier: Earlier | undefined, today: Day): Due {
  const latest = lastOfSeriesUpTo(rule, today)
  const day =
    latest !== undefined && !isSettled(byDay.get(latest))
      ? latest
      : unsettledAfter(rule, byDay, latest ?? addDays(rule.from, -1))
  const isEarlier = earlier !== undefined && day !== undefined && day < earlier.before
  const missedEarlier = Math.max(0, (earlier?.missed ?? 0) - (isEarlier ? 1 : 0))
  const range = missedRange(earlier?.before, day, today)
  return {
    open: day && { day, due: byDay.get(day)?.moved_to ?? day },
    get missed() {
      return unsettledIn(range, rule, byDay)
    },
    missedEarlier,
    missedInAll: countUnsettledIn(range, rule, byDay) + missedEarlier,
    next: day && unsettledAfter(rule, byDay, day),
  }
}

function unsettledAfter(rule: DueRule, byDay: ByDay, day: Day): Day | undefined {
  for (const next of seriesFrom(rule, addDays(day, 1))) {
    if (!isSettled(byDay.get(next))) return next
  }
  return undefined
}

/** The days on which occurrences can have been missed: those before the open one, within a year. */
function missedRange(since: Day | undefined, open: Day | undefined, today: Day): DayRange {
  const yearAgo = addDays(today, -missedDays)
  return {
    from: since !== undefined && since > yearAgo ? since : yearAgo,
    to: open !== undefined && open <= today ? addDays(open, -1) : today,
  }
}

function unsettledIn({ from, to }: DayRange, rule: DueRule, byDay: ByDay): Day[] {
  const unsettled: Day[] = []
  for (const day of seriesFrom(rule, from)) {
    if (day > to) return unsettled
    if (!isSettled(byDay.get(day))) unsettled.push(day)
  }
  return unsettled
}

function countUnsettledIn({ from, to }: DayRange, rule: DueRule, byDay: ByDay): number {
  let count = countOfSeries(rule, from, to)
  for (const row of byDay.values()) {
    if (isSettled(row) && row.day >= from && row.day <= to && isOfSeries(rule, row.day)) count--
  }
  return count
}

/** How often the to-do was done since the first day of its rule. In mode 'done', a rule with `times` ends after that many. */
export function timesDone(
  { from }: Pick<RepeatRule, 'from'>,
  { occurrences, earlier }: { occurrences: Iterable<Occurrence>; earlier?: Earlier | undefined },
): number {
  let done = earlier?.done ?? 0
  // Count every done occurrence, even one on a day that the rule would not give. In mode 'done', such a day arises when another
  // device did not know when the occurrence before was done.
  for (const { day, state } of occurrences) {
    if (state === 'done' && day >= (earlier?.before ?? from) && day >= from) done++
  }
  return done
}

function dueAfterDone(rule: DoneRule, byDay: ByDay, earlier: Earlier | undefined, today: Day): Due {
  const done = timesDone(rule, { occurrences: byDay.values(), earlier })
  const isOver = (day: Day, timesDone: number) =>
    (rule.until !== undefined && day > rule.until) || (rule.times !== undefined && timesDone >= rule.times)
  const { day } = lastReached(rule, byDay, earlier?.last?.day ?? rule.from)
  if (isOver(day, done)) return { open: undefined, ...noneMissed, next: undefined }
  const next = comesBackOn(rule, day, today)
  return {
    open: { day, due: byDay.get(day)?.moved_to ?? day },
    ...noneMissed,
    next: isOver(next, done + 1) ? undefined : next,
  }
}

const noneMissed = { missed: [], missedEarlier: 0, missedInAll: 0 }

/**
 * Goes from `start` through occurrences that are settled: each one decides the day of the next. Returns the first unsettled day,
 * and the last stored occurrence on the way. Stored occurrences from the day `before` on are ignored.
 */
function lastReached(
  rule: DoneRule,
  byDay: ByDay,
  start: Day,
  before?: Day,
): { day: Day; last: Occurrence | undefined } {
  let [day, last]: [Day, Occurrence | undefined] = [start, undefined]
  for (;;) {
    const known = before !== undefined && day >= before ? undefined : byDay.get(day)
    last = known ?? last
    if (!isSettled(known)) return { day, last }
    day = comesBackOn(rule, day, known.done_on ?? day)
  }
}

/**
 * The sum of old occurrences as the server stores it. It holds the settled days instead of the number of missed days, because
 * that number changes with time.
 */
export interface KeptEarlier extends Omit<Earlier, 'missed'> {
  settled: readonly Day[]
}

/** Sums up the occurrences before a day. `known` must contain all of them. */
export function keptEarlier(
  rule: RepeatRule,
  known: { occurrences: readonly Occurrence[]; earlier?: KeptEarlier | undefined },
  before: Day,
): KeptEarlier {
  const { earlier } = known
  const rows = known.occurrences.filter(
    ({ day }) => day < before && (earlier === undefined || day >= earlier.before),
  )
  const done = rows.filter(({ day, state }) => state === 'done' && day >= rule.from).length
  const sum = { before, done: (earlier?.done ?? 0) + done }
  if (rule.mode === 'done') {
    const byDay = new Map(rows.map((row) => [row.day, row]))
    if (earlier?.last) byDay.set(earlier.last.day, earlier.last)
    const { last } = lastReached(rule, byDay, earlier?.last?.day ?? rule.from, before)
    return { ...sum, last: last ?? null, settled: [] }
  }
  const ofSeries = rows
    .filter(({ day }) => isOfSeries(rule, day))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
  const settled = [...(earlier?.settled ?? []), ...ofSeries.filter(isSettled).map(({ day }) => day)]
  const oldest = addDays(before, -missedDays)
  return {
    ...sum,
    last: ofSeries.at(-1) ?? earlier?.last ?? null,
    settled: settled.filter((day) => day >= oldest),
  }
}

/** The stored sum, with the number of missed days as of today. */
export function earlierOn(today: Day, rule: RepeatRule, { settled, ...kept }: KeptEarlier): Earlier {
  if (rule.mode === 'done') return { ...kept, missed: 0 }
  const oldest = addDays(today, -missedDays)
  const latest = today < kept.before ? today : addDays(kept.before, -1)
  // `settled` contains only days of the series.
  const settledSince = settled.filter((day) => day >= oldest && day <= latest).length
  return { ...kept, missed: countOfSeries(rule, oldest, latest) - settledSince }
}

function isSettled(occurrence: Occurrence | undefined): occurrence is Occurrence {
  return occurrence !== undefined && occurrence.state !== 'open'
}

function addInterval(day: Day, freq: DoneRule['freq'], every: number): Day {
  switch (freq) {
    case 'day':
      return addDays(day, every)
    case 'week':
      return addDays(day, 7 * every)
    case 'month':
      return addMonths(day, every)
    case 'year':
      return addMonths(day, 12 * every)
  }
}
