import { type Day, dayFromNumber, dayNumber, lastChoosable } from '#platform/calendar/day.ts'
import { weekOfNumber } from '#platform/calendar/week.ts'
import type { DueRule, NthWeekday } from './repeat-rule.ts'

// The days on which a to-do is due by a rule whose days are known beforehand. They are computed from its first day each time, never
// from the day before: so the 31st comes back after a short month. A series has periods of `every` days, weeks, months or years;
// the first one contains `from`. Days are counted as numbers (`dayNumber`), which knows neither instants nor zones.

/** The days of the series from a day on, in order. There may be hundreds of thousands: stop when you have enough. */
export function* seriesFrom(rule: DueRule, day: Day): Generator<Day> {
  const last = lastNumber(rule)
  for (const number of numbersFrom(rule, dayNumber(day))) {
    if (number > last) return
    yield dayFromNumber(number)
  }
}

/** How many days of the series there are from a day on, up to and including another. */
export function countOfSeries(rule: DueRule, from: Day, to: Day): number {
  const last = Math.min(dayNumber(to), lastNumber(rule))
  let count = 0
  for (const number of numbersFrom(rule, dayNumber(from))) {
    if (number > last) return count
    count++
  }
  return count
}

/** The last day of the series that is not after `day`. */
export function lastOfSeriesUpTo(rule: DueRule, day: Day): Day | undefined {
  const first = dayNumber(rule.from)
  const latest = Math.min(dayNumber(day), lastNumber(rule))
  for (let period = periodOf(rule, latest); period >= 0; period--) {
    const found = daysIn(rule, period).findLast((number) => number >= first && number <= latest)
    if (found !== undefined) return dayFromNumber(found)
  }
  return undefined
}

/** The day on which the series ends by itself; undefined if it goes on for ever. */
export function lastOfSeries(rule: DueRule): Day | undefined {
  if (rule.until === undefined && rule.times === undefined) return undefined
  return lastOfSeriesUpTo(rule, dayFromNumber(lastNumber(rule)))
}

/** No day after it belongs to the series. */
function lastNumber(rule: DueRule): number {
  const latest = dayNumber(rule.until ?? (lastChoosable as Day))
  if (rule.times === undefined) return latest
  if (rule.freq === 'day') return Math.min(latest, dayNumber(rule.from) + (rule.times - 1) * rule.every)
  let left = rule.times
  for (const number of numbersFrom(rule, dayNumber(rule.from))) {
    if (number >= latest) return latest
    if (--left === 0) return number
  }
  return latest
}

/** Whatever the series ends with, but no later than anybody can choose a day. */
function* numbersFrom(rule: DueRule, start: number): Generator<number> {
  const first = Math.max(start, dayNumber(rule.from))
  const end = dayNumber(lastChoosable as Day)
  for (let period = Math.max(0, periodOf(rule, first)); firstOf(rule, period) <= end; period++) {
    for (const number of daysIn(rule, period)) {
      if (number >= first) yield number
    }
  }
}

/** The period that contains a day, or the latest one that begins before it. Negative before the first one. */
function periodOf(rule: DueRule, number: number): number {
  return Math.floor((unitOf(rule, number) - unitOf(rule, dayNumber(rule.from))) / rule.every)
}

/** The first day of a period. */
function firstOf(rule: DueRule, period: number): number {
  const unit = unitOf(rule, dayNumber(rule.from)) + period * rule.every
  switch (rule.freq) {
    case 'day':
      return unit
    case 'week':
      return unit * 7 - mondayOffset + (rule.week_start - 1)
    case 'month':
      return firstOfMonth(unit)
    case 'year':
      return firstOfMonth(unit * 12)
  }
}

/** The number of the day, week, month or year that contains a day. */
function unitOf(rule: DueRule, number: number): number {
  switch (rule.freq) {
    case 'day':
      return number
    case 'week':
      return weekOfNumber(number, rule.week_start)
    case 'month':
      return monthOf(number)
    case 'year':
      return Math.floor(monthOf(number) / 12)
  }
}

/** The days that the rule gives in a period, in order, each once. */
function daysIn(rule: DueRule, period: number): number[] {
  const first = firstOf(rule, period)
  switch (rule.freq) {
    case 'day':
      return [first]
    case 'week':
      return sorted(rule.weekdays.map((weekday) => first + ((weekday - rule.week_start + 7) % 7)))
    case 'month':
      return daysOfMonth(rule, monthOf(first))
    case 'year':
      // A year's days are in the month of the first day.
      return daysOfMonth(rule, monthOf(first) + (((monthOf(dayNumber(rule.from)) % 12) + 12) % 12))
  }
}

function daysOfMonth(
  on: { days: readonly number[] } | { nth: readonly NthWeekday[] },
  month: number,
): number[] {
  const first = firstOfMonth(month)
  const last = firstOfMonth(month + 1) - 1
  if ('days' in on) {
    return sorted(on.days.map((day) => (day === -1 ? last : Math.min(first + day - 1, last))))
  }
  const found = on.nth.map(([nth, weekday]) => {
    if (nth === -1) return last - ((weekdayOf(last) - weekday + 7) % 7)
    return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7
  })
  return sorted(found.filter((number) => number <= last))
}

/** Months since January 1970. */
function monthOf(number: number): number {
  const date = new Date(number * millisecondsInDay)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

function firstOfMonth(month: number): number {
  return Date.UTC(1970, month) / millisecondsInDay
}

/** 1 is Monday, 7 is Sunday. 1970-01-01 was a Thursday. */
function weekdayOf(number: number): number {
  return ((((number + mondayOffset) % 7) + 7) % 7) + 1
}

function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other)
}

const millisecondsInDay = 86_400_000
const mondayOffset = 3
