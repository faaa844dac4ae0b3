import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { describe, expect, test, vi } from 'vitest'
import { type Day, dayFromNumber, dayNumber, daySchema, daysFrom } from '#platform/calendar/day.ts'
import { type WeekStart, weekdayOf, weekNumber } from '#platform/calendar/week.ts'
import { runs } from '#testing/runs.ts'
import type { DueRule, NthWeekday } from './repeat-rule.ts'
import { countOfSeries, isOfSeries, lastOfSeries, lastOfSeriesUpTo, seriesFrom } from './series.ts'

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
  mode: 'due',
  every,
  from,
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

describe('what is asked of a series', () => {
  test('is answered as if each day from its first on were looked at, by any rule that can be stored', () => {
    fc.assert(
      fc.property(
        anyRule,
        fc.array(fc.tuple(anyDay, anyDay), { minLength: 8, maxLength: 8 }),
        (rule, spans) => {
          const all = daysLookedAt(rule)
          const isEndless = rule.until === undefined && rule.times === undefined
          expect(lastOfSeries(rule)).toBe(isEndless ? undefined : all.at(-1))
          for (const [from, to] of spans) {
            const [after, upTo] = [all.filter((day) => day >= from), all.filter((day) => day <= to)]
            expect([...seriesFrom(rule, from).take(3)]).toEqual(after.slice(0, 3))
            expect(lastOfSeriesUpTo(rule, to)).toBe(upTo.at(-1))
            expect(countOfSeries(rule, from, to)).toBe(upTo.filter((day) => day >= from).length)
            expect(isOfSeries(rule, to)).toBe(upTo.at(-1) === to)
          }
        },
      ),
      { numRuns: runs(5_000, 100) },
    )
  })

  test('puts each day of three centuries in its month', () => {
    const [first, last] = [daySchema.parse('1900-01-01'), daySchema.parse('2199-12-31')]
    const dates = Array.from({ length: 31 }, (_, date) => date + 1)
    const daily: DueRule = { mode: 'due', freq: 'month', days: dates, every: 1, from: first }
    expect(daysFrom(first, last).filter((day) => !isOfSeries(daily, day))).toEqual([])
  })

  const fromFebruary = daySchema.parse('1900-02-01')
  test.each<[string, DueRule]>([
    ['every day', { mode: 'due', freq: 'day', every: 1, from: fromFebruary }],
    [
      'three days a week',
      { mode: 'due', freq: 'week', weekdays: [1, 3, 5], week_start: 1, every: 2, from: fromFebruary },
    ],
    [
      'monthly on the last days',
      { mode: 'due', freq: 'month', days: [29, 31, -1], every: 1, from: fromFebruary },
    ],
    ['every fifth Monday', { mode: 'due', freq: 'month', nth: [[5, 1]], every: 1, from: fromFebruary }],
    ['on 29 February', { mode: 'due', freq: 'year', days: [29], every: 1, from: fromFebruary }],
    [
      'on the fifth Monday of February',
      { mode: 'due', freq: 'year', nth: [[5, 1]], every: 1, from: fromFebruary },
    ],
  ])('costs no more after three centuries than in the first year: %s', (_, rule) => {
    const asked = (times: number, day: Day) => {
      const { rule: counted, looks } = countingLooks({ ...rule, times })
      lastOfSeries(counted)
      lastOfSeriesUpTo(counted, day)
      countOfSeries(counted, fromFebruary, day)
      seriesFrom(counted, day).next()
      return looks()
    }
    // What all rules share is made for the first that asks.
    asked(999, daySchema.parse('2199-01-01'))
    const inFirstYear = asked(1, daySchema.parse('1900-03-01'))
    expect(inFirstYear).toBeGreaterThan(0)
    for (const day of ['1950-06-30', '2026-11-27', '2199-01-01']) {
      expect(asked(999, daySchema.parse(day))).toBe(inFirstYear)
    }
  })
})

