import type { FocusSession } from '#features/focus/focus-session.ts'
import { focusSessionList } from '#features/focus/web/focus-queries.ts'
import type { HabitFacts } from '#features/habits/counted-habit.ts'
import { habitList } from '#features/habits/web/habit-queries.ts'
import type { Preferences } from '#features/preferences/preferences.ts'
import { preferencesList } from '#features/preferences/web/preferences-queries.ts'
import type { Todo } from '#features/todos/todo.ts'
import { todoList } from '#features/todos/web/todo-queries.ts'
import type { List } from '#platform/sync/list.ts'

/** What a screen shows; a list that was never read is not there. */
export interface View {
  todos?: Todo[] | undefined
  habits?: HabitFacts[] | undefined
  sessions?: FocusSession[] | undefined
  preferences?: Preferences[] | undefined
}

/** The rows that were deleted in a tab, as they were then: 'Undo' brings them back. */
export interface Deleted {
  todos: Todo[]
  habits: HabitFacts[]
  sessions: FocusSession[]
}

/** The rows of a view with what the rule speaks of, by list and id. The days of habits are left out. */
export function fieldsOf({
  todos,
  habits,
  sessions,
  preferences,
}: View): Map<string, Map<string, Map<string, unknown>>> {
  const all = [
    rowsOf(
      todoList,
      todos,
      ({ id }) => id,
      ({ title, completed, due_day }) => ({ title, completed, due_day }),
    ),
    rowsOf(
      habitList,
      habits,
      ({ id }) => id,
      ({ name, description, frequency }) => ({ name, description, frequency }),
    ),
    rowsOf(
      focusSessionList,
      sessions,
      ({ id }) => id,
      ({ duration }) => ({ duration }),
    ),
    rowsOf(
      preferencesList,
      preferences,
      () => 'all',
      ({ theme, week_start, day_start, time_zone, time_zone_follows_browser }) => ({
        theme,
        week_start,
        day_start,
        zone: `${time_zone}, ${time_zone_follows_browser ? 'followed' : 'fixed'}`,
      }),
    ),
  ]
  return new Map(all.flat())
}

function rowsOf<Row>(
  { name }: List<Row>,
  rows: Row[] | undefined,
  id: (row: Row) => string,
  fields: (row: Row) => object,
): [string, Map<string, Map<string, unknown>>][] {
  if (!rows) return []
  return [
    [name, new Map(rows.map((row) => [id(row), new Map<string, unknown>(Object.entries(fields(row)))]))],
  ]
}
