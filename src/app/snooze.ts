import { habitToRemindOf, snoozeHabit } from '#features/habits/reminder/server/habit-reminder-store.ts'
import type { Preferences } from '#features/preferences/preferences.ts'
import type { ReminderParts } from '#features/reminders/settings/server/reminder-routes.ts'
import { snoozeTodo } from '#features/todos/server/todo-store.ts'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'

/** How to snooze each kind of row. */
export function snooze(
  database: Database,
  preferencesOf: (user: string) => Promise<Preferences>,
): ReminderParts['snooze'] {
  return {
    async habit(user, id, { at, now, day }) {
      const { time_zone, day_start, week_start } = await preferencesOf(user)
      const about = day ?? dayOf(now, time_zone, day_start)
      const dayAt = (instant: Instant) => dayOf(instant, time_zone, day_start)
      const calendar = { weekStart: week_start, dayAt }
      if ((await habitToRemindOf(database, user, id, about, calendar)) === 'done') return 'done'
      return (await snoozeHabit(database, user, id, { at, day: about })) ? at : 'gone'
    },
    async todo(user, id, { at, now, day }) {
      const { time_zone, day_start } = await preferencesOf(user)
      return snoozeTodo(database, user, id, { at, now, day, today: dayOf(now, time_zone, day_start) })
    },
  }
}
