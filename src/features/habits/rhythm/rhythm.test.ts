import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Day } from '#platform/calendar/day.ts'
import { runs } from '../../../../testing/runs.ts'
import { someRhythm, someTarget } from '../testing/some-habit.ts'
import {
  frequencyOf,
  type Rhythm,
  type RhythmRow,
  rhythmChangedBy,
  rhythmOn,
  sameRhythm,
  sameTarget,
  spansOf,
  streakUnitOf,
  type Target,
} from './rhythm.ts'
import { rhythmSchema, targetSchema } from './rhythm-schema.ts'

function messageOf(schema: z.ZodMiniType, sent: unknown): string | null {
  const parsed = z.safeParse(schema, sent)
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'no message')
}

describe('a rhythm as it is sent', () => {
  test.each<Rhythm>([
    { times: 1, per: 'week' },
    { times: 7, per: 'week' },
    { times: 28, per: 'month' },
    { times: 1, days: 1 },
    { times: 366, days: 366 },
    { weekdays: [7] },
    { weekdays: [1, 2, 3, 4, 5, 6, 7] },
    { every: 1 },
    { every: 366 },
  ])('%j is accepted as it is', (rhythm) => {
    expect(z.parse(rhythmSchema, rhythm)).toEqual(rhythm)
  })

  test.each([
    [{ times: 8, per: 'week' }, 'Expected at most 7 times a week'],
    [{ times: 29, per: 'month' }, 'Expected at most 28 times a month'],
    [{ times: 0, per: 'week' }, 'Expected at least once'],
    [{ times: 1.5, per: 'week' }, 'Expected a whole number of times'],
    [{ times: 1, per: 'year' }, 'Expected week or month'],
    [{ times: 3, days: 2 }, 'Expected at most as many times as days'],
    [{ times: 1, days: 367 }, 'Expected at most 366 days'],
    [{ times: 1, days: 0 }, 'Expected at least 1 day'],
    [{ weekdays: [] }, 'Expected at least one weekday'],
    [{ weekdays: [1, 1] }, 'Expected each weekday once'],
    [{ weekdays: [0] }, 'Expected weekdays from 1 (Monday) to 7 (Sunday)'],
    [{ weekdays: [8] }, 'Expected weekdays from 1 (Monday) to 7 (Sunday)'],
    [{ weekdays: 'mo' }, 'Expected a list of weekdays'],
    [{ every: 0 }, 'Expected at least 1 day'],
    [{ every: 367 }, 'Expected at most 366 days'],
    [{ every: '2' }, 'Expected a whole number of days'],
    [{ every: 2, weekdays: [1] }, expect.stringContaining('Expected {times, per}')],
    [{ every: 2, months: 1 }, expect.stringContaining('Expected {times, per}')],
    [{ per: 'week' }, expect.stringContaining('Expected {times, per}')],
    [{}, expect.stringContaining('Expected {times, per}')],
    ['daily', expect.stringContaining('Expected {times, per}')],
    [null, expect.stringContaining('Expected {times, per}')],
  ])('%j is refused, and says why', (sent, message) => {
    expect(messageOf(rhythmSchema, sent)).toEqual(message)
  })
})

describe('a target as it is sent', () => {
  const water = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
  test.each<unknown>([
    'yes',
    water,
    { ...water, amount: 1 },
    { ...water, amount: 1_000_000_000 },
    { ...water, at: 'most', amount: 0 },
    { ...water, per: 'month' },
  ])('%j is accepted as it is', (target) => {
    expect(z.parse(targetSchema, target)).toEqual(target)
  })

  test('a unit is trimmed', () =>
    expect(z.parse(targetSchema, { ...water, unit: '  km ' })).toEqual({ ...water, unit: 'km' }))

  test.each([
    [{ ...water, amount: 0 }, 'Expected an amount of at least 1 thousandth'],
    [{ ...water, at: 'most', amount: -1 }, 'Expected an amount of at least 0'],
    [{ ...water, amount: 1_000_000_001 }, 'Expected an amount of at most 1000000000 thousandths'],
    [{ ...water, amount: 0.5 }, 'Expected an amount in whole thousandths'],
    [{ ...water, unit: ' ' }, 'Unit must not be empty'],
    [{ ...water, unit: 'x'.repeat(51) }, 'Unit must not exceed 50 characters'],
    [{ ...water, at: 'about' }, 'Expected least or most'],
    [{ ...water, per: 'year' }, 'Expected day, week or month'],
    [{ ...water, colour: 'blue' }, 'Expected "yes", or {at, amount, unit, per}'],
    ['no', 'Expected "yes", or {at, amount, unit, per}'],
    [null, 'Expected "yes", or {at, amount, unit, per}'],
  ])('%j is refused, and says why', (sent, message) => {
    expect(messageOf(targetSchema, sent)).toBe(message)
  })
})

const row = (from_day: string, rhythm: Rhythm | null, target: Target | null = null): RhythmRow => ({
  from_day: from_day as Day,
  rhythm,
  target,
})
const on = (rows: RhythmRow[], day: string) => rhythmOn(rows, day as Day)

