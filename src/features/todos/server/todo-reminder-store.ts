import type { Selectable, Transaction } from 'kysely'
import { clearAlarms, setAlarm } from '#platform/alarms/alarm-store.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { isHidden, listStoodIn } from './subtask-store.ts'

/**
 * The content of a todo's reminder that was due at an instant; undefined if it is completed, gone, hidden, in an archived list, or
 * has a different reminder.
 */
export async function todoToRemindOf(
  db: Database,
  user: string,
  id: string,
  dueAt: Instant,
): Promise<{ title: string; dueDay: Day | null } | undefined> {
  const row = await db.read
    .selectFrom('todos')
    .select(['title', 'due_day', 'repeat'])
    .where('user_id', '=', user)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('completed', '=', 0)
    .where('remind_at', '=', dueAt)
    .where((eb) => eb.not(isHidden(eb)))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('lists')
            .select('lists.id')
            .whereRef('lists.user_id', '=', 'todos.user_id')
            .where(({ eb }) => eb('lists.id', '=', listStoodIn))
            .where('lists.archived_at', 'is not', null)
            .where('lists.deleted_at', 'is', null),
        ),
      ),
    )
    .executeTakeFirst()
  // Of one that repeats the row does not say which day is due.
  return row && { title: row.title, dueDay: row.repeat === null ? row.due_day : null }
}

/**
 * Records that the reminders of todos were delivered or skipped. Returns the todos that it left out because someone is changing
 * them right now, who may be waiting for the alarms that are locked here.
 */
export async function markTodosReminded(
  tx: Transaction<Tables>,
  todos: readonly { user: string; id: string }[],
): Promise<{ user: string; id: string }[]> {
  if (todos.length === 0) return []
  const rows = tx
    .selectFrom('todos')
    .select(['user_id', 'id'])
    .where((eb) =>
      eb(
        eb.refTuple('user_id', 'id'),
        'in',
        todos.map(({ user, id }) => eb.tuple(user, id)),
      ),
    )
  const existing = await rows.execute()
  const held = await rows.forUpdate().skipLocked().execute()
  const keyOf = (row: { user_id: string; id: string }) => `${row.user_id} ${row.id}`
  const keys = new Set(held.map(keyOf))
  for (const { user_id, id } of held) {
    await tx
      .updateTable('todos')
      .set(({ ref }) => ({ reminded_at: ref('remind_at') }))
      .where('user_id', '=', user_id)
      .where('id', '=', id)
      .execute()
  }
  return existing.filter((row) => !keys.has(keyOf(row))).map(({ user_id, id }) => ({ user: user_id, id }))
}

/**
 * Sets the alarm that follows from a change at `at`. A reminder for an instant before the change is over: reopening or
 * restoring the todo does not deliver it again. Nor is a reminder delivered again that was delivered before the change arrived,
 * late or for a second time.
 */
export async function planAlarm(
  tx: Transaction<Tables>,
  row: Selectable<Tables['todos']>,
  at: Instant,
): Promise<void> {
  const { remind_at, reminded_at, completed, deleted_at } = row
  const isAhead = remind_at !== null && remind_at > at && remind_at !== reminded_at
  if (isAhead && !completed && deleted_at === null) {
    await setAlarm(tx, row.user_id, 'todo', row.id, { due_at: remind_at })
  } else await clearAlarms(tx, row.user_id, ['todo'], row.id)
}
