import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf } from '#platform/calendar/day.ts'
import { dayValidUntil } from '#platform/calendar/next-day.ts'
import { runs } from '../../../testing/runs.ts'

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const dayStart = fc.integer({ min: 0, max: 360 })
const instant = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) })
const share = fc.double({ min: 0, max: 1, noNaN: true })

test('until then the day stays the same at every moment, in every zone and with every day start', () => {
  fc.assert(
    fc.property(instant, zone, dayStart, fc.array(share, { maxLength: 8 }), (at, inZone, start, shares) => {
      const until = dayValidUntil(at, inZone, start)
      expect(until).toBeGreaterThan(at)
      for (const part of [...shares, 1]) {
        const between = Math.min(until - 1, at + Math.floor(part * (until - at)))
        expect(dayOf(between, inZone, start)).toBe(dayOf(at, inZone, start))
      }
    }),
    { numRuns: runs(20_000, 2_000) },
  )
})

test('that also holds around daylight-saving changes, where a day start may be skipped or occur twice', () => {
  const around = fc.integer({ min: -7 * 3_600_000, max: 7 * 3_600_000 })
  fc.assert(
    fc.property(instant, zone, dayStart, around, share, (at, inZone, start, offset, part) => {
      const change = Temporal.Instant.fromEpochMilliseconds(at)
        .toZonedDateTimeISO(inZone)
        .getTimeZoneTransition('next')?.epochMilliseconds
      fc.pre(change !== undefined)
      const near = (change ?? 0) + offset
      const until = dayValidUntil(near, inZone, start)
      expect(until).toBeGreaterThan(near)
      for (const between of [near + Math.floor(part * (until - near - 1)), until - 1]) {
        expect(dayOf(between, inZone, start)).toBe(dayOf(near, inZone, start))
      }
    }),
    { numRuns: runs(20_000, 2_000) },
  )
})

test('on an ordinary day that is exactly when the next one begins', () => {
  const evening = Date.parse('2026-11-20T20:00:00.000Z')
  expect(dayValidUntil(evening, 'Europe/Copenhagen', 0)).toBe(Date.parse('2026-11-20T23:00:00.000Z'))
  expect(dayValidUntil(evening, 'Europe/Copenhagen', 180)).toBe(Date.parse('2026-11-21T02:00:00.000Z'))
})

test('if the clocks skip a day start, the day begins where they jump to', () => {
  // Copenhagen's clocks go from 02:00 to 03:00 on 29 March 2026: there is no 02:30.
  const jump = Date.parse('2026-03-29T01:00:00.000Z')
  expect(dayValidUntil(jump - 60_000, 'Europe/Copenhagen', 150)).toBe(jump)
  expect(dayOf(jump - 1, 'Europe/Copenhagen', 150)).toBe('2026-03-28')
  expect(dayOf(jump, 'Europe/Copenhagen', 150)).toBe('2026-03-29')
})
