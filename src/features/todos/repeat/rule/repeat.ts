import { addDays, type Day } from '#platform/calendar/day.ts'
import { addMonths } from '#platform/calendar/month.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { DoneRule, DueRule, RepeatRule } from './repeat-rule.ts'
import { countOfSeries, isOfSeries, lastOfSeriesUpTo, seriesFrom } from './series.ts'

// What of a to-do that repeats is due, was missed and comes next. It is computed from its rule, from what became of its occurrences,
// and from today, whenever somebody looks: no job at midnight makes anything, and nothing is stored that could drift.

/** What became of an occurrence. Which of several writes counts is decided where they are merged. */
export interface Occurrence {
  /** By which it is known, on every device: the day on which it was due by the rule. */
  day: Day
  state: 'done' | 'skipped' | 'open'
  /** When it was done or skipped, by the person's own days. */
  done_on: Day | null
  /** The day to which this one occurrence was moved. */
  moved_to: Day | null
}

/** The occurrences before a day, summed up, so that those of years need not be read to know what is due. */
export interface Earlier {
  before: Day
  /**
   * Of the rows before that day the newest on a day of the series; in mode 'done' the one that was reached when each is done in
   * turn.
   */
  last: Occurrence | null
  /** How many were done since the first day of the rule. */
  done: number
  /** How many days of the series nobody has settled, of the last `missedDays`. */
  missed: number
}

/** What was written of a to-do's occurrences, each day once, in any order: all of them, or those since `earlier.before`. */
export interface Known {
  occurrences: readonly Occurrence[]
  earlier?: Earlier | undefined
}

export interface Due {
  /** The occurrence that can be ticked; undefined once the series has ended with its last one settled. */
  open: { day: Day; due: Day } | undefined
  /**
   * Days of the series before the open one that nobody has settled, oldest first; of earlier ones only how many. They are laid out
   * when somebody reads them: a list of to-dos tells their number alone.
   */
  readonly missed: readonly Day[]
  missedEarlier: number
  /** How many both are. */
  missedInAll: number
  /** The day that follows once the open one has been settled, today in mode 'done'. */
  next: Day | undefined
}

/** For so many days back what was missed is told. */
const missedDays = 366

export function dueNow(rule: RepeatRule, known: Known, today: Day): Due {
  const byDay = new Map(known.occurrences.map((occurrence) => [occurrence.day, occurrence]))
  if (known.earlier?.last) byDay.set(known.earlier.last.day, known.earlier.last)
  return rule.mode === 'due'
    ? dueBySeries(rule, byDay, known.earlier, today)
    : dueAfterDone(rule, byDay, known.earlier, today)
}

/** The day that an occurrence is not moved to, nor past it: there the next one is due. Undefined if there is none, or in mode 'done'. */
export function nextOfSeries(
  rule: RepeatRule,
  occurrences: readonly Occurrence[],
  day: Day,
): Day | undefined {
  if (rule.mode === 'done') return undefined
  return unsettledAfter(rule, new Map(occurrences.map((each) => [each.day, each])), day)
}

/** When a to-do comes back that was due on `day` and done, or skipped, on `doneOn`. It is always later than it was due. */
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

/** In which days one can have been missed: those before the open one, within a year. */
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

/** How often it was done since the first day of its rule: in mode 'done' by that it ends after so many times. */
export function timesDone(
  { from }: Pick<RepeatRule, 'from'>,
  { occurrences, earlier }: { occurrences: Iterable<Occurrence>; earlier?: Earlier | undefined },
): number {
  let done = earlier?.done ?? 0
  // A day that the series does not have, because it was done at another time than was known there, counts as done.
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

/** The first day that is not settled, when each is done in turn from `start`; `last` is the row before it or on it. */
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

/** As the server keeps it: with the days that are settled, from which it tells how many were missed at any later time. */
export interface KeptEarlier extends Omit<Earlier, 'missed'> {
  settled: readonly Day[]
}

/** Sums up the occurrences before a day; `known` are all that there are before it. */
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

/** What was kept, as it is today. */
export function earlierOn(today: Day, rule: RepeatRule, { settled, ...kept }: KeptEarlier): Earlier {
  if (rule.mode === 'done') return { ...kept, missed: 0 }
  const oldest = addDays(today, -missedDays)
  const latest = today < kept.before ? today : addDays(kept.before, -1)
  // Each of those is a day of the series.
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
