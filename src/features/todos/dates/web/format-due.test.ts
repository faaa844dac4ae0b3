import { expect, test } from 'vitest'
import { formatDone } from '#features/todos/completed/web/format-done.ts'
import type { Day } from '#platform/calendar/day.ts'
import { formatDue, formatReminder } from './format-due.ts'

const today = '2026-11-20' as Day

test.each([
  ['2026-11-19', '1 day late'],
  ['2026-11-18', '2 days late'],
  ['2025-11-20', '365 days late'],
  ['2023-11-20', '1,096 days late'],
  ['2026-11-20', 'Today'],
  ['2026-11-21', 'Tomorrow'],
  ['2026-11-27', 'Fri 27 Nov'],
  ['2026-09-01', '80 days late'],
  ['2027-09-01', 'Wed 1 Sep 2027'],
])('a to-do due on %s is shown as: %s', (due, words) => {
  expect(formatDue(due as Day, today)).toBe(words)
})

test.each([
  ['2026-11-20', 'Done today'],
  ['2026-11-19', 'Done yesterday'],
  ['2026-11-12', 'Done 12 Nov'],
  ['2025-09-01', 'Done 1 Sep 2025'],
])('a to-do done on %s says: %s', (done, words) => {
  expect(formatDone(done as Day, today)).toBe(words)
})

test('a reminder on the due day is shown by its time, any other with its day too', () => {
  const words = (due: string | null, day = '2026-11-27', time = 545) =>
    formatReminder({ day: day as Day, time }, { due: due as Day | null, today })
  expect(words('2026-11-27')).toBe('09:05')
  expect(words('2026-11-28')).toBe('Fri 27 Nov, 09:05')
  expect(words(null)).toBe('Fri 27 Nov, 09:05')
  expect(words(null, '2026-11-20', 0)).toBe('Today, 00:00')
  expect(words(null, '2026-11-19', 720)).toBe('Yesterday, 12:00')
})
