import type { Transaction } from 'kysely'
import { type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { ImportedRows } from '#platform/database/synced-rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Adding } from '#platform/database/write-within-limits.ts'
import { longestPosition } from '#platform/order/position.ts'
import type { ExportedTodo } from '../exported-todo.ts'
import { sortedTags } from '../tags.ts'
import { hiddenTodos } from './subtask-store.ts'
import { shortenPositions } from './todo-position-store.ts'
import { todoRows } from './todo-rows.ts'
import { planAlarms } from './todo-store.ts'
import { holdTagChanges, importTags } from './todo-tag-store.ts'

/** Few enough that other requests are served between two reads. */
const readAtOnce = 500

/** Every to-do that is neither deleted nor hidden by the deletion of its parent, oldest first, a few hundred at a time. */
export async function* exportTodos(db: Database, user: string): AsyncGenerator<ExportedTodo[]> {
  const hidden = await hiddenTodos(db, user)
  for (let after = { created_at: Number.MIN_SAFE_INTEGER, id: '' }; ; ) {
    const rows = await db.read
      .selectFrom('todos')
      .selectAll()
      .where('user_id', '=', user)
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.created_at, after.id)))
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .limit(readAtOnce)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last
    yield rows.filter(({ id }) => !hidden.has(id)).map(todoRows.toFile)
  }
}

export const todoImporter = {
  collection: todoRows.collection,
  async importRows(
    tx: Transaction<Tables>,
    user: string,
    { todos = [] }: { todos?: readonly ExportedTodo[] | undefined },
    now: Instant,
    adding: Adding,
  ) {
    return { todos: todoRows.countImported(await importTodos(tx, user, todos, now, adding), adding) }
  },
}

/** Adds new to-dos and restores deleted ones. A to-do that already exists stays as it is. */
export async function importTodos(
  tx: Transaction<Tables>,
  user: string,
  todos: readonly ExportedTodo[],
  now: Instant,
  adding: Adding,
): Promise<ImportedRows> {
  if (todos.some(({ tags }) => tags.length > 0)) await holdTagChanges(tx, user)
  const past = todos.map((todo) => ({
    ...todo,
    completed_at: todo.completed_at && notLater(todo.completed_at, now),
    tags: sortedTags(todo.tags),
  }))
  const imported = await todoRows.importRows(tx, user, past, now)
  // Of several with one id the first was imported.
  const firstOfId = new Map(past.toReversed().map((todo) => [todo.id, todo]))
  const added = [...imported.added].flatMap((id) => firstOfId.get(id) ?? [])
  await importTags(tx, adding, user, added, now)
  const withReminder = new Set(todos.filter(({ remind_at }) => remind_at !== null).map(({ id }) => id))
  await planAlarms(tx, user, [...imported.restored, ...imported.added.intersection(withReminder)], now)
  const withLongPosition = todos.filter(({ position }) => position.length > longestPosition)
  const placed = imported.added.intersection(new Set(withLongPosition.map(({ id }) => id)))
  if (placed.size > 0) await shortenPositions(tx, user, [...placed])
  return imported
}

function notLater(instant: string, now: Instant): string {
  return instantFromWire(instant) > now ? instantToWire(now) : instant
}
