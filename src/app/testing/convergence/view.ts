import type { FocusSession } from '#features/focus/focus-session.ts'
import { focusSessionList } from '#features/focus/web/focus-queries.ts'
import { completionsSchema, type Habit } from '#features/habits/habit.ts'
import type { HabitFacts } from '#features/habits/habit-facts.ts'
import { frequencyOf, rhythmOn } from '#features/habits/rhythm.ts'
import { habitList } from '#features/habits/web/habit-queries.ts'
import type { List } from '#features/lists/list.ts'
import { lists as listCollection } from '#features/lists/web/list-queries.ts'
import type { Preferences } from '#features/preferences/preferences.ts'
import { preferencesCollection } from '#features/preferences/web/preferences-queries.ts'
import type { Todo } from '#features/todos/todo.ts'
import { todoList } from '#features/todos/web/todo-queries.ts'
import { daySchema, instantFromWire } from '#platform/calendar/day.ts'
import { newestFirst } from '#platform/order/position.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import type { Change } from './rule.ts'

/** What a screen shows; a collection that was never read is undefined. */
export interface View {
  lists?: List[] | undefined
  todos?: Todo[] | undefined
  habits?: HabitFacts[] | undefined
  sessions?: FocusSession[] | undefined
  preferences?: Preferences[] | undefined
}

/** What the server has, as a screen would show it. */
export async function viewOfServer(ask: (path: string) => Promise<unknown>): Promise<View> {
  const rows = async <Row>({ path, readPath = path, rows }: Collection<Row>) => rows(await ask(readPath))
  return {
    lists: await rows(listCollection),
    todos: await rows(todoList),
    habits: await rows(habitList),
    sessions: await rows(focusSessionList),
    preferences: await rows(preferencesCollection),
  }
}

/** As the server answers it once all rhythms hold. */
export function frequencyShown({ rhythms }: HabitFacts): Habit['frequency'] {
  const { rhythm, target } = rhythmOn(rhythms, daySchema.parse('2199-12-31'))
  return frequencyOf(rhythm, target)
}

/** The fields that the rule checks, by collection and row, as the server has them; for habits also every day ever changed. */
export async function fieldsOfServer(
  view: View,
  changes: readonly Change[],
  ask: (path: string) => Promise<unknown>,
): Promise<ReturnType<typeof fieldsOf>> {
  const fields = fieldsOf(view)
  for (const [id, habit] of fields.get(habitList.name) ?? []) {
    const path = `/api/habits/${id}/completions?from=1900-01-01&to=9999-12-31`
    const done = new Set<string>(completionsSchema.parse(await ask(path)).days)
    const named = changes.flatMap(({ row, fields }) => (row === id ? [...fields.keys()] : []))
    for (const day of named.filter((name) => /^\d{4}-/.test(name))) habit.set(day, done.has(day))
  }
  return fields
}

/** The rows deleted in a tab, as they were then: 'Undo' brings them back, to-dos with the subtasks that their deletion hid. */
export interface Deleted {
  lists: List[]
  todos: { todo: Todo; subtasks: readonly Todo[] }[]
  habits: HabitFacts[]
  sessions: FocusSession[]
}

/** The rows of a view with the fields that the rule checks, by collection and id, but without the days of habits. */
export function fieldsOf({
  lists,
  todos,
  habits,
  sessions,
  preferences,
}: View): Map<string, Map<string, Map<string, unknown>>> {
  const all = [
    rowsOf(
      listCollection,
      lists,
      ({ id }) => id,
      ({ name, color, position, sort, archived_at }) => ({ name, color, position, sort, archived_at }),
    ),
    rowsOf(
      todoList,
      todos,
      ({ id }) => id,
      (todo) => ({
        title: todo.title,
        completed: todo.completed,
        due_day: todo.due_day,
        list_id: todo.list_id,
        parent_id: todo.parent_id,
        note: todo.note,
        priority: todo.priority,
        position: movedTo(todo),
        repeat: todo.repeat && JSON.stringify(todo.repeat),
      }),
    ),
    rowsOf(
      habitList,
      habits,
      ({ id }) => id,
      (habit) => ({ name: habit.name, description: habit.description, frequency: frequencyShown(habit) }),
    ),
    rowsOf(
      focusSessionList,
      sessions,
      ({ id }) => id,
      ({ duration }) => ({ duration }),
    ),
    rowsOf(
      preferencesCollection,
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

/** The position of a to-do that nobody has moved follows from the instant of its creation, which the outbox corrects. */
export const unmoved = 'as created'

function movedTo({ id, position, created_at }: Todo): string {
  return position === newestFirst({ id, created: instantFromWire(created_at) }) ? unmoved : position
}

function rowsOf<Row>(
  { name }: Collection<Row>,
  rows: Row[] | undefined,
  id: (row: Row) => string,
  fields: (row: Row) => object,
): [string, Map<string, Map<string, unknown>>][] {
  if (!rows) return []
  return [
    [name, new Map(rows.map((row) => [id(row), new Map<string, unknown>(Object.entries(fields(row)))]))],
  ]
}
