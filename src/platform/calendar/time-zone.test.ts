import { expect, test } from 'vitest'
import { formerNameOf, isSameTimeZone, offsetOf, presentNameOf, spellTimeZone } from './time-zone.ts'

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

test('two names of one zone are that also where the runtime has not heard of one of them', () => {
  expect(isSameTimeZone('Pacific/Enderbury', 'Pacific/Kanton')).toBe(true)
  expect(isSameTimeZone('Asia/Saigon', 'Asia/Rangoon')).toBe(false)
})

test.each(['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Kathmandu', 'Asia/Ho_Chi_Minh'])(
  '%s is called so, though the runtime goes on calling it by a former name',
  (zone) => {
    const calledByRuntime = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
    expect(presentNameOf(calledByRuntime)).toBe(zone)
    expect(isSameTimeZone(calledByRuntime, zone)).toBe(true)
    expect(presentNameOf(zone)).toBe(zone)
  },
)

test('each former name that this runtime lists is one of the same zone, and leads back', () => {
  const renamed = Intl.supportedValuesOf('timeZone').filter((zone) => presentNameOf(zone) !== zone)
  for (const former of renamed) {
    expect(formerNameOf(presentNameOf(former))).toBe(former)
    const moment = Temporal.Instant.fromEpochMilliseconds(0)
    const present = moment.toZonedDateTimeISO(presentNameOf(former))
    expect(moment.toZonedDateTimeISO(former).equals(present)).toBe(true)
  }
})

test('a zone keeps the name that it was named by, in the case it is written in', () => {
  expect(spellTimeZone('asia/KOLKATA')).toBe('Asia/Kolkata')
  expect(spellTimeZone('Asia/Calcutta')).toBe('Asia/Calcutta')
  expect(spellTimeZone('europe/kyiv')).toBe('Europe/Kyiv')
  expect(spellTimeZone('america/port-au-prince')).toBe('America/Port-au-Prince')
  expect(spellTimeZone('Atlantis/Capital')).toBe(undefined)
  expect(spellTimeZone('+05:30')).toBe(undefined)
})

test('the offset is that of the instant, daylight saving included', () => {
  expect(offsetOf('Europe/Copenhagen', Date.parse('2026-01-15T12:00:00Z'))).toBe('+01:00')
  expect(offsetOf('Europe/Copenhagen', Date.parse('2026-07-15T12:00:00Z'))).toBe('+02:00')
  expect(offsetOf('Asia/Kathmandu', 0)).toBe('+05:30')
  expect(offsetOf('America/St_Johns', Date.parse('2026-01-15T12:00:00Z'))).toBe('-03:30')
})
