import { describe, expect, it } from 'vitest'
import { type Day, dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import { longDate, monthAndYear, shortDate, weekdayLetter } from './format-day.ts'
import { shortDay } from './short-day.ts'

const inEnglish = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })

describe('a day in words', () => {
  it('is what a browser would write in English, for every day of 30 years', () => {
    const long = inEnglish({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    const letter = inEnglish({ weekday: 'narrow' })
    const month = inEnglish({ month: 'long', year: 'numeric' })
    const first = dayNumber('2020-01-01' as Day)
    for (let number = first; number < first + 30 * 366; number++) {
      const each = dayFromNumber(number)
      const at = Date.parse(each)
      expect(longDate(each)).toBe(long.format(at).replace(',', ''))
      expect(weekdayLetter(each)).toBe(letter.format(at))
      expect(monthAndYear(each)).toBe(month.format(at))
    }
  })

  it('is short where there is little room', () => {
    expect(shortDate('2026-09-07' as Day)).toBe('Mon 7 Sep 2026')
    expect(shortDay('2026-09-07' as Day, '2026-11-29' as Day)).toBe('Mon 7 Sep')
    expect(shortDay('2025-09-07' as Day, '2026-11-29' as Day)).toBe('Sun 7 Sep 2025')
  })
})
