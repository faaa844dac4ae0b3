import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day, dayOf } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { runs } from '#testing/runs.ts'
import {
  countPeriods,
  currentStreak,
  isCompleted,
  longestStreak,
  periodEnd,
  periodStart,
  type Rhythm,
  rateRange,
  sumUpBefore,
} from './former-streak.ts'

const daily: Rhythm = { frequency: 'daily', weekStart: 1 }
const weekly: Rhythm = { frequency: 'weekly', weekStart: 1 }
const days = (...texts: string[]) => texts as Day[]
const today = '2026-11-20' as Day // a Friday

describe('the current streak of a daily habit', () => {
  test('is 0 without completions', () => expect(currentStreak([], today, daily)).toBe(0))

  test('counts today and the days in a row before it', () =>
    expect(currentStreak(days('2026-11-18', '2026-11-19', '2026-11-20'), today, daily)).toBe(3))

  test('is not broken by today while today is open', () =>
    expect(currentStreak(days('2026-11-18', '2026-11-19'), today, daily)).toBe(2))

  test('a missed day ends the streak', () =>
    expect(currentStreak(days('2026-11-17', '2026-11-18', '2026-11-20'), today, daily)).toBe(1))

  test('is 0 if yesterday was missed and today is open', () =>
    expect(currentStreak(days('2026-11-17', '2026-11-18'), today, daily)).toBe(0))

  test('a completion dated tomorrow, after a flight west, counts as if today were that day', () => {
    expect(currentStreak(days('2026-11-19', '2026-11-20', '2026-11-21'), today, daily)).toBe(3)
    expect(currentStreak(days('2026-11-19', '2026-11-21'), today, daily)).toBe(1)
  })
})

describe('the current streak of a weekly habit', () => {
  test('counts weeks, whichever day of each was done, once or twice', () =>
    expect(currentStreak(days('2026-11-02', '2026-11-15', '2026-11-10', '2026-11-16'), today, weekly)).toBe(
      3,
    ))

  test('is not broken by this week while it is open', () =>
    expect(currentStreak(days('2026-11-03', '2026-11-15'), today, weekly)).toBe(2))

  test('a week from Sunday to Saturday counts where the week starts on Sunday', () => {
    expect(
      currentStreak(days('2026-11-14', '2026-11-15'), today, { frequency: 'weekly', weekStart: 7 }),
    ).toBe(2)
    expect(currentStreak(days('2026-11-14', '2026-11-15'), today, weekly)).toBe(1)
  })
})

