import type { Selectable, Transaction } from 'kysely'
import { clearAlarms, setAlarm } from '#platform/alarms/alarm-store.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'

/** What to say of a todo whose reminder was due at that instant; undefined when it is done, gone, or has another one. */
export async function todoToRemindOf(
  db: Database,
  user: string,
  id: string,
  dueAt: Instant,
): Promise<{ title: string; dueDay: Day | null } | undefined> {
  const row = await db.read
    .selectFrom('todos')
    .select(['title', 'due_day'])
    .where('user_id', '=', user)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('completed', '=', 0)
    .where('remind_at', '=', dueAt)
    .executeTakeFirst()
  return row && { title: row.title, dueDay: row.due_day }
}

/**
 * Keeps of todos that their reminder was said, or skipped. Answers those that are left out, since somebody is changing them
 * at this moment, who may be waiting for the alarms that are held here.
 */
export async function keepReminded(
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
  const there = await rows.execute()
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
  return there.filter((row) => !keys.has(keyOf(row))).map(({ user_id, id }) => ({ user: user_id, id }))
}

/**
 * Sets the alarm that a change at `at` leads to. What the person, when they made it, wanted to be reminded of at an earlier
 * instant, is over: it is not said again because they reopen it or take its deletion back. Nor is what was said meanwhile,
 * where the change arrives late or again.
 */
export async function planAlarm(
  tx: Transaction<Tables>,
  row: Selectable<Tables['todos']>,
  at: Instant,
): Promise<void> {
  const { remind_at, reminded_at, completed, deleted_at } = row
  const isToCome = remind_at !== null && remind_at > at && remind_at !== reminded_at
  if (isToCome && !completed && deleted_at === null) {
    await setAlarm(tx, row.user_id, 'todo', row.id, { due_at: remind_at })
  } else await clearAlarms(tx, row.user_id, ['todo'], row.id)
}