/** Whatever a stored rule can be. */
const anyDay = fc
  .integer({ min: dayNumber('1900-01-01' as Day), max: dayNumber('2199-12-31' as Day) })
  .map(dayFromNumber)
const upTo60 = { minLength: 1, maxLength: 60, size: 'max' } as const
const few = { minLength: 1, maxLength: 2 } as const
const sparse = fc.tuple(fc.constant(5), weekday)
const anyWhen = fc.oneof(
  fc.constant({ freq: 'day' } as const),
  fc.record({ freq: fc.constant('week' as const), weekdays: some(weekday), week_start: weekday }),
  fc.record({
    freq: fc.constantFrom('month' as const, 'year' as const),
    days: fc.oneof(fc.array(monthDay, few), fc.array(monthDay, upTo60)),
  }),
  fc.record({
    freq: fc.constantFrom('month' as const, 'year' as const),
    nth: fc.oneof(fc.array(sparse, few), fc.array(nth, few), fc.array(nth, upTo60)),
  }),
)
const anyEvery = fc.oneof(
  fc.constantFrom(1, 2, 3, 4, 6, 12, 13, 24, 48),
  fc.integer({ min: 1, max: 14 }),
  fc.integer({ min: 1, max: 999 }),
)
const anyRule: fc.Arbitrary<DueRule> = fc
  .record({
    when: anyWhen,
    every: anyEvery,
    from: fc.oneof(
      anyDay,
      fc.constantFrom('1900-01-01', '1900-02-01', '1904-02-29').map((day) => day as Day),
    ),
    until: fc.option(anyDay, { nil: undefined }),
    times: fc.option(fc.integer({ min: 1, max: 999 }), { nil: undefined }),
  })
  .map(({ when, until, ...rule }) => ({
    mode: 'due',
    ...when,
    ...rule,
    until: until !== undefined && until < rule.from ? undefined : until,
  }))

function daysLookedAt(rule: DueRule): Day[] {
  const end = dayNumber(rule.until ?? ('2199-12-31' as Day))
  const days: Day[] = []
  for (let number = dayNumber(rule.from); number <= end && days.length < (rule.times ?? Infinity); number++) {
    const day = dayFromNumber(number)
    if (isGiven(rule, day)) days.push(day)
  }
  return days
}

function isGiven(rule: DueRule, day: Day): boolean {
  if (rule.freq === 'day') return (dayNumber(day) - dayNumber(rule.from)) % rule.every === 0
  if (rule.freq === 'week') {
    const weeks = weekNumber(day, rule.week_start) - weekNumber(rule.from, rule.week_start)
    return weeks % rule.every === 0 && rule.weekdays.includes(weekdayOf(day))
  }
  const [[year, month, date], [firstYear, firstMonth]] = [numbersOf(day), numbersOf(rule.from)]
  const months = (year - firstYear) * 12 + month - firstMonth
  if (months % (rule.freq === 'month' ? rule.every : rule.every * 12) !== 0) return false
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if ('days' in rule) return rule.days.some((each) => Math.min(each === -1 ? 31 : each, length) === date)
  const isNth = ([nth, weekday]: NthWeekday) =>
    weekday === weekdayOf(day) && (nth === -1 ? date + 7 > length : Math.ceil(date / 7) === nth)
  return rule.nth.some(isNth)
}

function numbersOf(day: Day): [year: number, month: number, date: number] {
  return [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8))]
}

/** The rule, and how often something was read in it, or the beginning of a month computed. */
function countingLooks(rule: DueRule): { rule: DueRule; looks(): number } {
  let reads = 0
  const counting = <T extends object>(inner: T): T =>
    new Proxy(inner, {
      get(target, name) {
        reads++
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'object' && value !== null ? counting(value) : value
      },
    })
  const computed = vi.spyOn(Date, 'UTC')
  return {
    rule: counting(rule),
    looks() {
      const looks = reads + computed.mock.calls.length
      computed.mockRestore()
      return looks
    },
  }
}

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
