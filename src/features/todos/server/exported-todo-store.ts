import type { Transaction } from 'kysely'
import { type Day, type Instant, instantToWire, notLater } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import { anyRowChanged, rowsChanged } from '#platform/database/revisions/changed-rows.ts'
import type { ImportedRows } from '#platform/database/rows/synced-rows.ts'
import type { Adding } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { longestPosition } from '#platform/order/position.ts'
import type { RowToWrite } from '#platform/wire/file-rows.ts'
import {
  addImportedDays,
  type DayRow,
  pagesOfDays,
  summedAnew,
  takeBackSomeDays,
  todosWithDaysOf,
} from '../repeat/history/server/occurrence-store.ts'
import { storedRule } from '../repeat/history/server/repeating-todo-store.ts'
import { holdTagChanges, importTags } from '../tags/server/todo-tag-store.ts'
import type { ExportedDay, ExportedTodo, ImportedDays, ImportedTodo } from '../todo/exported-todo.ts'
import { hiddenTodos, withChangedSubtasks } from '../todo/server/subtask-store.ts'
import { shortenPositions } from '../todo/server/todo-position-store.ts'
import { todoRows } from '../todo/server/todo-rows.ts'
import { sortedTags } from '../todo/tags.ts'
import { planAlarms } from './todo-store.ts'

/** To-dos per read: few enough that other requests hardly wait, even with the longest notes. */
const readAtOnce = 100

const beforeAll = { created_at: Number.MIN_SAFE_INTEGER, id: '' }

/** Every to-do that is neither deleted nor hidden by the deletion of its parent, oldest first, a hundred at a time. */
export async function* exportTodos(db: Database, user: string): AsyncGenerator<RowToWrite<ExportedTodo>[]> {
  const hidden = await hiddenTodos(db.read, user)
  const read = ({ created_at, id } = beforeAll) =>
    db.read
      .selectFrom('todos')
      .selectAll()
      .where('user_id', '=', user)
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(created_at, id)))
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .limit(readAtOnce)
      .execute()
  for await (const rows of pagesByKey(readAtOnce, read)) {
    const occurring = await thoseWithDays(db, user, rows)
    yield rows
      .filter(({ id }) => !hidden.has(id))
      .map((row) => ({
        ...todoRows.toFile(row),
        ...(occurring.has(row.id) && { days: exportDays(db, user, row.id) }),
      }))
  }
}

