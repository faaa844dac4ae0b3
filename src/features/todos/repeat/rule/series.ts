import { type Day, dayFromNumber, dayNumber, lastChoosable } from '#platform/calendar/day.ts'
import { mondayOffset, weekOfNumber } from '#platform/calendar/week.ts'
import type { DueRule, NthWeekday } from './repeat-rule.ts'

// The days on which a to-do is due by a rule of mode 'due'. They are always computed from the rule's first day, never from the
// day before, so the 31st comes back after a short month. A series has periods of `every` days, weeks, months or years; the first
// period contains `from`. Days are numbers (`dayNumber`), free of instants and zones.
//
// A person may keep thousands of rules that began in 1900. So the cost of a query must not grow with the age of the series: only
// the periods at both ends are laid out day by day. The days in a month depend only on its length and its first weekday, so there
// are 28 kinds of months, and all months of one kind are counted at once.

/** The days of the series from a day on, in order. There may be hundreds of thousands: stop when you have enough. */
export function* seriesFrom(rule: DueRule, day: Day): Generator<Day> {
  const { periods, first, last } = seriesOf(rule)
  const start = Math.max(dayNumber(day), first)
  if (start > last) return
  const end = periods.at(last)
  for (let period = periods.at(start); period <= end; period++) {
    const begins = periods.firstDay(period)
    for (let days = daysWithin(periods, period, start, last); days !== 0; days &= days - 1) {
      yield dayFromNumber(begins + lowest(days))
    }
  }
}

/** How many days of the series lie between two days, both included. */
export function countOfSeries(rule: DueRule, from: Day, to: Day): number {
  const { periods, first, last } = seriesOf(rule)
  const [start, end] = [Math.max(dayNumber(from), first), Math.min(dayNumber(to), last)]
  return start > end ? 0 : countBetween(periods, start, end)
}

export function isOfSeries(rule: DueRule, day: Day): boolean {
  return countOfSeries(rule, day, day) === 1
}

/** The last day of the series that is not after `day`. */
export function lastOfSeriesUpTo(rule: DueRule, day: Day): Day | undefined {
  const { periods, first, last } = seriesOf(rule)
  const latest = Math.min(dayNumber(day), last)
  if (latest < first) return undefined
  for (let period = periods.at(latest); period >= 0; period--) {
    const days = daysWithin(periods, period, first, latest)
    if (days !== 0) return dayFromNumber(periods.firstDay(period) + highest(days))
  }
  return undefined
}

/** The last day of a series that ends; undefined if it never ends. */
export function lastOfSeries(rule: DueRule): Day | undefined {
  if (rule.until === undefined && rule.times === undefined) return undefined
  return lastOfSeriesUpTo(rule, dayFromNumber(seriesOf(rule).last))
}

interface Series {
  periods: Periods
  /** The number of the first day that can belong to the series. */
  first: number
  /** The number of the last day that can belong to the series. */
  last: number
}

/**
 * Periods are numbered from 0; period 0 contains the rule's first day. The days of the series within a period are bits: the
 * lowest bit is the first day of the period.
 */
interface Periods {
  /** The period that contains a day, or the latest period that begins before it. */
  at(number: number): number
  firstDay(period: number): number
  daysIn(period: number): number
  /** How many days of the series are in the periods from `from` up to, but not including, `to`. */
  count(from: number, to: number): number
}

/**
 * Caches the series of the last rule, because `dueNow` needs it several times in a row. Caching more series would cost more than
 * computing them again.
 */
let asked: { rule: DueRule; series: Series } | undefined

function seriesOf(rule: DueRule): Series {
  if (asked?.rule === rule) return asked.series
  const periods = periodsOf(rule)
  const first = dayNumber(rule.from)
  const end = dayNumber(lastChoosable as Day)
  const latest = rule.until === undefined ? end : Math.min(dayNumber(rule.until), end)
  const { times } = rule
  const last = times === undefined || first > latest ? latest : nthDay(periods, times, first, latest)
  const series = { periods, first, last }
  asked = { rule, series }
  return series
}

