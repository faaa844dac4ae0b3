import { expect, test } from 'vitest'
import type { Reminder } from '#features/reminders/reminder.ts'
import { minutesOfDay, reminderInWords, timeOfDay } from './reminder-words.ts'

test.each<[Reminder['weekdays'], string]>([
  [[1, 2, 3, 4, 5, 6, 7], '07:30'],
  [[1, 2, 3, 4, 5], '07:30 on weekdays'],
  [[6, 7], '07:30 on weekends'],
  [[7], '07:30 on Sundays'],
  [[1, 3, 5], '07:30 on Mon, Wed and Fri'],
  [[2, 4], '07:30 on Tue and Thu'],
])('a reminder on the days %j is said to be at %s', (weekdays, words) => {
  expect(reminderInWords({ time: 450, weekdays })).toBe(words)
})

test('every minute of the day is the same after it was shown and read again', () => {
  for (let minutes = 0; minutes < 1440; minutes += 1) expect(minutesOfDay(timeOfDay(minutes))).toBe(minutes)
  expect(minutesOfDay('')).toBeUndefined()
})
