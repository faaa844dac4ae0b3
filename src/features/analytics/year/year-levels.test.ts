import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { runs } from '../../../../testing/runs.ts'
import { scaleTopOf } from '../chart/scale-top.ts'
import { type DayValue, sumOf } from '../metrics/day-value.ts'
import { habitsByFocus } from '../patterns/focus-and-habits.ts'
import { bestWeekday, byWeekday } from '../patterns/weekdays.ts'
import { levelOf, stepsOf } from './year-levels.ts'

const monday = '2026-01-05' as Day
const days = (amounts: readonly number[], occasions = 0): DayValue[] =>
  amounts.map((amount, place) => ({ day: addDays(monday, place), amount, occasions }))
const weeks = (week: readonly number[], count: number, occasions = 0) =>
  days(Array.from({ length: count }, () => week).flat(), occasions)

describe('the levels of the year', () => {
  test('of habits are thirds of what was due', () => {
    const level = (amount: number, occasions: number) => levelOf({ amount, occasions }, undefined)
    expect([0, 1, 2, 3, 4, 5, 6].map((done) => level(done, 6))).toEqual([0, 1, 1, 2, 2, 3, 4])
    expect(level(1, 1)).toBe(4)
  })

  test('of to-dos and focus rise with the amount, and every amount has one', () => {
    const amounts = fc.array(fc.nat({ max: 40_000 }), { maxLength: 400 })
    fc.assert(
      fc.property(fc.constantFrom('todos' as const, 'focus' as const), amounts, (metric, year) => {
        const steps = stepsOf(metric, days(year))
        if (!steps) throw new Error('no steps')
        expect(steps[0]).toBeGreaterThan(0)
        expect([steps[1], steps[2]]).toEqual([steps[0] * 2, steps[0] * 3])
        let before = 0
        for (const amount of year.toSorted((a, b) => a - b)) {
          const level = levelOf({ amount, occasions: 0 }, steps)
          expect(level).toBeGreaterThanOrEqual(before)
          expect(level === 0).toBe(amount === 0)
          before = level
        }
      }),
      { numRuns: runs(2_000, 100) },
    )
  })

  test('one extraordinary day does not make all others look pale', () => {
    expect(stepsOf('todos', days([...Array.from({ length: 40 }, () => 8), 500]))).toEqual([2, 4, 6])
    expect(stepsOf('focus', [])).toEqual([900, 1_800, 2_700])
  })
})

describe('the best weekday', () => {
  test('is the one with the highest rate, in the order of the person’s week', () => {
    const weekdays = byWeekday('todos', weeks([1, 5, 2, 3, 4, 0, 0], 4), 7)
    expect(weekdays.map(({ weekday }) => weekday)).toEqual([7, 1, 2, 3, 4, 5, 6])
    expect(bestWeekday(weekdays)).toMatchObject({ weekday: 2, rate: 5, amount: 20 })
  })

  test('of habits goes by the share, not by the number', () => {
    const most = days([4, 2, 1, 1, 1, 1, 1]).map((day, place) => ({ ...day, occasions: place === 1 ? 2 : 8 }))
    const year = [0, 7, 14, 21].flatMap((later) =>
      most.map((value) => ({ ...value, day: addDays(value.day, later) })),
    )
    expect(bestWeekday(byWeekday('habits', year, 1))).toMatchObject({ weekday: 2, rate: 1 })
  })

  test('is not named while a weekday has occurred less than four times, or if two are equal', () => {
    expect(bestWeekday(byWeekday('todos', weeks([1, 5, 2, 3, 4, 0, 0], 4).slice(0, -1), 1))).toBeUndefined()
    expect(bestWeekday(byWeekday('todos', weeks([5, 5, 2, 3, 4, 0, 0], 4), 1))).toBeUndefined()
    expect(bestWeekday(byWeekday('todos', weeks([0, 0, 0, 0, 0, 0, 0], 4), 1))).toBeUndefined()
    expect(bestWeekday(byWeekday('habits', weeks([0, 0, 0, 0, 0, 0, 0], 4), 1))).toBeUndefined()
  })

  test('loses no day and counts none twice', () => {
    const anyDays = fc.array(fc.nat(50), { maxLength: 100 }).map((amounts) => days(amounts, 50))
    const starts = fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7)
    fc.assert(
      fc.property(anyDays, starts, (year, weekStart) => {
        const weekdays = byWeekday('todos', year, weekStart)
        expect(sumOf(weekdays)).toEqual(sumOf(year))
        const counted = weekdays.flatMap((weekday) => weekday.days.map(({ day }) => day)).toSorted()
        expect(counted).toEqual(year.map(({ day }) => day))
      }),
      { numRuns: runs(1_000, 50) },
    )
  })
})

test('focus and habits: every day with a habit due is in exactly one band', () => {
  const pairs = fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(6_000)), { maxLength: 90 })
  fc.assert(
    fc.property(pairs, (some) => {
      const habits = days(some.map(([a, b]) => Math.min(a, b))).map((value, place) => ({
        ...value,
        occasions: some[place]?.[1] ?? 0,
      }))
      const bands = habitsByFocus(habits, days(some.map(([, , seconds]) => seconds)))
      const due = habits.filter(({ occasions }) => occasions > 0)
      const counted = bands.flatMap((band) => band.days.map(({ day }) => day)).toSorted()
      expect(counted).toEqual(due.map(({ day }) => day))
      expect(sumOf(bands)).toEqual(sumOf(due))
    }),
    { numRuns: runs(1_000, 50) },
  )
})

test('the top of a chart is never below a bar and never zero', () => {
  expect(scaleTopOf('todos', [])).toBe(1)
  expect(scaleTopOf('todos', days([4, 2]))).toBe(4)
  expect(scaleTopOf('habits', days([1, 2], 5))).toBe(5)
  expect(scaleTopOf('focus', days([1_500]))).toBe(1_800)
  expect(scaleTopOf('focus', days([36_001]))).toBe(72_000)
})
