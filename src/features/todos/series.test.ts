import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { describe, expect, test } from 'vitest'
import { type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { runs } from '#testing/runs.ts'
import type { DueRule } from './repeat-rule.ts'
import { lastOfSeries, lastOfSeriesUpTo, seriesFrom } from './series.ts'

const weekday = fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7)
// From 1950 to 2090.
const from = fc.integer({ min: -7_300, max: 43_800 }).map(dayFromNumber)
const every = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }) },
  fc.integer({ min: 6, max: 120 }),
)
const monthDay = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(28, 29, 30, 31, -1))
const nth = fc.tuple(fc.constantFrom(1, 2, 3, 4, 5, -1), weekday)
const some = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { minLength: 1, maxLength: 4 })
const when = fc.oneof(
  fc.constant({ freq: 'day' } as const),
  fc.record({ freq: fc.constant('week' as const), weekdays: some(weekday), week_start: weekday }),
  fc.record({ freq: fc.constantFrom('month' as const, 'year' as const), days: some(monthDay) }),
  fc.record({
    freq: fc.constantFrom('month' as const, 'year' as const),
    nth: fc.array(nth, { minLength: 1, maxLength: 3 }),
  }),
)
const ends = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  fc.record({ times: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ until: fc.nat({ max: 4_000 }) }),
)
const rule: fc.Arbitrary<DueRule> = fc.tuple(when, every, from, ends).map(([when, every, from, ends]) => ({
  ...when,
  ...{ mode: 'due', every, from },
  ...('until' in ends ? { until: dayFromNumber(dayNumber(from) + ends.until) } : ends),
}))
/** A span of up to seven years that begins up to two years before the rule, or up to forty years after. */
const span = fc.tuple(fc.integer({ min: -700, max: 15_000 }), fc.nat({ max: 2_500 }))

describe('the days of a series', () => {
  test('are those of RFC 5545, with months too short for a day as RFC 7529 has it: SKIP=BACKWARD', () => {
    fc.assert(
      fc.property(rule, span, (rule, [start, length]) => {
        const first = dayFromNumber(dayNumber(rule.from) + start)
        const last = dayFromNumber(dayNumber(first) + length)
        expect(daysWithin(rule, first, last)).toEqual(daysOfOracle(rule, first, last))
      }),
      { numRuns: runs(20_000, 200) },
    )
  })

  test('are in order, each once, never before the first day, and the last one up to a day is among them', () => {
    fc.assert(
      fc.property(rule, span, (rule, [start, length]) => {
        const first = dayFromNumber(dayNumber(rule.from) + start)
        const last = dayFromNumber(dayNumber(first) + length)
        const days = daysWithin(rule, first, last)
        expect(days).toEqual([...new Set(days)].toSorted())
        if (days[0]) expect(days[0] >= rule.from).toBe(true)
        const found = lastOfSeriesUpTo(rule, last)
        if (days.length > 0) expect(found).toBe(days.at(-1))
        else expect(found === undefined || found < first).toBe(true)
      }),
      { numRuns: runs(20_000, 200) },
    )
  })

  test('end with the last of so many times, or the last that is not after a day; without either never', () => {
    fc.assert(
      fc.property(rule, (rule) => {
        const all = daysWithin(rule, rule.from, '2199-12-31' as Day)
        const isEndless = rule.until === undefined && rule.times === undefined
        expect(lastOfSeries(rule)).toBe(isEndless ? undefined : all.at(-1))
        if (rule.times !== undefined) expect(all.length).toBeLessThanOrEqual(rule.times)
      }),
      { numRuns: runs(5_000, 200) },
    )
  })
})

function daysWithin(rule: DueRule, first: Day, last: Day): Day[] {
  const days: Day[] = []
  for (const day of seriesFrom(rule, first)) {
    if (day > last) break
    days.push(day)
  }
  return days
}

function daysOfOracle(rule: DueRule, first: Day, last: Day): Day[] {
  const { times, until, ...endless } = rule
  const end = until !== undefined && until < last ? until : last
  // With days of the month the times are counted here, because each of the days is a rule of its own.
  const begin = times !== undefined && 'days' in rule ? rule.from : first
  const days = rulesOfOracle(endless, 'days' in rule ? undefined : times).flatMap((oracle) =>
    oracle.between(noon(begin), noon(end), true).map((found) => found.toPlainDate().toString() as Day),
  )
  const each = [...new Set(days)].filter((day) => day >= rule.from).toSorted()
  return ('days' in rule ? each.slice(0, times) : each).filter((day) => day >= first)
}

function rulesOfOracle(rule: DueRule, count: number | undefined): RRuleTemporal[] {
  const names = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
  const name = (weekday: WeekStart) => names[weekday - 1] ?? ''
  const common = { interval: rule.every, dtstart: noon(rule.from), ...(count && { count }) }
  if (rule.freq === 'day') return [new RRuleTemporal({ ...common, freq: 'DAILY' })]
  if (rule.freq === 'week') {
    const on = { byDay: rule.weekdays.map(name), wkst: name(rule.week_start) }
    return [new RRuleTemporal({ ...common, freq: 'WEEKLY', ...on })]
  }
  const freq = rule.freq === 'month' ? 'MONTHLY' : 'YEARLY'
  const inMonth = rule.freq === 'year' && { byMonth: [Number(rule.from.slice(5, 7))] }
  if ('nth' in rule) {
    const byDay = rule.nth.map(([nth, weekday]) => `${nth}${name(weekday)}`)
    return [new RRuleTemporal({ ...common, freq, ...inMonth, byDay })]
  }
  return rule.days.map((day) => ofMonthDay(rule, freq, day))
}

/** RFC 7529 by this library: in months it goes back only from the day of `dtstart`, in years from BYMONTHDAY. */
function ofMonthDay({ every, from }: DueRule, freq: 'MONTHLY' | 'YEARLY', day: number): RRuleTemporal {
  const backward = { rscale: 'GREGORIAN', skip: 'BACKWARD' } as const
  const dtstart = noon(from).with({ day: 1 })
  const byMonth = [dtstart.month]
  if (freq === 'YEARLY') {
    return new RRuleTemporal({ freq, interval: every, dtstart, byMonth, byMonthDay: [day], ...backward })
  }
  if (day <= 28) return new RRuleTemporal({ freq, interval: every, dtstart, byMonthDay: [day] })
  for (let back = 0; back < 60; back++) {
    const month = dtstart.subtract({ months: back * every })
    if (month.daysInMonth < day) continue
    return new RRuleTemporal({ freq, interval: every, dtstart: month.with({ day }), ...backward })
  }
  // 30 February, every so many years.
  const yearly = { freq: 'YEARLY', interval: every / 12 } as const
  return new RRuleTemporal({ ...yearly, dtstart, byMonth, byMonthDay: [day], ...backward })
}

function noon(day: Day): Temporal.ZonedDateTime {
  return Temporal.ZonedDateTime.from(`${day}T12:00[UTC]`)
}
