import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { runs } from '../../../testing/runs.ts'
import { changeOf, comparedOf, wholePercent } from './change.ts'

const figure = (amount: number, beside = 0) => ({ amount, beside })

describe('the change against the range before', () => {
  test('of to-dos is their number', () => {
    expect(changeOf('todos', figure(56), figure(60))).toEqual({ kind: 'less', by: 4, before: 60, now: 56 })
    expect(changeOf('todos', figure(60), figure(56))).toMatchObject({ kind: 'more', by: 4 })
    expect(changeOf('todos', figure(60), figure(60))).toEqual({ kind: 'same' })
    expect(changeOf('todos', figure(0), figure(3))).toMatchObject({ kind: 'less', by: 3 })
  })

  test('of habits is that of their share, in points', () => {
    expect(changeOf('habits', figure(84, 118), figure(90, 120))).toEqual({
      kind: 'less',
      by: 4,
      before: 75,
      now: 71,
    })
    expect(changeOf('habits', figure(8, 10), figure(80, 100))).toEqual({ kind: 'same' })
  })

  test('of focus is that of its seconds, and none only where they are equal', () => {
    expect(changeOf('focus', figure(61_800, 40), figure(63_900, 41))).toMatchObject({
      kind: 'less',
      by: 2_100,
    })
    expect(changeOf('focus', figure(720, 1), figure(659, 1))).toMatchObject({ kind: 'more', by: 61 })
    expect(changeOf('focus', figure(100, 1), figure(60, 1))).toMatchObject({ kind: 'more', by: 40 })
    expect(changeOf('focus', figure(100, 1), figure(100, 2))).toEqual({ kind: 'same' })
  })

  test('is none where there was nothing before', () => {
    expect(changeOf('todos', figure(5), figure(0))).toEqual({ kind: 'first' })
    expect(changeOf('focus', figure(5, 1), figure(0))).toEqual({ kind: 'first' })
    expect(changeOf('habits', figure(5, 7), figure(0, 0))).toEqual({ kind: 'first' })
    expect(changeOf('habits', figure(0, 0), figure(0, 0))).toEqual({ kind: 'first' })
    expect(changeOf('habits', figure(2, 7), figure(0, 7))).toMatchObject({ kind: 'more', before: 0, now: 29 })
  })

  test('of habits is another thing where they were due before and are not now', () => {
    expect(changeOf('habits', figure(0, 0), figure(3, 7))).toEqual({ kind: 'none due' })
    expect(changeOf('habits', figure(0, 0), figure(0, 7))).toEqual({ kind: 'none due' })
  })

  test('of habits is no fall while today is still open, and what is done of today counts', () => {
    const today = '2026-11-20' as Day
    const week = (done: number, due: number) =>
      Array.from({ length: 7 }, (_, ago) => ({ day: addDays(today, -ago), ...figure(1, 1) })).with(0, {
        day: today,
        ...figure(done, due),
      })
    const change = (done: number, due: number) =>
      changeOf('habits', comparedOf('habits', week(done, due), today), figure(7, 7))
    expect(change(0, 1)).toEqual({ kind: 'same' })
    expect(change(1, 2)).toEqual({ kind: 'same' })
    expect(comparedOf('habits', week(1, 2), today)).toEqual(figure(7, 7))
    expect(comparedOf('habits', week(0, 1), addDays(today, 1))).toEqual(figure(6, 7))
    expect(comparedOf('focus', week(60, 2), today)).toEqual(figure(66, 8))
  })

  test('told is always the difference of the two numbers told, and taken back the other way round', () => {
    const figures = fc.tuple(fc.nat(100_000), fc.nat(100_000)).map(([a, b]) => figure(Math.min(a, b), b))
    const measures = fc.constantFrom('todos' as const, 'habits' as const, 'focus' as const)
    fc.assert(
      fc.property(measures, figures, figures, (measure, now, before) => {
        const change = changeOf(measure, now, before)
        const back = changeOf(measure, before, now)
        if (change.kind === 'same') expect(back.kind).toBe('same')
        if (change.kind !== 'more' && change.kind !== 'less') return
        expect(Math.abs(change.now - change.before)).toBe(change.by)
        expect(change.kind).toBe(change.now > change.before ? 'more' : 'less')
        expect(change.by).toBeGreaterThan(0)
        if (back.kind === 'more' || back.kind === 'less') {
          expect(back).toMatchObject({ kind: change.kind === 'more' ? 'less' : 'more', by: change.by })
        }
      }),
      { numRuns: runs(5_000, 200) },
    )
  })

  test('what is not all is never 100 %, what is not nothing never 0 %', () => {
    expect([wholePercent(figure(0, 9)), wholePercent(figure(9, 9))]).toEqual([0, 100])
    expect([wholePercent(figure(1, 900)), wholePercent(figure(899, 900))]).toEqual([1, 99])
  })
})
