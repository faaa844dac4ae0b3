import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Day } from '#platform/calendar/day.ts'
import { runs } from '../../../../testing/runs.ts'
import {
  type AmountEntry,
  addedAmountSchema,
  amountOf,
  type FocusedSession,
  focusedMinutes,
  lessOf,
  setAmountSchema,
  settledBy,
  stepOf,
  sumOf,
} from './amounts.ts'

const entry = (id: string, value: number, at: number, more: Partial<AmountEntry> = {}): AmountEntry => ({
  id,
  value,
  at,
  set: false,
  deleted: false,
  ...more,
})

describe('the amount of a day', () => {
  test('is null without an entry, and 0 once 0 is set', () => {
    expect(amountOf([])).toBeNull()
    expect(amountOf([entry('a', 0, 1, { set: true })])).toBe(0)
  })

  test('two devices that each add a glass make two', () =>
    expect(amountOf([entry('a', 1_000, 1), entry('b', 1_000, 1)])).toBe(2_000))

  test('only the latest set counts, with the adds that it does not name', () =>
    expect(
      amountOf([
        entry('a', 1_000, 1),
        entry('b', 9_000, 2, { set: true, settles: ['a'] }),
        entry('c', 5_000, 3, { set: true, settles: ['a'] }),
        entry('d', 500, 2),
      ]),
    ).toBe(5_500))

  test('a set without names names what is earlier, and its names stay when more arrives', () => {
    const early = entry('a', 1_000, 1)
    const late = entry('z', 2_000, 2)
    expect(settledBy(5, [early])).toEqual(['a'])
    expect(amountOf([early, late, entry('s', 4_000, 5, { set: true })])).toBe(4_000)
    expect(amountOf([early, late, entry('s', 4_000, 5, { set: true, settles: settledBy(5, [early]) })])).toBe(
      6_000,
    )
  })

  test('deleting the latest set lets the one before count again, with what only the latest had named', () =>
    expect(
      amountOf([
        entry('s', 3_000, 1, { set: true, settles: [] }),
        entry('a', 1_000, 2),
        entry('t', 9_000, 3, { set: true, settles: ['a'], deleted: true }),
      ]),
    ).toBe(4_000))

  test('is the same in every order, and as a day that is replayed entry by entry says', () => {
    const some = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 0, max: 40 }).map((n) => `id-${String(n).padStart(2, '0')}`),
        value: fc.integer({ min: 0, max: 50 }),
        at: fc.integer({ min: 0, max: 8 }),
        set: fc.boolean(),
        deleted: fc.nat({ max: 3 }).map((n) => n === 0),
        settles: fc.option(
          fc.array(fc.integer({ min: 0, max: 40 }).map((n) => `id-${String(n).padStart(2, '0')}`)),
          {
            nil: undefined,
          },
        ),
      }),
      { selector: ({ id }) => id, maxLength: 10 },
    )
    fc.assert(
      fc.property(some, fc.nat(), (entries, turn) => {
        let base: (typeof entries)[number] | undefined
        for (const each of entries) {
          if (!each.set || each.deleted) continue
          if (!base || each.at > base.at || (each.at === base.at && each.id > base.id)) base = each
        }
        let expected = base ? base.value : 0
        let any = base !== undefined
        for (const each of entries) {
          if (each.set || each.deleted) continue
          if (base && (base.settles ? base.settles.includes(each.id) : each.at < base.at)) continue
          expected += each.value
          any = true
        }
        const turned = [
          ...entries.slice(turn % (entries.length + 1)),
          ...entries.slice(0, turn % (entries.length + 1)),
        ]
        expect(amountOf(turned)).toBe(any ? expected : null)
      }),
      { numRuns: runs(20_000, 1_000) },
    )
  })
})

const session = (id: string, seconds: number, at: number, deleted = false): FocusedSession => ({
  id,
  day: '2026-11-20' as Day,
  seconds,
  at,
  deleted,
})

