import type { Transaction } from 'kysely'
import { hasReminder } from '#features/todos/todo/server/todo-alarm-store.ts'
import { setAlarm } from '#platform/alarms/alarm-store.ts'
import { type Day, earliestDayAnywhere, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import type { RowKey } from '#platform/database/rows/delete-rows.ts'
import type { Tables } from '#platform/database/tables.ts'

type Row = Pick<
  Tables['todos'],
  | 'user_id'
  | 'id'
  | 'completed'
  | 'deleted_at'
  | 'remind_at'
  | 'reminder'
  | 'reminded_at'
  | 'due_day'
  | 'repeat'
>

/** To-dos per slice. After each slice, `rest` lets other work run. */
const sliceLength = 500

/**
 * Sets alarms again that were skipped or postponed while the server's clock ran ahead. A reminder at a fixed instant that was
 * delivered too early does not come again; a reminder for an occurrence of a repeating to-do does. Calls `rest` after each slice,
 * and ends early once `signal` is aborted.
 */
export async function planTodosAgain(
  db: Database,
  clock: () => Instant,
  signal: AbortSignal,
  rest: () => Promise<void>,
): Promise<void> {
  for await (const slice of pagesByKey(sliceLength, (last?: RowKey) => todosAfter(db, last))) {
    const now = clock()
    const found = slice.filter((row) => plannedFor(row, row, now) !== undefined)
    if (found.length > 0) await db.write((tx) => planEach(tx, found, now))
    await rest()
    if (signal.aborted) return
  }
}

function todosAfter(db: Database, after: RowKey | undefined) {
  return db.read
    .selectFrom('todos')
    .leftJoin('alarms', (join) =>
      join
        .onRef('alarms.user_id', '=', 'todos.user_id')
        .onRef('alarms.row_id', '=', 'todos.id')
        .on('alarms.kind', '=', 'todo'),
    )
    .select(['todos.user_id', 'todos.id', 'completed', 'deleted_at', 'remind_at', 'reminder', 'reminded_at'])
    .select(['due_day', 'repeat', 'alarms.due_at', 'alarms.day'])
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('todos.user_id', 'todos.id'), '>', eb.tuple(after?.user_id ?? '', after?.id ?? '')),
      ),
    )
    .orderBy('todos.user_id')
    .orderBy('todos.id')
    .limit(sliceLength)
    .execute()
}

/**
 * The instant for which to set the alarm; undefined if the alarm is right already. Returns `now` to let the scheduler compute the
 * next instant.
 */
function plannedFor(
  row: Row,
  { due_at, day }: { due_at: Instant | null; day: Day | null },
  now: Instant,
): Instant | undefined {
  const { completed, deleted_at, reminder, remind_at, reminded_at, due_day, repeat } = row
  if (completed || deleted_at !== null || !hasReminder(row) || (due_at !== null && due_at <= now))
    return undefined
  if (reminder === null) {
    const isPassedOver = due_at === null && remind_at !== reminded_at
    return isPassedOver && remind_at !== null && remind_at > now ? remind_at : undefined
  }
  const isRemindedInTheFuture = reminded_at !== null && reminded_at > now
  if (due_at !== null) return day === null || (repeat !== null && isRemindedInTheFuture) ? now : undefined
  const isStillDue = due_day !== null && due_day >= earliestDayAnywhere(now)
  return isStillDue && !isRemindedInTheFuture ? now : undefined
}

/** Skips to-dos that somebody is changing right now: the write that changes a to-do sets its alarm by the corrected clock. */
async function planEach(tx: Transaction<Tables>, found: readonly RowKey[], now: Instant): Promise<void> {
  // Lock the user first, as deleting an account does: two writes that lock in different orders would deadlock.
  await tx
    .selectFrom('user')
    .select('id')
    .where('id', 'in', [...new Set(found.map(({ user_id }) => user_id))])
    .orderBy('id')
    .forKeyShare()
    .execute()
  for (const { user_id, id } of found) {
    const row = await tx
      .selectFrom('todos')
      .selectAll()
      .where('user_id', '=', user_id)
      .where('id', '=', id)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!row) continue
    const alarm = await tx
      .selectFrom('alarms')
      .select(['due_at', 'day'])
      .where('user_id', '=', user_id)
      .where('kind', '=', 'todo')
      .where('row_id', '=', id)
      .executeTakeFirst()
    const due_at = plannedFor(row, alarm ?? { due_at: null, day: null }, now)
    if (due_at !== undefined) await setAlarm(tx, user_id, 'todo', id, { due_at })
  }
}
