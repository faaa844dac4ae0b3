import fc from 'fast-check'
import { expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import { instantOfWallTime, wallTimeOf } from '#platform/calendar/wall-time.ts'
import { runs } from '../../../testing/runs.ts'

const zone = fc.constantFrom(
  'UTC',
  'Europe/Copenhagen',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
)
const minute = fc.integer({ min: 0, max: 60 * 24 * 365 * 100 }).map((minutes) => minutes * 60_000)

test('a moment shown as day and time is the same moment when read back, except in an hour that occurs twice', () => {
  fc.assert(
    fc.property(minute, zone, (instant, inZone) => {
      const shown = wallTimeOf(instant, inZone)
      const read = instantOfWallTime(shown, inZone)
      expect(wallTimeOf(read, inZone)).toEqual(shown)
      expect([0, 1_800_000, 3_600_000]).toContain(instant - read)
    }),
    { numRuns: runs(10_000, 1_000) },
  )
})

test('a time that the clocks skip becomes as much later', () => {
  const skipped = { day: daySchema.parse('2026-03-29'), time: 150 }
  expect(instantOfWallTime(skipped, 'Europe/Copenhagen')).toBe(Date.parse('2026-03-29T01:30:00Z'))
})
