import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from './database.ts'
import type { Engine } from './migrations/migration-step.ts'
import type { RowKind, UserTable } from './row-kind.ts'
import type { Tables } from './tables.ts'
import { createYieldPoint } from './yield-point.ts'

// An account can have hundreds of thousands of rows. They are permanently deleted in batches, each in its own write, so that
// neither the event loop nor another user's write has to wait for all of them.

/**
 * How many rows one write deletes. On PostgreSQL nobody waits for it, but each write skips the dead rows that earlier ones
 * left until they are vacuumed, so many small writes would take longer and longer.
 */
const mostAtOnce: Record<Engine, number> = { sqlite: 250, postgres: 2_000 }

/** The tables of these kinds. Tables whose rows belong to another row come before it. */
export function tablesOf(kinds: readonly RowKind[]): UserTable[] {
  return kinds.flatMap(({ table, parts }) => [...parts.map((part) => part.table), table])
}

/**
 * Deletes some of a user's rows in these tables, and returns whether there were any. Tables with only a few rows are deleted
 * together with the user.
 */
export async function deleteSomeRows(
  tx: Transaction<Tables>,
  engine: Engine,
  tables: readonly UserTable[],
  user: string,
): Promise<boolean> {
  for (const table of tables) {
    if ((await deleteSome(tx, engine, table, sql`user_id = ${user}`, mostAtOnce[engine])) > 0) return true
  }
  return false
}

/** Selects the rows by their physical location, which is the fastest way to them. Returns how many it deleted. */
async function deleteSome(
  tx: Transaction<Tables>,
  engine: Engine,
  table: keyof Tables,
  which: RawBuilder<unknown>,
  most: number,
): Promise<number> {
  const rows = sql`from ${sql.table(table)} where ${which} limit ${most} ${skipLocked(engine)}`
  const chosen =
    engine === 'postgres' ? sql`ctid = any(array(select ctid ${rows}))` : sql`rowid in (select rowid ${rows})`
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${chosen}`.execute(tx)
  return Number(numAffectedRows)
}

/** Permanently removes what any user deleted before an instant, and returns how many rows that were. */
export async function purgeDeleted(db: Database, kind: RowKind, before: Instant): Promise<number> {
  const yieldPoint = createYieldPoint()
  for (let purged = 0; ; ) {
    const { rows, left } = await db.write((tx) => purgeSome(tx, db.engine, kind, before))
    purged += rows
    if (!left) return purged
    await yieldPoint()
  }
}

async function purgeSome(
  tx: Transaction<Tables>,
  engine: Engine,
  { table, parts, takeAlong }: RowKind,
  before: Instant,
): Promise<{ rows: number; left: boolean }> {
  const atOnce = mostAtOnce[engine]
  const { rows } = await sql<{ user_id: string; id: string }>`
    select user_id, id from ${sql.table(table)} where deleted_at < ${before}
    order by deleted_at, user_id, id limit ${atOnce} ${skipLocked(engine)}`.execute(tx)
  let [deleted, along] = [0, 0]
  for (const [place, { user_id, id }] of rows.entries()) {
    for (const part of parts) {
      const ofRow = sql`user_id = ${user_id} and ${sql.ref(part.row)} = ${id}`
      if (deleted < atOnce) deleted += await deleteSome(tx, engine, part.table, ofRow, atOnce - deleted)
    }
    if (takeAlong && deleted < atOnce) {
      const taken = await takeAlong(tx, { user_id, id }, atOnce - deleted)
      deleted += taken
      along += taken
    }
    if (deleted >= atOnce) {
      // Part of it is gone, so nothing may restore it any more.
      await sql`
        update ${sql.table(table)} set deletion_changed_at = ${Number.MAX_SAFE_INTEGER}
        where user_id = ${user_id} and id = ${id}`.execute(tx)
      return { rows: place, left: true }
    }
    await sql`delete from ${sql.table(table)} where user_id = ${user_id} and id = ${id}`.execute(tx)
    deleted += 1
  }
  return { rows: rows.length, left: rows.length === atOnce || along > 0 }
}

/** Rows that someone is changing right now are left for the next time, so that nobody waits for anyone. */
function skipLocked(engine: Engine) {
  return engine === 'postgres' ? sql`for update skip locked` : sql``
}
