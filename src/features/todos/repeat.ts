import { addDays, type Day } from '#platform/calendar/day.ts'
import { addMonths } from '#platform/calendar/month.ts'
import type { DoneRule, DueRule, RepeatRule } from './repeat-rule.ts'
import { lastOfSeriesUpTo, seriesFrom } from './series.ts'

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

export interface Due {
  /** The occurrence that can be ticked; undefined once the series has ended with its last one settled. */
  open: { day: Day; due: Day } | undefined
  /** Days of the series before the open one that nobody has settled, oldest first. */
  missed: readonly Day[]
  /** The day that follows once the open one has been settled, today in mode 'done'. */
  next: Day | undefined
}

/** For so many days back what was missed is told. */
const missedDays = 366

/** `occurrences` are all that were ever written, in any order, each day once. */
export function dueNow(rule: RepeatRule, occurrences: readonly Occurrence[], today: Day): Due {
  const byDay = new Map(occurrences.map((occurrence) => [occurrence.day, occurrence]))
  return rule.mode === 'due' ? dueBySeries(rule, byDay, today) : dueAfterDone(rule, byDay, today)
}

/** When a to-do comes back that was due on `day` and done, or skipped, on `doneOn`. It is always later than it was due. */
export function comesBackOn({ freq, every }: Pick<DoneRule, 'freq' | 'every'>, day: Day, doneOn: Day): Day {
  const after = addInterval(doneOn, freq, every)
  const tomorrow = addDays(day, 1)
  return after > tomorrow ? after : tomorrow
}

type ByDay = ReadonlyMap<Day, Occurrence>

function dueBySeries(rule: DueRule, byDay: ByDay, today: Day): Due {
  const latest = lastOfSeriesUpTo(rule, today)
  const day =
    latest !== undefined && !isSettled(byDay.get(latest))
      ? latest
      : unsettledAfter(rule, byDay, latest ?? addDays(rule.from, -1))
  return {
    open: day && { day, due: byDay.get(day)?.moved_to ?? day },
    missed: missedBefore(rule, byDay, day ?? addDays(today, 1), today),
    next: day && unsettledAfter(rule, byDay, day),
  }
}

function unsettledAfter(rule: DueRule, byDay: ByDay, day: Day): Day | undefined {
  for (const next of seriesFrom(rule, addDays(day, 1))) {
    if (!isSettled(byDay.get(next))) return next
  }
  return undefined
}

function missedBefore(rule: DueRule, byDay: ByDay, open: Day, today: Day): Day[] {
  const missed: Day[] = []
  for (const day of seriesFrom(rule, addDays(today, -missedDays))) {
    if (day >= open || day > today) return missed
    if (!isSettled(byDay.get(day))) missed.push(day)
  }
  return missed
}

function dueAfterDone(rule: DoneRule, byDay: ByDay, today: Day): Due {
  let done = 0
  // A day that the series does not have, because it was done at another time than was known there, counts as done.
  for (const { day, state } of byDay.values()) if (state === 'done' && day >= rule.from) done++
  const isOver = (day: Day, timesDone: number) =>
    (rule.until !== undefined && day > rule.until) || (rule.times !== undefined && timesDone >= rule.times)
  let day = rule.from
  for (let known = byDay.get(day); isSettled(known); known = byDay.get(day)) {
    day = comesBackOn(rule, day, known.done_on ?? day)
  }
  if (isOver(day, done)) return { open: undefined, missed: [], next: undefined }
  const next = comesBackOn(rule, day, today)
  return {
    open: { day, due: byDay.get(day)?.moved_to ?? day },
    missed: [],
    next: isOver(next, done + 1) ? undefined : next,
  }
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
