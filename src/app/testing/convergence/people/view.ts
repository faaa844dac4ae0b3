import type { FocusSession } from '#features/focus/sessions/focus-session.ts'
import { focusSessionCollection } from '#features/focus/sessions/focus-session-collection.ts'
import { habitDaysSchema } from '#features/habits/habit/habit.ts'
import type { HabitFacts } from '#features/habits/habit/habit-facts.ts'
import { habitCollection } from '#features/habits/habit/web/habit-queries.ts'
import type { PauseRow } from '#features/habits/pauses/pause.ts'
import { pauseCollection } from '#features/habits/pauses/web/pause-queries.ts'
import type { List } from '#features/lists/list/list.ts'
import { lists as listCollection } from '#features/lists/list/web/list-queries.ts'
import type { Preferences } from '#features/preferences/preferences.ts'
import { preferencesCollection } from '#features/preferences/web/preferences-queries.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import {
  type DeletedEntry,
  entryField,
  entryText,
  movedHabitTo,
  movedTodoTo,
  rhythmFields,
} from '../rules/row-fields.ts'
import type { Change } from '../rules/rule.ts'

/** The rows that a screen shows; a collection that was never read is undefined. */
export interface View {
  lists?: List[] | undefined
  todos?: Todo[] | undefined
  habits?: HabitFacts[] | undefined
  pauses?: PauseRow[] | undefined
  sessions?: FocusSession[] | undefined
  preferences?: Preferences[] | undefined
}

/** The server's rows, as a screen would show them. */
export async function viewOfServer(ask: (path: string) => Promise<unknown>): Promise<View> {
  const rows = async <Row>({ path, readPath = path, rows }: Collection<Row>) => rows(await ask(readPath))
  return {
    lists: await rows(listCollection),
    todos: await rows(todoCollection),
    habits: await rows(habitCollection),
    pauses: await rows(pauseCollection),
    sessions: await rows(focusSessionCollection),
    preferences: await rows(preferencesCollection),
  }
}

/**
 * The fields that the rule checks, by collection and row, as the server has them. For habits, also every day ever changed.
 */
export async function fieldsOfServer(
  view: View,
  changes: readonly Change[],
  ask: (path: string) => Promise<unknown>,
): Promise<ReturnType<typeof fieldsOf>> {
  const fields = fieldsOf(view)
  for (const [id, habit] of fields.get(habitCollection.name) ?? []) {
    const named = changes.flatMap(({ row, fields }) => (row === id ? [...fields.keys()] : []))
    // The server returns the first rhythm with all its parts. Leave out the parts that no change wrote.
    for (const name of habit.keys()) if (isOfRhythms(name) && !named.includes(name)) habit.delete(name)
    const days = named.flatMap((name) => /\d{4}-\d\d-\d\d$/.exec(name) ?? []).toSorted()
    const shown = await ask(`/api/habits/${id}/days?from=${days[0]}&to=${days.at(-1)}`)
    for (const name of named) if (isOfRhythms(name) && !habit.has(name)) habit.set(name, '')
    const shownHabit = view.habits?.find((each) => each.id === id)
    const skipped = new Set<string>(shownHabit?.skipped)
    const isSummedUp = (day: string) => shownHabit !== undefined && day < shownHabit.earlier.from
    const byDay = new Map(habitDaysSchema.parse(shown).days.map((each) => [each.day as string, each]))
    for (const name of named) {
      const day = byDay.get(name.slice(-10))
      const state = day?.state === 'done' || day?.state === 'skipped' ? day.state : 'none'
      if (/^\d{4}-/.test(name)) habit.set(name, state)
      // A done day is shown as done, even if it was also skipped. The collection leaves out skips of days that it contains only
      // as a sum.
      if (name.startsWith('skip ')) {
        if (!isSummedUp(name.slice(-10))) habit.set(name, skipped.has(name.slice(-10)))
        else if (state !== 'done') habit.set(name, state === 'skipped')
      }
      if (name.startsWith('note ')) habit.set(name, day?.note)
      if (name.startsWith(entryField(''))) habit.set(name, habit.get(name) ?? false)
    }
  }
  return fields
}

function isOfRhythms(name: string): boolean {
  return /^(rhythm|target) from /.test(name)
}

/**
 * The rows deleted in a tab, as they were then. 'Undo' restores them, to-dos together with the subtasks that their deletion
 * hid.
 */
export interface Deleted {
  lists: List[]
  todos: { todo: Todo; subtasks: readonly Todo[] }[]
  habits: HabitFacts[]
  /** Deleted amount entries, with the id of their habit. */
  entries: DeletedEntry[]
  pauses: PauseRow[]
  sessions: FocusSession[]
}

/** The rows of a view with the fields that the rule checks, by collection and id, but without the days of habits. */
export function fieldsOf({
  lists,
  todos,
  habits,
  pauses,
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
      todoCollection,
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
        position: movedTodoTo(todo),
        repeat: todo.repeat && JSON.stringify(todo.repeat),
      }),
    ),
    rowsOf(
      habitCollection,
      habits,
      ({ id }) => id,
      (habit) => ({
        name: habit.name,
        description: habit.description,
        position: movedHabitTo(habit),
        archived_at: habit.archived_at,
        start: habit.chosen_start.day,
        ...Object.assign({}, ...habit.rhythms.map((row) => rhythmFields(row.from_day, row))),
        ...Object.fromEntries(habit.entries.map((entry) => [entryField(entry.id), entryText(entry)])),
      }),
    ),
    rowsOf(
      pauseCollection,
      pauses,
      ({ id }) => id,
      ({ habit_id, from_day, to_day }) => ({ habit_id, from_day, to_day }),
    ),
    rowsOf(
      focusSessionCollection,
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
