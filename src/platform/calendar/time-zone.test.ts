import { expect, test } from 'vitest'
import { isSameTimeZone, offsetOf } from './time-zone.ts'

test('a zone is the same under its older and its newer name, and in any case', () => {
  expect(isSameTimeZone('Asia/Calcutta', 'Asia/Kolkata')).toBe(true)
  expect(isSameTimeZone('Europe/Kyiv', 'Europe/Kiev')).toBe(true)
  expect(isSameTimeZone('europe/copenhagen', 'Europe/Copenhagen')).toBe(true)
  expect(isSameTimeZone('UTC', 'Etc/UTC')).toBe(true)
})

test('two places are two zones, though their clocks agree', () => {
  expect(isSameTimeZone('Europe/Copenhagen', 'Europe/Berlin')).toBe(false)
  expect(isSameTimeZone('UTC', 'Europe/London')).toBe(false)
})

test('what the runtime does not know is only the same as itself', () => {
  expect(isSameTimeZone('Mars/Olympus', 'UTC')).toBe(false)
  expect(isSameTimeZone('Mars/Olympus', 'Mars/Olympus')).toBe(true)
})

test('the offset is that of the instant, daylight saving included', () => {
  expect(offsetOf('Europe/Copenhagen', Date.parse('2026-01-15T12:00:00Z'))).toBe('+01:00')
  expect(offsetOf('Europe/Copenhagen', Date.parse('2026-07-15T12:00:00Z'))).toBe('+02:00')
  expect(offsetOf('Asia/Kathmandu', 0)).toBe('+05:30')
  expect(offsetOf('America/St_Johns', Date.parse('2026-01-15T12:00:00Z'))).toBe('-03:30')
})
