import { sql, type Transaction } from 'kysely'
import type { AlarmKind } from '#platform/alarms/tables.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { stretchesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import { type DueUsers, dueUsers, selectForEachUser } from '#platform/database/rows/due-users.ts'
import type { Tables } from '#platform/database/tables.ts'
import { sendAlong } from '#platform/database/transaction-executor.ts'

// The instants of the next reminders. Every write that changes such an instant also sets the alarm, so that one index finds
// everything due, whatever its kind.

export interface Alarm {
  user_id: string
  kind: AlarmKind
  row_id: string
  due_at: Instant
  reminded_on: Day | null
  day: Day | null
}

/** Sets the row's only alarm of this kind, replacing an earlier one. */
export async function setAlarm(
  tx: Transaction<Tables>,
  user: string,
  kind: AlarmKind,
  row: string,
  due: Pick<Alarm, 'due_at'> & Partial<Pick<Alarm, 'reminded_on' | 'day'>>,
): Promise<void> {
  const values = { due_at: due.due_at, reminded_on: due.reminded_on ?? null, day: due.day ?? null }
  const setting = tx
    .insertInto('alarms')
    .values({ user_id: user, kind, row_id: row, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'row_id']).doUpdateSet(values))
  await sendAlong(tx, setting.execute())
}

export async function clearAlarms(
  tx: Transaction<Tables>,
  user: string,
  kinds: readonly AlarmKind[],
  row: string,
): Promise<void> {
  const clearing = tx
    .deleteFrom('alarms')
    .where('user_id', '=', user)
    .where('kind', 'in', kinds)
    .where('row_id', '=', row)
  await sendAlong(tx, clearing.execute())
}

export async function removeAlarm(
  tx: Transaction<Tables>,
  { user_id, kind, row_id }: Pick<Alarm, 'user_id' | 'kind' | 'row_id'>,
): Promise<void> {
  await clearAlarms(tx, user_id, [kind], row_id)
}

/** The row's alarm of one kind; undefined if none is set. */
export async function alarmOf(
  tx: Transaction<Tables>,
  user: string,
  kind: AlarmKind,
  row: string,
): Promise<Alarm | undefined> {
  return tx
    .selectFrom('alarms')
    .selectAll()
    .where('user_id', '=', user)
    .where('kind', '=', kind)
    .where('row_id', '=', row)
    .executeTakeFirst()
}

/**
 * Marks the alarms of a user's to-dos that go with the due day, so that they are computed again. From `now` on they follow
 * the time zone that the person lives in.
 */
export async function recomputeTodoAlarms(
  tx: Transaction<Tables>,
  user: string,
  now: Instant,
): Promise<void> {
  const endAfter = (after?: { row_id: string }) =>
    tx
      .selectFrom('alarms')
      .select('row_id')
      .where('user_id', '=', user)
      .where('kind', '=', 'todo')
      .where('row_id', '>', after?.row_id ?? '')
      .orderBy('row_id')
      .limit(1)
      .offset(recomputedAtOnce - 1)
      .executeTakeFirst()
  for await (const { after, end } of stretchesByKey(endAfter, createYieldPoint())) {
    await tx
      .updateTable('alarms')
      .set({ due_at: now })
      .where('user_id', '=', user)
      .where('kind', '=', 'todo')
      .where('row_id', '>', after?.row_id ?? '')
      .$if(end !== undefined, (query) => query.where('row_id', '<=', end?.row_id ?? ''))
      .where('day', 'is not', null)
      // The sum keeps the database from using the index by instant, with which each of these statements would walk through all
      // alarms.
      .where(sql`due_at + 0`, '>', now)
      .execute()
  }
}

/** Alarms per statement, since an account may have as many as it has to-dos. */
const recomputedAtOnce = 200

/** The user's alarms of one kind, by row. */
export async function alarmsOf(
  tx: Transaction<Tables>,
  user: string,
  kind: AlarmKind,
): Promise<Map<string, Alarm>> {
  const alarms = await tx
    .selectFrom('alarms')
    .selectAll()
    .where('user_id', '=', user)
    .where('kind', '=', kind)
    .forUpdate()
    .execute()
  return new Map(alarms.map((alarm) => [alarm.row_id, alarm]))
}

/** The most due alarms to scan for their users. With more, the users take turns (`dueUsers`). */
const scanLimit = 100

/** Finds the users whose due alarms are handled next, in fair order. */
export function usersWithDueAlarms(db: Database): DueUsers {
  const fairly = dueUsers(db, { table: 'alarms', due: 'due_at' })
  return {
    async next(now, most, except = new Set()) {
      const oldest = await db.read
        .selectFrom('alarms')
        .select('user_id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(scanLimit)
        .execute()
      if (oldest.length === scanLimit) return fairly.next(now, most, except)
      const users = new Set(oldest.map(({ user_id }) => user_id))
      return [...users.difference(except)].slice(0, most)
    },
  }
}

/** Locks the oldest due alarms of each of these users until the write ends. Skips alarms that another transaction holds. */
export async function lockDueAlarms(
  tx: Transaction<Tables>,
  now: Instant,
  users: readonly string[],
  maxPerUser: number,
): Promise<Alarm[]> {
  const due = selectForEachUser(tx, users, (user) =>
    tx
      .selectFrom('alarms')
      .selectAll()
      .where('user_id', '=', user)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(maxPerUser)
      .forUpdate()
      .skipLocked(),
  )
  const alarms = (await due?.execute()) ?? []
  if (alarms.length === 0) return []
  // Deleting an account locks the user first and the alarms last. Waiting for the user here, with alarms locked, would
  // deadlock.
  const existing = await tx
    .selectFrom('user')
    .select('id')
    .where('id', 'in', users)
    .forKeyShare()
    .skipLocked()
    .execute()
  const ids = new Set(existing.map(({ id }) => id))
  return alarms.filter(({ user_id }) => ids.has(user_id))
}
