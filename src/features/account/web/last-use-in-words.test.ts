import { describe, expect, test } from 'vitest'
import { lastUseInWords } from './last-use-in-words.ts'

// Friday.
const now = Date.parse('2026-11-20T09:30:00.000Z')
const told = (lastUse: string, timeZone = 'Europe/Copenhagen') =>
  lastUseInWords(Date.parse(lastUse), { now, timeZone, locale: 'en-GB' })

describe('the last use of a device in words', () => {
  test('it is not told more exactly than the server knows it', () => {
    expect(told('2026-11-20T09:29:00.000Z')).toBe('Last used less than an hour ago')
    expect(told('2026-11-20T08:30:01.000Z')).toBe('Last used less than an hour ago')
    expect(told('2026-11-20T08:30:00.000Z')).toBe('Last used today, around 9:30')
  })

  test('a clock of the server that is ahead does not put it into the future', () => {
    expect(told('2026-11-20T09:31:00.000Z')).toBe('Last used less than an hour ago')
  })

  test('today and yesterday are those of the wall where it is read', () => {
    expect(told('2026-11-19T23:30:00.000Z')).toBe('Last used today, around 0:30')
    expect(told('2026-11-19T20:40:00.000Z')).toBe('Last used yesterday, around 21:40')
    expect(told('2026-11-19T23:30:00.000Z', 'America/New_York')).toBe('Last used yesterday, around 18:30')
  })

  test('further back it is the weekday, then the date, then the year too', () => {
    expect(told('2026-11-18T11:05:00.000Z')).toBe('Last used Wednesday, around 12:05')
    expect(told('2026-11-14T11:05:00.000Z')).toBe('Last used Saturday, around 12:05')
    expect(told('2026-11-13T11:05:00.000Z')).toBe('Last used 13 November')
    expect(told('2025-12-24T11:05:00.000Z')).toBe('Last used 24 December 2025')
  })
})
