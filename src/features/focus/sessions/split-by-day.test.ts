import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import { dayValidUntil } from '#platform/calendar/next-day.ts'
import { runs } from '../../../../testing/runs.ts'
import { splitByDay } from './split-by-day.ts'

interface Stretch {
  from: Instant
  to: Instant
}

const stretch = (from: string, to: string): Stretch => ({ from: Date.parse(from), to: Date.parse(to) })

describe('focused seconds by day', () => {
  test('a session within a day counts on that day', () => {
    expect(splitByDay([stretch('2026-11-20T09:00:00Z', '2026-11-20T09:25:00Z')], 'UTC', 0)).toEqual([
      { day: '2026-11-20', seconds: 1_500 },
    ])
  })

  test('a session across midnight counts on both days', () => {
    const late = stretch('2026-11-20T22:50:00Z', '2026-11-20T23:15:00Z')
    expect(splitByDay([late], 'Europe/Copenhagen', 0)).toEqual([
      { day: '2026-11-20', seconds: 600 },
      { day: '2026-11-21', seconds: 900 },
    ])
  })

  test('if the day starts at 3, midnight splits nothing and 3 o’clock does', () => {
    const overMidnight = stretch('2026-11-20T23:50:00Z', '2026-11-21T00:15:00Z')
    const overThree = stretch('2026-11-21T02:50:00Z', '2026-11-21T03:15:00Z')
    expect(splitByDay([overMidnight], 'UTC', 180)).toEqual([{ day: '2026-11-20', seconds: 1_500 }])
    expect(splitByDay([overThree], 'UTC', 180)).toEqual([
      { day: '2026-11-20', seconds: 600 },
      { day: '2026-11-21', seconds: 900 },
    ])
  })

  test('a pause counts nowhere, even if midnight falls in it', () => {
    const before = stretch('2026-11-20T23:40:00Z', '2026-11-20T23:50:00Z')
    const after = stretch('2026-11-22T00:10:00Z', '2026-11-22T00:25:00Z')
    expect(splitByDay([before, after], 'UTC', 0)).toEqual([
      { day: '2026-11-20', seconds: 600 },
      { day: '2026-11-22', seconds: 900 },
    ])
  })

  test('parts of a second before and after midnight add up to one, which is not lost', () => {
    const half = stretch('2026-11-20T23:59:58.600Z', '2026-11-21T00:00:01.400Z')
    expect(splitByDay([half], 'UTC', 0)).toEqual([
      { day: '2026-11-20', seconds: 1 },
      { day: '2026-11-21', seconds: 1 },
    ])
    const parts = [
      stretch('2026-11-20T23:00:00.000Z', '2026-11-20T23:00:00.500Z'),
      stretch('2026-11-21T01:00:00.000Z', '2026-11-21T01:00:00.500Z'),
    ]
    expect(splitByDay(parts, 'UTC', 0)).toEqual([{ day: '2026-11-21', seconds: 1 }])
  })

  test('less than a second, and nothing at all, counts on no day', () => {
    expect(splitByDay([stretch('2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.999Z')], 'UTC', 0)).toEqual(
      [],
    )
    expect(splitByDay([], 'UTC', 0)).toEqual([])
  })

  test('the night when the clocks go forward is an hour shorter, the one when they go back an hour longer', () => {
    const day = (from: string, to: string) => splitByDay([stretch(from, to)], 'Europe/Copenhagen', 0)
    expect(day('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toEqual([
      { day: '2026-03-29', seconds: 23 * 3_600 },
    ])
    expect(day('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toEqual([
      { day: '2026-10-25', seconds: 25 * 3_600 },
    ])
  })

  test('clocks that go back across midnight return to the day before, and the days are still in order', () => {
    // In St. John's one minute past midnight became 23:01 of the day before.
    expect(
      splitByDay([stretch('2006-10-29T02:30:00Z', '2006-10-29T02:32:00Z')], 'America/St_Johns', 0),
    ).toEqual([
      { day: '2006-10-28', seconds: 60 },
      { day: '2006-10-29', seconds: 60 },
    ])
  })

  test('a day that a place skipped has no seconds', () => {
    // Samoa crossed the date line at the end of 29 December 2011.
    expect(splitByDay([stretch('2011-12-30T09:50:00Z', '2011-12-30T10:10:00Z')], 'Pacific/Apia', 0)).toEqual([
      { day: '2011-12-29', seconds: 600 },
      { day: '2011-12-31', seconds: 600 },
    ])
  })
})

describe('against a model that asks for every second which day it is', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const dayStart = fc.integer({ min: 0, max: 360 })
  const instant = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) })
  const pieces = fc.array(
    fc.record({
      gap: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ max: 3_600_000, min: 1 }),
      ),
      length: fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
        { weight: 3, arbitrary: fc.integer({ min: 0, max: 3 * 3_600_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 26 * 3_600_000 }) },
      ),
    }),
    { maxLength: 5 },
  )
  const before = fc.oneof(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 7 * 3_600_000 }))

  function stretchesFrom(start: Instant, made: { gap: number; length: number }[]): Stretch[] {
    let at = start
    return made.map(({ gap, length }) => {
      const from = at + gap
      at = from + length
      return { from, to: at }
    })
  }

  /** Since 1990 clocks have changed at whole minutes, and days start at whole minutes: all of a minute is on one day. */
  function model(stretches: Stretch[], inZone: string, start: number): { day: string; seconds: number }[] {
    const minutes = new Map<number, string>()
    const dayAt = (at: Instant) => {
      const minute = Math.floor(at / 60_000)
      const known = minutes.get(minute)
      if (known) return known
      const day = dayOf(minute * 60_000, inZone, start)
      minutes.set(minute, day)
      return day
    }
    const counts: Record<string, number> = {}
    let passed = 0
    for (const { from, to } of stretches) {
      // Every second, at the millisecond that completes it.
      for (let at = from + 999 - (passed % 1_000); at < to; at += 1_000) {
        counts[dayAt(at)] = (counts[dayAt(at)] ?? 0) + 1
      }
      passed += to - from
    }
    return Object.keys(counts)
      .sort()
      .map((day) => ({ day, seconds: counts[day] ?? 0 }))
  }

  function expectAsModelled(stretches: Stretch[], inZone: string, start: number): void {
    const split = splitByDay(stretches, inZone, start)
    expect(split).toEqual(model(stretches, inZone, start))
    const total = stretches.reduce((sum, { from, to }) => sum + to - from, 0)
    expect(split.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(Math.floor(total / 1_000))
  }

  test('they agree around the start of a day, in every zone and with every day start', () => {
    fc.assert(
      fc.property(instant, zone, dayStart, before, pieces, (at, inZone, start, ahead, made) => {
        const boundary = dayValidUntil(at, inZone, start)
        expectAsModelled(stretchesFrom(boundary - ahead, made), inZone, start)
      }),
      { numRuns: runs(10_000, 60) },
    )
  })

  test('they agree on both sides of every daylight-saving change', () => {
    fc.assert(
      fc.property(instant, zone, dayStart, before, pieces, (at, inZone, start, ahead, made) => {
        const change = Temporal.Instant.fromEpochMilliseconds(at)
          .toZonedDateTimeISO(inZone)
          .getTimeZoneTransition('next')?.epochMilliseconds
        fc.pre(change !== undefined)
        expectAsModelled(stretchesFrom((change ?? 0) - ahead, made), inZone, start)
      }),
      { numRuns: runs(10_000, 60) },
    )
  })
})
