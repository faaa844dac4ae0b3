import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { fieldOfInstant, instantOfField } from './date-time-field.ts'

const zone = fc.constantFrom(
  'UTC',
  'Europe/Copenhagen',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
)
const minute = fc.integer({ min: 0, max: 60 * 24 * 365 * 100 }).map((minutes) => minutes * 60_000)

test('a moment shown in the field is the same moment when read back, except in an hour that occurs twice', () => {
  fc.assert(
    fc.property(minute, zone, (instant, inZone) => {
      const text = fieldOfInstant(instant, inZone)
      const read = instantOfField(text, inZone) ?? Number.NaN
      expect(fieldOfInstant(read, inZone)).toBe(text)
      expect([0, 1_800_000, 3_600_000]).toContain(instant - read)
    }),
    { numRuns: runs(10_000, 1_000) },
  )
})

test('a time that the clocks skip becomes as much later, and an invalid time is none', () => {
  expect(instantOfField('2026-03-29T02:30', 'Europe/Copenhagen')).toBe(Date.parse('2026-03-29T01:30:00Z'))
  expect(instantOfField('2026-11-27T', 'UTC')).toBeUndefined()
  expect(instantOfField('', 'UTC')).toBeUndefined()
})
