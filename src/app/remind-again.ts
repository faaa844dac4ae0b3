import { putOffHabit } from '#features/habits/server/habit-reminder-store.ts'
import type { Preferences } from '#features/preferences/preferences.ts'
import type { ReminderParts } from '#features/reminders/server/reminder-routes.ts'
import { changeTodo } from '#features/todos/server/todo-store.ts'
import { dayOf } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'

/** What it means to be reminded again later, of each kind of row. */
export function remindAgain(
  database: Database,
  preferencesOf: (user: string) => Promise<Preferences>,
): ReminderParts['remindAgain'] {
  return {
    async habit(user, id, { at, now, day }) {
      const { time_zone, day_start } = await preferencesOf(user)
      return putOffHabit(database, user, id, { at, day: day ?? dayOf(now, time_zone, day_start) })
    },
    async todo(user, id, { at, now }) {
      return (await changeTodo(database, user, id, { remind_at: at, at: now })) !== undefined
    },
  }
}
