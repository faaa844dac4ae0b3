import type { Kysely, Transaction } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { habitRows } from './habit-rows.ts'

export type HabitRow = Tables['habits']

/** The habits that are not deleted. */
export function liveHabits(db: Kysely<Tables>, user: string) {
  return db.selectFrom('habits').where('user_id', '=', user).where('deleted_at', 'is', null)
}

/** Locks and returns the habit: nobody else can change it until the write ends. Undefined if it does not exist or is deleted. */
export async function lockHabit(
  tx: Transaction<Tables>,
  user: string,
  id: string,
): Promise<HabitRow | undefined> {
  const row = await habitRows.lock(tx, user, id)
  return row?.deleted_at === null ? row : undefined
}

/** The names of the habits by their ids, without deleted habits. */
export async function namedHabits(
  db: Database,
  user: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await liveHabits(db.read, user).select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
