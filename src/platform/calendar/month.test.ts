import { expect, test } from 'vitest'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import { addMonths, firstOfMonth, lastOfMonth, weeksOfMonth } from '#platform/calendar/month.ts'

const day = (text: string): Day => daySchema.parse(text)

test('a month later is the same day, or the last one of a shorter month', () => {
  expect(addMonths(day('2026-11-22'), 1)).toBe('2026-12-22')
  expect(addMonths(day('2026-12-31'), 2)).toBe('2027-02-28')
  expect(addMonths(day('2028-03-31'), -1)).toBe('2028-02-29')
  expect(addMonths(day('2027-01-15'), -1)).toBe('2026-12-15')
  expect(addMonths(day('2027-01-15'), -14)).toBe('2025-11-15')
})

test('a month has its first and its last day', () => {
  expect(firstOfMonth(day('2026-11-22'))).toBe('2026-11-01')
  expect(firstOfMonth(day('2026-12-22'), 1)).toBe('2027-01-01')
  expect(lastOfMonth(day('2028-02-03'))).toBe('2028-02-29')
  expect(lastOfMonth(day('2026-12-31'))).toBe('2026-12-31')
})

test('a calendar shows six whole weeks from the first day of the week, whatever the month', () => {
  const november = weeksOfMonth(day('2026-11-22'), 1)
  expect(november).toHaveLength(6)
  expect(november.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7])
  expect(november[0]?.[0]).toBe('2026-10-26')
  expect(november[5]?.[6]).toBe('2026-12-06')
  expect(weeksOfMonth(day('2026-11-22'), 7)[0]?.[0]).toBe('2026-11-01')
  expect(weeksOfMonth(day('2026-11-22'), 6)[0]?.[0]).toBe('2026-10-31')
  // Four weeks exactly; the next month fills the rest.
  expect(weeksOfMonth(day('2027-02-10'), 1)[5]?.[6]).toBe('2027-03-14')
})