function periodsOf(rule: DueRule): Periods {
  const from = dayNumber(rule.from)
  switch (rule.freq) {
    case 'day':
      return evenPeriods(from, rule.every, 1)
    case 'week': {
      const week = weekOfNumber(from, rule.week_start)
      let days = 0
      for (const weekday of rule.weekdays) days |= 1 << ((weekday - rule.week_start + 7) % 7)
      return evenPeriods(week * 7 - mondayOffset + (rule.week_start - 1), rule.every * 7, days)
    }
    case 'month':
      return monthPeriods(monthOf(from), rule.every, rule)
    case 'year':
      // A yearly rule is due in the month of its first day.
      return monthPeriods(monthOf(from), rule.every * 12, rule)
  }
}

/** Periods of `length` days with the same days of the series in each. */
function evenPeriods(first: number, length: number, days: number): Periods {
  const size = sizeOf(days)
  return {
    at: (number) => Math.floor((number - first) / length),
    firstDay: (period) => first + period * length,
    daysIn: () => days,
    count: (from, to) => (to - from) * size,
  }
}

/** Periods of one month each, `every` months apart. */
function monthPeriods(first: number, every: number, on: DaysOfMonth): Periods {
  const daysOfKind = oncePerKind(daysByKind(on))
  const sizeOfKind = oncePerKind((kind) => sizeOf(daysOfKind(kind)))
  const monthIn = (period: number) => first + period * every
  return {
    at: (number) => Math.floor((monthOf(number) - first) / every),
    firstDay: (period) => firstOfMonth(monthIn(period)),
    daysIn: (period) => daysOfKind(kindOf(monthIn(period))),
    count(from, to) {
      let count = 0
      if (to - from <= mostCountedOneByOne) {
        for (let period = from; period < to; period++) count += sizeOfKind(kindOf(monthIn(period)))
        return count
      }
      const before = kindsBefore(every)
      const [start, end] = [monthIn(from) * kinds, monthIn(to) * kinds]
      for (let kind = 0; kind < kinds; kind++) {
        count += sizeOfKind(kind) * ((before[end + kind] ?? 0) - (before[start + kind] ?? 0))
      }
      return count
    },
  }
}

/** The `nth` day of the series, or `latest` if the series has fewer days. */
function nthDay(periods: Periods, nth: number, first: number, latest: number): number {
  // Days of period 0 before the rule's first day do not count.
  let left = nth + sizeOf(daysWithin(periods, 0, periods.firstDay(0), first - 1))
  let [period, end] = [0, periods.at(latest) + 1]
  while (end - period > 1) {
    const middle = (period + end) >> 1
    const count = periods.count(period, middle)
    if (count < left) {
      left -= count
      period = middle
    } else end = middle
  }
  let days = periods.daysIn(period)
  for (; left > 1; left--) days &= days - 1
  return days === 0 ? latest : Math.min(latest, periods.firstDay(period) + lowest(days))
}

function countBetween(periods: Periods, start: number, end: number): number {
  const [from, to] = [periods.at(start), periods.at(end)]
  if (from === to) return sizeOf(daysWithin(periods, from, start, end))
  return (
    sizeOf(daysWithin(periods, from, start, end)) +
    periods.count(from + 1, to) +
    sizeOf(daysWithin(periods, to, start, end))
  )
}

/** The days of a period that lie between two days, both included. */
function daysWithin(periods: Periods, period: number, start: number, end: number): number {
  const first = periods.firstDay(period)
  return periods.daysIn(period) & upTo(end - first) & ~upTo(start - 1 - first)
}

/** Bits for the days of a period up to `place`, counted from 0. */
function upTo(place: number): number {
  // JavaScript takes shift distances modulo 32, so longer shifts need a case of their own.
  return place < 0 ? 0 : place > 30 ? -1 : (2 << place) - 1
}