async function thoseWithDays(
  db: Database,
  user: string,
  rows: readonly { id: string }[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (const batch of inBatches(rows)) {
    const found = await db.read
      .selectFrom('todo_days')
      .select('todo_id')
      .distinct()
      .where('user_id', '=', user)
      .where(
        'todo_id',
        'in',
        batch.map(({ id }) => id),
      )
      .execute()
    for (const { todo_id } of found) ids.add(todo_id)
  }
  return ids
}

/** The occurrences of a to-do by day, a few hundred at a time. */
async function* exportDays(db: Database, user: string, id: string): AsyncGenerator<ExportedDay[]> {
  for await (const days of pagesOfDays(db.read, user, id)) yield days.map(toFile)
}

function toFile({ day, state, done_on, moved_to, changed_at, moved_at }: DayRow): ExportedDay {
  return { day, state, done_on, moved_to, at: instantToWire(Math.max(changed_at, moved_at)) }
}

/** The to-dos in one piece of an import. A file is imported in pieces that fit into one request each. */
interface Piece {
  todos?: readonly ImportedTodo[] | undefined
  todo_days?: readonly ImportedDays[] | undefined
}

export const todoImporter = {
  collection: todoRows.collection,
  async refuse(tx: Transaction<Tables>, user: string, { todos = [], todo_days = [] }: Piece) {
    const sent = new Set(todos.map(({ id }) => id))
    const yieldPoint = createYieldPoint()
    for (const [place, { todo_id }] of todo_days.entries()) {
      if (sent.has(todo_id)) continue
      await yieldPoint()
      const row = await todoRows.lock(tx, user, todo_id)
      if (row?.deleted_at === null) continue
      return { field: `todo_days.${place}.todo_id`, problem: "The task for these occurrences doesn't exist" }
    }
    return undefined
  },
  async importRows(
    tx: Transaction<Tables>,
    user: string,
    { todos = [], todo_days = [] }: Piece,
    now: Instant,
    adding: Adding,
    importId: string | null = null,
  ) {
    anyRowChanged(tx, todoRows.collection)
    const imported = await importTodos(tx, user, todos, now, adding, importId)
    const added = await importDays(tx, user, todo_days, now, adding, importId)
    return { todos: todoRows.countImported(imported, adding), todo_days: { added } }
  },
  async undo(db: Database, user: string, importId: string, now: Instant) {
    const taken = (tx: Transaction<Tables>, rows: readonly { id: string }[]) =>
      planAlarms(
        tx,
        user,
        rows.map(({ id }) => id),
        now,
      )
    // Subtasks first: a parent stays if one of its subtasks stays.
    const subtasks = await todoRows.undoImport(db, user, importId, now, {
      only: ({ parent_id }) => parent_id !== null,
      taken,
    })
    const others = await todoRows.undoImport(db, user, importId, now, {
      only: ({ parent_id }) => parent_id === null,
      keeps: (tx, rows) => withChangedSubtasks(tx, user, rows, importId),
      taken,
    })
    const todo_days = await undoDays(db, user, importId, now)
    return { todos: subtasks + others, todo_days }
  },
}

/**
 * Undoes an import for occurrences that it added to to-dos it did not create. Returns how many occurrences stay, because they
 * were changed since.
 */
async function undoDays(db: Database, user: string, importId: string, now: Instant): Promise<number> {
  let kept = 0
  for (const id of await todosWithDaysOf(db.read, user, importId)) {
    for (let after: Day | undefined = '0000-01-01' as Day; after; ) {
      const last: Day = after
      const undone = await db.writeFor(user, todoRows.collections, (tx) =>
        undoDaysOf(tx, { user, id, importId }, last, now),
      )
      kept += undone?.kept ?? 0
      after = undone?.next
    }
  }
  return kept
}

/**
 * Removes one batch of a to-do's imported occurrences, those after the day `after`. Undefined if the to-do is gone or came with
 * the same import: its occurrences then stay or go with it.
 */
async function undoDaysOf(
  tx: Transaction<Tables>,
  { user, id, importId }: { user: string; id: string; importId: string },
  after: Day,
  now: Instant,
): Promise<{ kept: number; next: Day | undefined } | undefined> {
  rowsChanged(tx, todoRows.collection, [id])
  const row = await todoRows.lock(tx, user, id)
  const isOlder = row?.import_id !== importId || row.deleted_before_import !== null
  if (!row || !isOlder || (row.import_id === importId && row.deleted_at === null)) return undefined
  const undone = await takeBackSomeDays(tx, row, importId, after)
  await todoRows.update(tx, row, await summedAnew(tx, row, storedRule(row), now), row.updated_at)
  return undone
}

/** Adds occurrences that have no row yet, and returns how many. The to-dos must exist. */
async function importDays(
  tx: Transaction<Tables>,
  user: string,
  todos: readonly ImportedDays[],
  now: Instant,
  adding: Adding,
  importId: string | null,
): Promise<number> {
  let added = 0
  const yieldPoint = createYieldPoint()
  for (const { todo_id, days } of todos) {
    const row = await todoRows.lock(tx, user, todo_id)
    if (!row) throw new Error('A task that occurrences are imported into has to be there')
    let addedHere = 0
    for (const batch of inBatches(days)) {
      await yieldPoint()
      addedHere += await addImportedDays(tx, adding, row, batch, now, importId)
    }
    if (addedHere > 0) {
      // Keep `updated_at`: the to-do itself is as it was in the file.
      await todoRows.update(tx, row, await summedAnew(tx, row, storedRule(row), now), row.updated_at)
    }
    added += addedHere
  }
  return added
}

/** Adds new to-dos and restores deleted ones. A to-do that already exists stays as it is. */
export async function importTodos(
  tx: Transaction<Tables>,
  user: string,
  todos: readonly ImportedTodo[],
  now: Instant,
  adding: Adding,
  importId: string | null = null,
): Promise<ImportedRows> {
  if (todos.some(({ tags }) => tags.length > 0)) await holdTagChanges(tx, user)
  const past = todos.map((todo) => ({
    ...todo,
    remind_at: todo.reminder ? null : todo.remind_at,
    completed_at: todo.completed_at && notLater(todo.completed_at, now),
    tags: sortedTags(todo.tags),
  }))
  const imported = await todoRows.importRows(tx, user, past, now, importId)
  // If several rows have the same id, the first was imported.
  const firstOfId = new Map(past.toReversed().map((todo) => [todo.id, todo]))
  const added = [...imported.added].flatMap((id) => firstOfId.get(id) ?? [])
  await importTags(tx, adding, user, added, now)
  const withReminder = new Set(
    todos.filter((todo) => todo.remind_at !== null || todo.reminder !== null).map(({ id }) => id),
  )
  await planAlarms(tx, user, [...imported.restored, ...imported.added.intersection(withReminder)], now)
  const withLongPosition = todos.filter(({ position }) => position.length > longestPosition)
  const placed = imported.added.intersection(new Set(withLongPosition.map(({ id }) => id)))
  if (placed.size > 0) await shortenPositions(tx, user, [...placed])
  return imported
}