describe('the rows of a habit', () => {
  const rows = [
    row('2026-03-01', { times: 3, per: 'week' }),
    row('2026-01-01', { every: 1 }, 'yes'),
    row('2026-05-01', null, { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }),
  ]

  test('the first holds for all days before it', () =>
    expect(on(rows, '2020-07-07')).toEqual({ rhythm: { every: 1 }, target: 'yes' }))

  test('each counts from its day on, and the past keeps its own', () => {
    expect(on(rows, '2026-02-28').rhythm).toEqual({ every: 1 })
    expect(on(rows, '2026-03-01').rhythm).toEqual({ times: 3, per: 'week' })
  })

  test('a part that is null reads as the row before', () => {
    expect(on(rows, '2026-04-30').target).toBe('yes')
    expect(on(rows, '2026-05-01')).toEqual({
      rhythm: { times: 3, per: 'week' },
      target: { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' },
    })
  })

  test('one that is equal to the one before counts as none, so undoing a change leaves no trace', () =>
    expect(
      spansOf([row('2026-01-01', { every: 1 }, 'yes'), row('2026-03-01', { every: 1 }, 'yes')]),
    ).toHaveLength(1))

  test('the same rhythm from another day counts as none: its days stay', () => {
    const [span, ...others] = spansOf([
      row('2026-01-01', { every: 3 }, 'yes'),
      row('2026-01-02', { every: 3 }),
    ])
    expect(others).toEqual([])
    expect(span?.anchor).toBe(20_454)
  })

  test('a change of the target alone keeps the days of the rhythm', () => {
    const spans = spansOf([
      row('2026-01-01', { every: 3 }, 'yes'),
      row('2026-01-08', null, { at: 'most', amount: 0, unit: 'cups', per: 'day' }),
    ])
    expect(spans.map(({ anchor }) => anchor)).toEqual([20_454, 20_454])
  })

  test('weekdays are the same in any order', () => {
    expect(sameRhythm({ weekdays: [1, 3] }, { weekdays: [3, 1] })).toBe(true)
    expect(sameRhythm({ weekdays: [1, 3] }, { weekdays: [1, 4] })).toBe(false)
  })

  test('rhythms and targets are equal to themselves alone', () => {
    const ordered = (rhythm: Rhythm) =>
      'weekdays' in rhythm ? { weekdays: rhythm.weekdays.toSorted() } : rhythm
    fc.assert(
      fc.property(someRhythm, someRhythm, someTarget, someTarget, (one, other, goal, another) => {
        const isEqual = (a: unknown, b: unknown) =>
          JSON.stringify(Object.entries(Object(a)).toSorted()) ===
          JSON.stringify(Object.entries(Object(b)).toSorted())
        expect(sameRhythm(one, one)).toBe(true)
        expect(sameRhythm(one, other)).toBe(isEqual(ordered(one), ordered(other)))
        expect(sameTarget(goal, another)).toBe(goal === another || isEqual(goal, another))
      }),
      { numRuns: runs(20_000, 500) },
    )
  })
})

test.each<[Rhythm, Target, string, string]>([
  [{ every: 1 }, 'yes', 'daily', 'days'],
  [{ times: 1, per: 'week' }, 'yes', 'weekly', 'weeks'],
  [{ times: 7, per: 'week' }, 'yes', 'weekly', 'weeks'],
  [{ times: 3, per: 'month' }, 'yes', 'weekly', 'months'],
  [{ times: 2, days: 6 }, 'yes', 'daily', 'times'],
  [{ times: 2, days: 7 }, 'yes', 'weekly', 'times'],
  [{ weekdays: [2, 4] }, 'yes', 'daily', 'times'],
  [{ weekdays: [2] }, 'yes', 'weekly', 'times'],
  [{ every: 6 }, 'yes', 'daily', 'times'],
  [{ every: 7 }, 'yes', 'weekly', 'times'],
  [{ every: 1 }, { at: 'least', amount: 1, unit: 'km', per: 'week' }, 'weekly', 'weeks'],
  [{ every: 1 }, { at: 'most', amount: 1, unit: 'h', per: 'month' }, 'weekly', 'months'],
  [{ every: 1 }, { at: 'least', amount: 1, unit: 'km', per: 'day' }, 'daily', 'days'],
])('%j with %j answers as %s and counts %s', (rhythm, target, frequency, unit) => {
  expect([frequencyOf(rhythm, target), streakUnitOf(rhythm, target)]).toEqual([frequency, unit])
})

test('an edit with a frequency keeps the rhythm, unless it changes the one that was answered', () => {
  const present = { rhythm: { times: 3, per: 'week' }, target: 'yes' } as const
  expect(rhythmChangedBy('weekly', present)).toBeNull()
  expect(rhythmChangedBy('daily', present)).toEqual({ every: 1 })
  expect(rhythmChangedBy('weekly', { rhythm: { every: 2 }, target: 'yes' })).toEqual({
    times: 1,
    per: 'week',
  })
})
