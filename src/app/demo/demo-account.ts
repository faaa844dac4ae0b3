import { defaultPlan } from '#features/focus/plan/focus-plan.ts'
import type { ExportedHabit } from '#features/habits/account-file/exported-habit.ts'
import { type ExportedAccount, fileRows, format, version } from '#features/your-data/exported-account.ts'
import { addDays, dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { emptyCollections } from '#platform/wire/file-rows.ts'
import { type DemoDay, demoDays } from './demo-days.ts'
import { demoFocus, demoFocusOnHabit, focusedHabit, withTasks } from './demo-focus.ts'
import { abandonedHabit, demoHabits } from './demo-habits.ts'
import { demoLists } from './demo-lists.ts'
import { demoRepeatingTodos } from './demo-repeating-todos.ts'
import { demoRhythms } from './demo-rhythms.ts'
import { demoTodos } from './demo-todos.ts'

export const demoPerson = { name: 'Maren Lind', email: 'demo@daymark.example', password: 'daymark-demo' }

/**
 * A believable year of one person up to an instant, in the format of an export. Nothing is random: the same instant and zone
 * give the same rows. A later instant of the same day gives the same rows and what has been done since.
 */
export function demoAccount(now: Instant, zone: string): ExportedAccount {
  const days = yearUpTo(now, zone)
  const lists = demoLists(days, now, zone)
  const rhythms = demoRhythms(days, now, zone)
  const idOfList = (wanted: string) => lists.find(({ name }) => name === wanted)?.id
  const todos = demoTodos(days, lists, now, zone)
  const novel = rhythms.habits.filter(({ name }) => name === focusedHabit)
  return {
    format,
    version,
    exported_at: instantToWire(now),
    account: { name: demoPerson.name, email: demoPerson.email },
    preferences: {
      time_zone: zone,
      time_zone_follows_browser: true,
      day_start: 0,
      week_start: 1,
      theme: 'system',
      todos_sort: 'newest',
      start_page: 'todos',
      focus_plan: defaultPlan,
    },
    ...emptyCollections(fileRows),
    lists,
    todos: [...todos, ...demoRepeatingTodos(days, idOfList('Home'), now, zone)],
    habits: [...demoHabits(days, now, zone), ...rhythms.habits],
    pauses: rhythms.pauses,
    focus_sessions: [
      ...novel.flatMap((habit) => days.flatMap((day) => demoFocusOnHabit(day, habit, zone))),
      ...withTasks(
        days.flatMap((day) => demoFocus(day, zone)),
        todos,
        idOfList('Work'),
      ),
    ]
      .filter(({ ended_at }) => ended_at <= instantToWire(now))
      .sort((one, other) => (one.ended_at < other.ended_at ? -1 : 1)),
  }
}

/** A habit that was tried and deleted, and so is in no export and no list. */
export function demoDeletedHabit(now: Instant, zone: string): ExportedHabit {
  return abandonedHabit(yearUpTo(now, zone), now, zone)
}

function yearUpTo(now: Instant, zone: string): DemoDay[] {
  const today = dayOf(now, zone, 0)
  return demoDays(addDays(today, -364), today)
}
