import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { runs } from '../../../../testing/runs.ts'
import { comparableValue, trendOf, wholePercent } from './trend.ts'

const value = (amount: number, occasions = 0) => ({ amount, occasions })

describe('the trend against the previous range', () => {
  test('of to-dos compares their number', () => {
    expect(trendOf('todos', value(56), value(60))).toEqual({ kind: 'less', by: 4, before: 60, now: 56 })
    expect(trendOf('todos', value(60), value(56))).toMatchObject({ kind: 'more', by: 4 })
    expect(trendOf('todos', value(60), value(60))).toEqual({ kind: 'same' })
    expect(trendOf('todos', value(0), value(3))).toMatchObject({ kind: 'less', by: 3 })
  })

  test('of habits compares their share, in points', () => {
    expect(trendOf('habits', value(84, 118), value(90, 120))).toEqual({
      kind: 'less',
      by: 4,
      before: 75,
      now: 71,
    })
    expect(trendOf('habits', value(8, 10), value(80, 100))).toEqual({ kind: 'same' })
  })

  test('of focus compares its seconds, and is none only if they are equal', () => {
    expect(trendOf('focus', value(61_800, 40), value(63_900, 41))).toMatchObject({
      kind: 'less',
      by: 2_100,
    })
    expect(trendOf('focus', value(720, 1), value(659, 1))).toMatchObject({ kind: 'more', by: 61 })
    expect(trendOf('focus', value(100, 1), value(60, 1))).toMatchObject({ kind: 'more', by: 40 })
    expect(trendOf('focus', value(100, 1), value(100, 2))).toEqual({ kind: 'same' })
  })

  test('is none if there was nothing before', () => {
    expect(trendOf('todos', value(5), value(0))).toEqual({ kind: 'first' })
    expect(trendOf('focus', value(5, 1), value(0))).toEqual({ kind: 'first' })
    expect(trendOf('habits', value(5, 7), value(0, 0))).toEqual({ kind: 'first' })
    expect(trendOf('habits', value(0, 0), value(0, 0))).toEqual({ kind: 'first' })
    expect(trendOf('habits', value(2, 7), value(0, 7))).toMatchObject({ kind: 'more', before: 0, now: 29 })
  })

  test('of habits is a different case if they were due before and are not now', () => {
    expect(trendOf('habits', value(0, 0), value(3, 7))).toEqual({ kind: 'none due' })
    expect(trendOf('habits', value(0, 0), value(0, 7))).toEqual({ kind: 'none due' })
  })

  test('of habits does not fall while today is still open, and what is done today counts', () => {
    const today = '2026-11-20' as Day
    const week = (done: number, due: number) =>
      Array.from({ length: 7 }, (_, ago) => ({ day: addDays(today, -ago), ...value(1, 1) })).with(0, {
        day: today,
        ...value(done, due),
      })
    const change = (done: number, due: number) =>
      trendOf('habits', comparableValue('habits', week(done, due), today), value(7, 7))
    expect(change(0, 1)).toEqual({ kind: 'same' })
    expect(change(1, 2)).toEqual({ kind: 'same' })
    expect(comparableValue('habits', week(1, 2), today)).toEqual(value(7, 7))
    expect(comparableValue('habits', week(0, 1), addDays(today, 1))).toEqual(value(6, 7))
    expect(comparableValue('focus', week(60, 2), today)).toEqual(value(66, 8))
  })

  test('is always the difference of the two numbers shown, and its opposite the other way round', () => {
    const values = fc.tuple(fc.nat(100_000), fc.nat(100_000)).map(([a, b]) => value(Math.min(a, b), b))
    const allMetrics = fc.constantFrom('todos' as const, 'habits' as const, 'focus' as const)
    fc.assert(
      fc.property(allMetrics, values, values, (metric, now, before) => {
        const trend = trendOf(metric, now, before)
        const reversed = trendOf(metric, before, now)
        if (trend.kind === 'same') expect(reversed.kind).toBe('same')
        if (trend.kind !== 'more' && trend.kind !== 'less') return
        expect(Math.abs(trend.now - trend.before)).toBe(trend.by)
        expect(trend.kind).toBe(trend.now > trend.before ? 'more' : 'less')
        expect(trend.by).toBeGreaterThan(0)
        if (reversed.kind === 'more' || reversed.kind === 'less') {
          expect(reversed).toMatchObject({ kind: trend.kind === 'more' ? 'less' : 'more', by: trend.by })
        }
      }),
      { numRuns: runs(5_000, 200) },
    )
  })

  test('what is not everything is never 100 %, what is not nothing is never 0 %', () => {
    expect([wholePercent(value(0, 9)), wholePercent(value(9, 9))]).toEqual([0, 100])
    expect([wholePercent(value(1, 900)), wholePercent(value(899, 900))]).toEqual([1, 99])
  })
})