describe('the minutes of a day', () => {
  test('are the whole minutes of its sessions together, on top of what was entered', () => {
    expect(amountOf([], [])).toBeNull()
    expect(amountOf([], [session('a', 59, 1)])).toBe(0)
    expect(amountOf([], [session('a', 90, 1), session('b', 90, 2)])).toBe(3_000)
    expect(amountOf([entry('x', 5_500, 1)], [session('a', 1_500, 1), session('b', 1_510, 2)])).toBe(55_500)
  })

  test('a set names sessions as it names adds, and what comes later counts on top', () => {
    const sessions = [session('a', 1_500, 1), session('b', 600, 3)]
    const set = entry('s', 30_000, 2, { set: true, settles: settledBy(2, [], sessions) })
    expect(amountOf([set], sessions)).toBe(40_000)
    expect(amountOf([{ ...set, settles: ['a', 'b'] }], sessions)).toBe(30_000)
    expect(amountOf([{ ...set, settles: undefined }], sessions)).toBe(40_000)
    expect(amountOf([{ ...set, deleted: true }], sessions)).toBe(35_000)
  })

  test('one that is deleted counts no more, and one that comes back does, unless a set has replaced it', () => {
    expect(amountOf([], [session('a', 1_500, 1, true), session('b', 600, 2)])).toBe(10_000)
    const set = entry('s', 0, 9, { set: true, settles: settledBy(9, [], [session('a', 1_500, 1, true)]) })
    expect(amountOf([set], [session('a', 1_500, 1)])).toBe(0)
  })

  test('are the same in every order, and as a list that is crossed out session by session says', () => {
    const name = fc.integer({ min: 0, max: 14 }).map((n) => `id-${String(n).padStart(2, '0')}`)
    const at = fc.integer({ min: 0, max: 8 })
    const deleted = fc.nat({ max: 3 }).map((n) => n === 0)
    const someEntries = fc.uniqueArray(
      fc.record({
        id: name,
        value: fc.integer({ min: 0, max: 50 }),
        at,
        set: fc.boolean(),
        deleted,
        settles: fc.option(fc.array(name), { nil: undefined }),
      }),
      { selector: ({ id }) => id, maxLength: 6 },
    )
    const someSessions = fc.uniqueArray(
      fc.record({
        id: name.map((id) => `of ${id}`),
        seconds: fc.integer({ min: 1, max: 200 }),
        at,
        deleted,
      }),
      { selector: ({ id }) => id, maxLength: 6 },
    )
    fc.assert(
      fc.property(someEntries, someSessions, fc.nat(), (entries, some, turn) => {
        const sessions = some.map((each) => session(each.id, each.seconds, each.at, each.deleted))
        const named = entries.map((each) => ({
          ...each,
          settles: each.settles?.flatMap((id) => [id, `of ${id}`]),
        }))
        // The sets from the oldest on: each crosses out what stands, and whatever it says is what stands then.
        const sets = named
          .filter((each) => each.set && !each.deleted)
          .sort((a, b) => a.at - b.at || a.id.localeCompare(b.id))
        const last = sets.at(-1)
        const stands = <Each extends { id: string; at: number; deleted: boolean }>(each: Each) => {
          if (each.deleted) return false
          if (!last) return true
          return last.settles ? !last.settles.includes(each.id) : each.at >= last.at
        }
        const adds = named.filter((each) => !each.set && stands(each))
        const counted = sessions.filter(stands)
        let expected = last?.value ?? 0
        for (const each of adds) expected += each.value
        let seconds = 0
        let minutes = 0
        for (const each of counted) {
          for (let second = 0; second < each.seconds; second += 1) {
            seconds += 1
            if (seconds % 60 === 0) minutes += 1
          }
        }
        const isEmpty = !last && adds.length + counted.length === 0
        const turned = [
          ...sessions.slice(turn % (sessions.length + 1)),
          ...sessions.slice(0, turn % (sessions.length + 1)),
        ]
        expect(amountOf(named.toReversed(), turned)).toBe(isEmpty ? null : expected + minutes * 1_000)
        const entered = amountOf(named)
        expect(sumOf(entered, focusedMinutes(named, turned))).toBe(amountOf(named, turned))
      }),
      { numRuns: runs(20_000, 1_000) },
    )
  })
})

test.each([
  [8_000, 1_000],
  [20_000, 1_000],
  [21_000, 2_000],
  [30_000, 2_000],
  [35_000, 5_000],
  [50_000, 5_000],
  [75_000, 10_000],
  [100_000, 10_000],
  [2_000_000, 200_000],
  [10_000_000, 1_000_000],
  [0, 1_000],
])('a step towards %i is %i', (amount, step) => {
  expect(stepOf({ at: 'least', amount, unit: 'ml', per: 'day' })).toBe(step)
})

describe('less', () => {
  test('deletes the newest add that counts', () => {
    expect(lessOf([entry('a', 1_000, 1), entry('b', 1_000, 2)], 1_000)).toEqual({ delete: 'b' })
    expect(lessOf([entry('a', 1_000, 1), entry('b', 1_000, 2, { deleted: true })], 1_000)).toEqual({
      delete: 'a',
    })
  })

  test('sets a step less where no add counts, at least 0', () => {
    const settled = [entry('a', 1_000, 1), entry('s', 1_500, 2, { set: true, settles: ['a'] })]
    expect(lessOf(settled, 1_000)).toEqual({ set: 500 })
    expect(lessOf([entry('s', 500, 2, { set: true })], 1_000)).toEqual({ set: 0 })
  })

  test('sets a step less than what was focused, and deletes no session', () =>
    expect(lessOf([], 5_000, [session('a', 1_500, 1)])).toEqual({ set: 20_000 }))
})

test('an add is from 1, a set from 0, both to a milliard of thousandths and whole', () => {
  const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success
  expect([0, 1, 1_000_000_000, 1_000_000_001, 1.5].map((value) => accepts(addedAmountSchema, value))).toEqual(
    [false, true, true, false, false],
  )
  expect([-1, 0, 1_000_000_000, 1_000_000_001, 0.5].map((value) => accepts(setAmountSchema, value))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})