describe('against a model that walks the calendar day by day', () => {
  const rhythm = fc.record({
    frequency: fc.constantFrom<Rhythm['frequency'][]>('daily', 'weekly'),
    weekStart: fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7),
  })
  const zones = Intl.supportedValuesOf('timeZone')
  // Today is an instant seen from some place, so that daylight-saving nights and the date line decide it as in real
  // life.
  const someToday = fc
    .tuple(
      fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) }),
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 360 }),
    )
    .map(([instant, zone, dayStart]) => dayOf(instant, zone, dayStart))
  // Mostly completed days with gaps, some twice, up to two days ahead of today.
  const history = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 })), {
    maxLength: 12,
  })

  function completedDays(end: Day, ahead: number, stretches: [number, number][]): Day[] {
    const found: Day[] = []
    let cursor = addDays(end, ahead)
    for (const [gap, length] of stretches) {
      for (let n = 0; n < length; n += 1) found.push(addDays(cursor, -n))
      cursor = addDays(cursor, -(length + gap))
    }
    return found
  }

  /** The days of each period, newest first, from `to` back to `from`: found by walking, not by arithmetic. */
  function periodsBack(from: string, to: string, { frequency, weekStart }: Rhythm): string[][] {
    let cursor = Temporal.PlainDate.from(to)
    if (frequency === 'weekly')
      while (cursor.add({ days: 1 }).dayOfWeek !== weekStart) cursor = cursor.add({ days: 1 })
    const periods: string[][] = []
    let period: string[] = []
    while (cursor.toString() >= from || period.length > 0) {
      period.push(cursor.toString())
      if (frequency === 'daily' || cursor.dayOfWeek === weekStart) {
        periods.push(period)
        period = []
      }
      cursor = cursor.subtract({ days: 1 })
    }
    return periods
  }

  function model(completed: Day[], now: Day, how: Rhythm) {
    const done = new Set<string>(completed)
    const end = completed.reduce<string>((latest, day) => (day > latest ? day : latest), now)
    const start = completed.reduce<string>((earliest, day) => (day < earliest ? day : earliest), now)
    const completedPeriods = periodsBack(start, end, how).map((period) => period.some((day) => done.has(day)))
    let current = 0
    for (const [index, is] of completedPeriods.entries()) {
      if (is) current += 1
      else if (index > 0) break
    }
    let longest = 0
    let run = 0
    for (const is of completedPeriods) {
      run = is ? run + 1 : 0
      longest = Math.max(longest, run)
    }
    return { current, longest }
  }

  test('current and longest streak agree, in every zone, week start and order of days', () => {
    fc.assert(
      fc.property(
        someToday,
        rhythm,
        fc.integer({ min: -20, max: 2 }),
        history,
        fc.boolean(),
        (now, how, ahead, stretches, turned) => {
          const completed = completedDays(now, ahead, stretches)
          if (turned) completed.reverse()
          const expected = model(completed, now, how)
          expect(currentStreak(completed, now, how)).toBe(expected.current)
          expect(longestStreak(completed, how)).toBe(expected.longest)
        },
      ),
      { numRuns: runs(10_000, 1_000) },
    )
  })

  test('completions summed up at any day give the same streaks as all of them one by one', () => {
    fc.assert(
      fc.property(
        someToday,
        rhythm,
        fc.integer({ min: -20, max: 2 }),
        history,
        fc.nat({ max: 500 }),
        (now, how, ahead, stretches, back) => {
          const completed = completedDays(now, ahead, stretches)
          const earlier = sumUpBefore(completed, addDays(now, -back), how)
          const since = completed.filter((day) => day >= earlier.from)
          expect(currentStreak(since, now, how, earlier)).toBe(currentStreak(completed, now, how))
          expect(longestStreak(since, how, earlier)).toBe(longestStreak(completed, how))

          const later = sumUpBefore(since, addDays(now, -6), how, earlier)
          expect(later).toEqual(back > 6 ? sumUpBefore(completed, addDays(now, -6), how) : earlier)
        },
      ),
      { numRuns: runs(10_000, 1_000) },
    )
  })

  test('a rate counts the periods due and done, and today only once it is done', () => {
    fc.assert(
      fc.property(
        someToday,
        rhythm,
        fc.integer({ min: -20, max: 2 }),
        history,
        fc.nat({ max: 400 }),
        fc.nat({ max: 400 }),
        fc.nat({ max: 400 }),
        (now, how, ahead, stretches, startBack, fromBack, length) => {
          const completed = completedDays(now, ahead, stretches)
          const done = new Set<string>(completed)
          const start = addDays(now, -startBack)
          const range = { from: addDays(now, -fromBack), to: addDays(now, length - fromBack) }
          const first = range.from > start ? range.from : start
          const thisPeriod = (period: string[]) => period.includes(now)
          const counted = (range.to < first ? [] : periodsBack(first, range.to, how)).filter(
            (period) => thisPeriod(period) || (period[0] ?? '') < now,
          )
          const completedPeriods = counted.filter((period) => period.some((day) => done.has(day)))
          const open = counted.filter((period) => thisPeriod(period) && !period.some((day) => done.has(day)))
          expect(countPeriods(completed, range, start, now, how)).toEqual({
            done: completedPeriods.length,
            due: counted.length - open.length,
          })
        },
      ),
      { numRuns: runs(10_000, 1_000) },
    )
  })

  test("completed says whether a day of today's period was done", () => {
    fc.assert(
      fc.property(
        someToday,
        rhythm,
        fc.integer({ min: -20, max: 2 }),
        history,
        (now, how, ahead, stretches) => {
          const completed = completedDays(now, ahead, stretches)
          const period = periodsBack(now, now, how)[0] ?? []
          expect(isCompleted(completed, now, how)).toBe(period.some((day) => completed.includes(day as Day)))
          expect([periodEnd(now, how), periodStart(now, how)]).toEqual([period[0], period.at(-1)])
        },
      ),
      { numRuns: runs(10_000, 1_000) },
    )
  })

  test('the rate of a listed habit looks back 30 days, or 12 weeks including the current one', () => {
    expect(rateRange(today, daily)).toEqual({ from: '2026-10-22', to: today })
    expect(rateRange(today, weekly)).toEqual({ from: '2026-08-31', to: today })
  })
})
