import type { Transaction } from 'kysely'
import { type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Database } from '#platform/database/database.ts'
import { restoreRows, type TakenRows, uniqueById } from '#platform/database/import-rows.ts'
import { lettingOthersIn } from '#platform/database/letting-others-in.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { ExportedTodo } from '../exported-todo.ts'
import { planAlarms } from './todo-store.ts'

/** Few enough that others are answered between two readings. */
const readAtOnce = 500

/** Every to-do that is not deleted, in the order in which they were made, a few hundred at a time. */
export async function* exportTodos(db: Database, user: string): AsyncGenerator<ExportedTodo[]> {
  for (let after = { created_at: Number.MIN_SAFE_INTEGER, id: '' }; ; ) {
    const rows = await db.read
      .selectFrom('todos')
      .select([
        'id',
        'title',
        'completed',
        'completed_at',
        'completed_on',
        'due_day',
        'remind_at',
        'created_at',
        'updated_at',
      ])
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
    yield rows.map((row) => ({
      ...row,
      completed_at: row.completed_at === null ? null : instantToWire(row.completed_at),
      remind_at: row.remind_at === null ? null : instantToWire(row.remind_at),
      created_at: instantToWire(row.created_at),
      updated_at: instantToWire(row.updated_at),
    }))
  }
}

/** Adds what is not there and takes deletions back. A to-do that is there stays as it is. */
export async function importTodos(
  tx: Transaction<Tables>,
  user: string,
  todos: readonly ExportedTodo[],
  now: Instant,
): Promise<TakenRows> {
  const rows = uniqueById(todos)
  const added = new Set<string>()
  const letOthersIn = lettingOthersIn()
  for (const batch of inBatches(rows)) {
    await letOthersIn()
    const inserted = await tx
      .insertInto('todos')
      .values(batch.map((todo) => toRow(user, todo, now)))
      .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
      .returning('id')
      .execute()
    for (const { id } of inserted) added.add(id)
  }
  const there = rows.map(({ id }) => id).filter((id) => !added.has(id))
  const restored = await restoreRows(tx, 'todos', user, there, now)
  const reminding = rows.filter(
    ({ id, remind_at }) => restored.has(id) || (added.has(id) && remind_at !== null),
  )
  await planAlarms(
    tx,
    user,
    reminding.map(({ id }) => id),
    now,
  )
  return { added, restored }
}

function toRow(user: string, todo: ExportedTodo, now: Instant) {
  const past = (instant: string) => Math.min(instantFromWire(instant), now)
  const changedAt = past(todo.updated_at)
  return {
    user_id: user,
    id: todo.id,
    title: todo.title,
    title_at: changedAt,
    completed: todo.completed,
    completed_on: todo.completed_on,
    completed_at: todo.completed_at === null ? null : past(todo.completed_at),
    completed_changed_at: changedAt,
    due_day: todo.due_day,
    due_day_at: changedAt,
    remind_at: todo.remind_at === null ? null : instantFromWire(todo.remind_at),
    remind_changed_at: changedAt,
    created_at: past(todo.created_at),
    updated_at: changedAt,
    deleted_at: null,
    deletion_changed_at: changedAt,
  }
}