function lowest(days: number): number {
  return 31 - Math.clz32(days & -days)
}

function highest(days: number): number {
  return 31 - Math.clz32(days)
}

function sizeOf(days: number): number {
  let size = 0
  for (let left = days; left !== 0; left &= left - 1) size++
  return size
}

type DaysOfMonth = { days: readonly number[] } | { nth: readonly NthWeekday[] }

/** The days that the rule gives in a month of each kind. */
function daysByKind(on: DaysOfMonth): (kind: number) => number {
  if ('days' in on) {
    let days = 0
    for (const day of on.days) days |= 1 << ((day === -1 ? 31 : day) - 1)
    return (kind) => {
      const last = lengthOf(kind) - 1
      const found = days & upTo(last)
      return found === days ? found : found | (1 << last)
    }
  }
  const [inWeeks, isLast] = [new Int32Array(7), new Int32Array(7)]
  for (const [nth, weekday] of on.nth) {
    if (nth === -1) isLast[weekday - 1] = 1
    else inWeeks[weekday - 1] = (inWeeks[weekday - 1] ?? 0) | (1 << (7 * (nth - 1)))
  }
  return (kind) => {
    const last = lengthOf(kind) - 1
    let days = 0
    for (let weekday = 0; weekday < 7; weekday++) {
      const first = (weekday - (kind % 7) + 7) % 7
      days |= (inWeeks[weekday] ?? 0) << first
      if (isLast[weekday]) days |= 1 << (last - ((last - first) % 7))
    }
    return days & upTo(last)
  }
}

/** There are 28 kinds of months: 4 lengths, 28 to 31 days, times 7 weekdays of the first day, with Monday as 0. */
const kinds = 28

function kindOf(month: number): number {
  const first = firstOfMonth(month)
  return (firstOfMonth(month + 1) - first - 28) * 7 + ((first - firstOfMonth(0)) % 7)
}

function lengthOf(kind: number): number {
  return 28 + Math.floor(kind / 7)
}

/**
 * The most months that are counted one by one; above this number, a table counts them. Only series of at most every 11th month
 * can exceed it, so there are at most 11 tables of 200 KB each.
 */
const mostCountedOneByOne = 300

/** For each month: how many earlier months of each kind there are, looking back in steps of `every` months. */
function kindsBefore(every: number): Uint16Array {
  const found = tables.get(every)
  if (found) return found
  const table = new Uint16Array((months + every) * kinds)
  for (let month = 0; month < months; month++) {
    const next = (month + every) * kinds
    table.copyWithin(next, month * kinds, (month + 1) * kinds)
    const ofSame = next + kindOf(month)
    table[ofSame] = (table[ofSame] ?? 0) + 1
  }
  tables.set(every, table)
  return table
}

const tables = new Map<number, Uint16Array>()

/** The month of a day, counted from January 1900. */
function monthOf(number: number): number {
  // The estimate from the mean length of a month is off by at most one.
  const near = Math.floor((number - firstOfMonth(0)) / 30.436875)
  if (number < firstOfMonth(near)) return near - 1
  return number < firstOfMonth(near + 1) ? near : near + 1
}

/** The number of a month's first day. January 1900 begins on a Monday. */
function firstOfMonth(month: number): number {
  firsts ??= Int32Array.from({ length: months + 1 }, (_, month) => utcMonth(month))
  return firsts[month] ?? utcMonth(month)
}

function utcMonth(month: number): number {
  return Date.UTC(1900, month) / 86_400_000
}

/** How many months, from January 1900, have days that can be chosen. */
const months = 3_600
let firsts: Int32Array | undefined

function oncePerKind(compute: (kind: number) => number): (kind: number) => number {
  const found: number[] = []
  return (kind) => {
    found[kind] ??= compute(kind)
    return found[kind]
  }
}
