import { expect, test } from 'vitest'
import type { Reminder } from '#features/reminders/reminder/reminder.ts'
import { formatReminder } from './format-reminder.ts'

test.each<[Reminder['weekdays'], string]>([
  [[1, 2, 3, 4, 5, 6, 7], '07:30'],
  [[1, 2, 3, 4, 5], '07:30 on weekdays'],
  [[6, 7], '07:30 on weekends'],
  [[7], '07:30 on Sundays'],
  [[1, 3, 5], '07:30 on Mon, Wed and Fri'],
  [[2, 4], '07:30 on Tue and Thu'],
])('a reminder on the days %j is shown as %s', (weekdays, text) => {
  expect(formatReminder({ time: 450, weekdays })).toBe(text)
})
