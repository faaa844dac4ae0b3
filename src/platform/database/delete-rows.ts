import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from './database.ts'
import { lettingOthersIn } from './letting-others-in.ts'
import type { Engine } from './migrations/migration-step.ts'
import type { Tables } from './tables.ts'

// An account may have hundreds of thousands of rows. They are deleted for good some at a time, each time in a write of its
// own, so that neither the event loop nor anybody's write waits for all of them.

/**
 * Rows that one write deletes. On PostgreSQL it keeps nobody waiting, and passes by what the writes before it have left there
 * until that is vacuumed, so that many small ones would take longer and longer.
 */
const mostAtOnce: Record<Engine, number> = { sqlite: 250, postgres: 2_000 }

/** What an account may have a great many of; what belongs to another row comes before it. */
const tablesOfUser = [
  'deliveries',
  'alarms',
  'completions',
  'habit_years',
  'habits',
  'focus_days',
  'focus_sessions',
  'todos',
] as const

/** Deletes some of the rows of a user, and says whether there were any. What belongs to nobody else goes with the user. */
export async function deleteSomeRows(
  tx: Transaction<Tables>,
  engine: Engine,
  user: string,
): Promise<boolean> {
  for (const table of tablesOfUser) {
    if ((await deleteSome(tx, engine, table, sql`user_id = ${user}`, mostAtOnce[engine])) > 0) return true
  }
  return false
}

/** By where the rows lie, which leads straight to them, and not by what they hold. Answers how many those were. */
async function deleteSome(
  tx: Transaction<Tables>,
  engine: Engine,
  table: keyof Tables,
  which: RawBuilder<unknown>,
  most: number,
): Promise<number> {
  const rows = sql`from ${sql.table(table)} where ${which} limit ${most} ${held(engine)}`
  const chosen =
    engine === 'postgres' ? sql`ctid = any(array(select ctid ${rows}))` : sql`rowid in (select rowid ${rows})`
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${chosen}`.execute(tx)
  return Number(numAffectedRows)
}

/** Tables of which rows are deleted for 30 days before they go, and what goes along with a row of them. */
const deletable = {
  todos: undefined,
  habits: { table: 'completions', row: 'habit_id' },
  focus_sessions: { table: 'focus_days', row: 'session_id' },
} as const

/** Forgets what anyone deleted before an instant, and answers how many rows that were. */
export async function purgeDeleted(
  db: Database,
  table: keyof typeof deletable,
  before: Instant,
): Promise<number> {
  const letOthersIn = lettingOthersIn()
  for (let purged = 0; ; ) {
    const { rows, left } = await db.write((tx) => purgeSome(tx, db.engine, table, before))
    purged += rows
    if (!left) return purged
    await letOthersIn()
  }
}

async function purgeSome(
  tx: Transaction<Tables>,
  engine: Engine,
  table: keyof typeof deletable,
  before: Instant,
): Promise<{ rows: number; left: boolean }> {
  const atOnce = mostAtOnce[engine]
  const { rows } = await sql<{ user_id: string; id: string }>`
    select user_id, id from ${sql.table(table)} where deleted_at < ${before}
    order by deleted_at, user_id, id limit ${atOnce} ${held(engine)}`.execute(tx)
  const part = deletable[table]
  let deleted = 0
  for (const [place, { user_id, id }] of rows.entries()) {
    if (part) {
      const ofRow = sql`user_id = ${user_id} and ${sql.ref(part.row)} = ${id}`
      deleted += await deleteSome(tx, engine, part.table, ofRow, atOnce - deleted)
    }
    if (deleted >= atOnce) {
      // Nothing brings it back any more, now that a part of it is gone.
      await sql`
        update ${sql.table(table)} set deletion_changed_at = ${Number.MAX_SAFE_INTEGER}
        where user_id = ${user_id} and id = ${id}`.execute(tx)
      return { rows: place, left: true }
    }
    await sql`delete from ${sql.table(table)} where user_id = ${user_id} and id = ${id}`.execute(tx)
    deleted += 1
  }
  return { rows: rows.length, left: rows.length === atOnce }
}

/** What somebody is changing at this moment is left for the next time: nobody waits for each other. */
function held(engine: Engine) {
  return engine === 'postgres' ? sql`for update skip locked` : sql``
}
