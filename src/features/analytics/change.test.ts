import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../testing/runs.ts'
import { changeOf, wholePercent } from './change.ts'

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

  test('of focus is whole minutes', () => {
    expect(changeOf('focus', figure(61_800, 40), figure(63_900, 41))).toMatchObject({ kind: 'less', by: 35 })
    expect(changeOf('focus', figure(100, 1), figure(60, 1))).toEqual({ kind: 'same' })
  })

  test('is none where there was nothing before', () => {
    expect(changeOf('todos', figure(5), figure(0))).toEqual({ kind: 'first' })
    expect(changeOf('focus', figure(5, 1), figure(0))).toEqual({ kind: 'first' })
    expect(changeOf('habits', figure(5, 7), figure(0, 0))).toEqual({ kind: 'first' })
    expect(changeOf('habits', figure(0, 0), figure(3, 7))).toEqual({ kind: 'first' })
    expect(changeOf('habits', figure(2, 7), figure(0, 7))).toMatchObject({ kind: 'more', before: 0, now: 29 })
  })

  test('told is always the difference of the two numbers told, and taken back the other way round', () => {
    const figures = fc.tuple(fc.nat(100_000), fc.nat(100_000)).map(([a, b]) => figure(Math.min(a, b), b))
    const measures = fc.constantFrom('todos' as const, 'habits' as const, 'focus' as const)
    fc.assert(
      fc.property(measures, figures, figures, (measure, now, before) => {
        const change = changeOf(measure, now, before)
        const back = changeOf(measure, before, now)
        // Seconds that make no minute, against none at all, are the same one way and the first the other way.
        if (change.kind === 'same') expect(back.kind).toMatch(/same|first/)
        if (change.kind === 'first' || change.kind === 'same') return
        expect(Math.abs(change.now - change.before)).toBe(change.by)
        expect(change.kind).toBe(change.now > change.before ? 'more' : 'less')
        expect(change.by).toBeGreaterThan(0)
        if (back.kind !== 'first') {
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
