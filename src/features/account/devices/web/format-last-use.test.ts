import { describe, expect, test } from 'vitest'
import { formatLastUse } from './format-last-use.ts'

// Friday.
const now = Date.parse('2026-11-20T09:30:00.000Z')
const format = (lastUse: string, timeZone = 'Europe/Copenhagen') =>
  formatLastUse(Date.parse(lastUse), { now, timeZone, locale: 'en-GB' })

describe('the last use of a device as text', () => {
  test('it is no more exact than what the server knows', () => {
    expect(format('2026-11-20T09:29:00.000Z')).toBe('Last used less than an hour ago')
    expect(format('2026-11-20T08:30:01.000Z')).toBe('Last used less than an hour ago')
    expect(format('2026-11-20T08:30:00.000Z')).toBe('Last used today, around 9:30')
  })

  test('a server clock that is ahead does not put it into the future', () => {
    expect(format('2026-11-20T09:31:00.000Z')).toBe('Last used less than an hour ago')
  })

  test('today and yesterday are those of the place where it is read', () => {
    expect(format('2026-11-19T23:30:00.000Z')).toBe('Last used today, around 0:30')
    expect(format('2026-11-19T20:40:00.000Z')).toBe('Last used yesterday, around 21:40')
    expect(format('2026-11-19T23:30:00.000Z', 'America/New_York')).toBe('Last used yesterday, around 18:30')
  })

  test('further back it is the weekday, then the date, then also the year', () => {
    expect(format('2026-11-18T11:05:00.000Z')).toBe('Last used Wednesday, around 12:05')
    expect(format('2026-11-14T11:05:00.000Z')).toBe('Last used Saturday, around 12:05')
    expect(format('2026-11-13T11:05:00.000Z')).toBe('Last used 13 November')
    expect(format('2025-12-24T11:05:00.000Z')).toBe('Last used 24 December 2025')
  })
})
