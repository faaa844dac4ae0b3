import { expect, test } from 'vitest'
import { currentNameOf, formerNameOf, isSameTimeZone, normalizeTimeZone } from './time-zone.ts'
import { offsetOf } from './time-zone-offset.ts'

test('a zone is the same under its older and its newer name, and in any case', () => {
  expect(isSameTimeZone('Asia/Calcutta', 'Asia/Kolkata')).toBe(true)
  expect(isSameTimeZone('Europe/Kyiv', 'Europe/Kiev')).toBe(true)
  expect(isSameTimeZone('europe/copenhagen', 'Europe/Copenhagen')).toBe(true)
  expect(isSameTimeZone('UTC', 'Etc/UTC')).toBe(true)
})

test('two places are two zones, even if their clocks agree', () => {
  expect(isSameTimeZone('Europe/Copenhagen', 'Europe/Berlin')).toBe(false)
  expect(isSameTimeZone('UTC', 'Europe/London')).toBe(false)
})

test('a name that the runtime does not know only equals itself', () => {
  expect(isSameTimeZone('Mars/Olympus', 'UTC')).toBe(false)
  expect(isSameTimeZone('Mars/Olympus', 'Mars/Olympus')).toBe(true)
})

test('two names mean the same zone even if the runtime does not know one of them', () => {
  expect(isSameTimeZone('Pacific/Enderbury', 'Pacific/Kanton')).toBe(true)
  expect(isSameTimeZone('Asia/Saigon', 'Asia/Rangoon')).toBe(false)
})

test.each(['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Kathmandu', 'Asia/Ho_Chi_Minh'])(
  '%s is called so, though the runtime goes on calling it by a former name',
  (zone) => {
    const calledByRuntime = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
    expect(currentNameOf(calledByRuntime)).toBe(zone)
    expect(isSameTimeZone(calledByRuntime, zone)).toBe(true)
    expect(currentNameOf(zone)).toBe(zone)
  },
)

test('each former name that this runtime lists means the same zone, and converts both ways', () => {
  const renamed = Intl.supportedValuesOf('timeZone').filter((zone) => currentNameOf(zone) !== zone)
  for (const former of renamed) {
    expect(formerNameOf(currentNameOf(former))).toBe(former)
    const moment = Temporal.Instant.fromEpochMilliseconds(0)
    const present = moment.toZonedDateTimeISO(currentNameOf(former))
    expect(moment.toZonedDateTimeISO(former).equals(present)).toBe(true)
  }
})

test('a zone keeps the name it was given, in the correct case', () => {
  expect(normalizeTimeZone('asia/KOLKATA')).toBe('Asia/Kolkata')
  expect(normalizeTimeZone('Asia/Calcutta')).toBe('Asia/Calcutta')
  expect(normalizeTimeZone('europe/kyiv')).toBe('Europe/Kyiv')
  expect(normalizeTimeZone('america/port-au-prince')).toBe('America/Port-au-Prince')
  expect(normalizeTimeZone('Atlantis/Capital')).toBe(undefined)
  expect(normalizeTimeZone('+05:30')).toBe(undefined)
})

test('the offset is the one at that instant, daylight saving included', () => {
  expect(offsetOf('Europe/Copenhagen', Date.parse('2026-01-15T12:00:00Z'))).toBe('+01:00')
  expect(offsetOf('Europe/Copenhagen', Date.parse('2026-07-15T12:00:00Z'))).toBe('+02:00')
  expect(offsetOf('Asia/Kathmandu', 0)).toBe('+05:30')
  expect(offsetOf('America/St_Johns', Date.parse('2026-01-15T12:00:00Z'))).toBe('-03:30')
})
