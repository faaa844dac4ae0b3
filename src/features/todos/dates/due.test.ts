import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, type Day, dayFromNumber } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { runs } from '#testing/runs.ts'
import { daysUntil, dueGroupOf, dueGroups } from './due.ts'

// 20 November 2026 is a Friday.
const friday = '2026-11-20' as Day
const day = fc.integer({ min: -25_000, max: 60_000 }).map(dayFromNumber)
const weekStart = fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7)
const distance = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9_000, max: 9_000 }))

describe('the group of a due day', () => {
  test.each([
    [-2, 'overdue'],
    [-1, 'overdue'],
    [0, 'today'],
    [1, 'tomorrow'],
    [2, 'this-week'],
    [3, 'later'],
    [400, 'later'],
  ] as const)('%d days from a Friday, in a week that starts on Monday: %s', (days, group) => {
    expect(dueGroupOf(addDays(friday, days), friday, 1)).toBe(group)
  })

  test('a week that ends with tomorrow has no more days', () => {
    expect(dueGroupOf(addDays(friday, 2), friday, 7)).toBe('later')
  })

  test('a to-do without a due day is in the last group', () => {
    expect(dueGroupOf(null, friday, 1)).toBe('none')
  })

  test('a later day never comes in an earlier group', () => {
    fc.assert(
      fc.property(day, weekStart, distance, fc.nat({ max: 400 }), (today, start, days, more) => {
        const due = addDays(today, days)
        const place = (of: Day) => dueGroups.indexOf(dueGroupOf(of, today, start))
        expect(place(addDays(due, more))).toBeGreaterThanOrEqual(place(due))
      }),
      { numRuns: runs(20_000, 2_000) },
    )
  })

  test('agrees with walking from today to the end of the week', () => {
    fc.assert(
      fc.property(day, weekStart, distance, (today, start, days) => {
        expect(dueGroupOf(addDays(today, days), today, start)).toBe(walked(today, days, start))
      }),
      { numRuns: runs(20_000, 2_000) },
    )
  })

  test('the days until it are the days counted one by one', () => {
    fc.assert(
      fc.property(day, distance, (today, days) => {
        expect(daysUntil(addDays(today, days), today)).toBe(days)
      }),
      { numRuns: runs(10_000, 1_000) },
    )
  })
})

/** Day by day, on Temporal's own calendar. */
function walked(today: Day, days: number, start: WeekStart) {
  if (days < 0) return 'overdue'
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  let date = Temporal.PlainDate.from(today)
  for (let walk = 1; walk <= Math.min(days, 8); walk += 1) {
    date = date.add({ days: 1 })
    if (date.dayOfWeek === start) return 'later'
  }
  return 'this-week'
}
