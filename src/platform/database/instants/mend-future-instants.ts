import { setTimeout } from 'node:timers/promises'
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '../database.ts'
import { inBatches } from '../pacing/batches.ts'
import { betweenStretches } from '../pacing/work.ts'
import { createYieldPoint } from '../pacing/yield-point.ts'
import type { MergedTable } from '../row-kind.ts'
import type { Engine } from '../schema/migration-step.ts'
import type { Tables } from '../tables.ts'
import { isFuture, isFutureInstant, stretchesOf } from './future-rows.ts'

interface Mending {
  now: Instant
  /** What the latest future instant becomes. Not later than now, so that every change from then on is later. */
  becomes: Instant
}

const running = new WeakMap<Database, Map<string, Promise<number>>>()

/**
 * Repairs an account whose rows were written while a server's clock was ahead: their merge instants lie in the future, and every
 * change made now would lose to them. Sets these instants to `becomes` or just before, a few hundred rows in each write, and
 * returns how many rows were changed. After an interruption, the next call continues. A call during a run waits for that run. The
 * order of the instants decides whether a row is deleted, which set of a day counts, and what undoing an import leaves. To keep
 * that order, each instant becomes a millisecond earlier than the next later one.
 */
export function mendFutureInstants(
  database: Database,
  tables: readonly MergedTable[],
  user: string,
  when: Mending,
): Promise<number> {
  const ofDatabase = running.get(database) ?? new Map<string, Promise<number>>()
  running.set(database, ofDatabase)
  const underWay = ofDatabase.get(user)
  if (underWay) return underWay
  const run = mend(database, tables, user, when).finally(() => ofDatabase.delete(user))
  ofDatabase.set(user, run)
  return run
}

/** How often to look again for rows that somebody was changing, and how many milliseconds to wait before that. */
const mostPasses = 20
const restAfterPass = 100

async function mend(
  database: Database,
  all: readonly MergedTable[],
  user: string,
  { now, becomes }: Mending,
): Promise<number> {
  const { instants, tables } = await findFuture(database.read, all, user, now)
  if (instants.size === 0) return 0
  const toPast = inOrderBefore(becomes, instants)
  let mended = 0
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    let left = 0
    for (const table of tables) {
      for await (const stretch of stretchesOf(database.read, table, user)) {
        await betweenStretches()
        const found = await countFuture(database.read, table, stretch, now)
        if (found === 0) continue
        const done = await database.writeFor(user, table.collections, (tx) =>
          mendStretch(tx, database.engine, { table, user, stretch, now, toPast }),
        )
        mended += done
        left += found - done
      }
    }
    if (left <= 0) break
    await setTimeout(restAfterPass)
  }
  return mended
}

/** Every instant of the account that lies in the future, and the tables that have such instants. */
async function findFuture(
  db: Kysely<Tables>,
  all: readonly MergedTable[],
  user: string,
  now: Instant,
): Promise<{ instants: Set<Instant>; tables: MergedTable[] }> {
  const instants = new Set<Instant>()
  const tables = new Set<MergedTable>()
  for (const table of all) {
    for await (const stretch of stretchesOf(db, table, user)) {
      for (const row of await readFuture(db, table, { stretch, now })) {
        tables.add(table)
        for (const instant of Object.values(futureOf(row, table, now))) instants.add(instant)
      }
      await betweenStretches()
    }
  }
  return { instants, tables: [...tables] }
}

/**
 * Milliseconds over which the repaired instants are spread at most. If there are more instants than milliseconds, some become
 * equal.
 */
const longestSpan = 30_000

/** Maps these instants, and any between them, to instants that end with `end`: in the same order, and as close as possible. */
function inOrderBefore(end: Instant, instants: ReadonlySet<Instant>): (instant: Instant) => Instant {
  const sorted = Float64Array.from(instants).sort()
  const apart = Math.min(1, longestSpan / sorted.length)
  return (instant) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sorted[middle] ?? 0) <= instant) low = middle + 1
      else high = middle
    }
    return end - Math.floor((sorted.length - low) * apart)
  }
}

type StoredRow = Record<string, string | number | null>

async function countFuture(
  db: Kysely<Tables>,
  table: MergedTable,
  stretch: RawBuilder<SqlBool>,
  now: Instant,
): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table.table)}
    where ${stretch} and ${isFuture(table, now)}`.execute(db)
  return Number(rows[0]?.rows ?? 0)
}

/** The rows in one part of a table (`stretchesOf`) that have a future instant, in the order of their keys. */
async function readFuture(
  db: Kysely<Tables>,
  table: MergedTable,
  { stretch, now, lock = sql`` }: { stretch: RawBuilder<SqlBool>; now: Instant; lock?: RawBuilder<unknown> },
): Promise<StoredRow[]> {
  const { key, instants, habit } = table
  const columns = new Set([...key, ...instants, ...(habit === undefined ? [] : [habit])])
  const order = key.length === 0 ? sql`` : sql`order by ${names(key)}`
  const { rows } = await sql<StoredRow>`
    select ${names([...columns])} from ${sql.table(table.table)}
    where ${stretch} and ${isFuture(table, now)} ${order} ${lock}`.execute(db)
  return rows
}

function futureOf(row: StoredRow, { instants }: MergedTable, now: Instant): Record<string, Instant> {
  const future: Record<string, Instant> = {}
  for (const column of instants) {
    const { [column]: instant } = row
    if (typeof instant === 'number' && isFutureInstant(instant, now)) future[column] = instant
  }
  return future
}

interface Stretch {
  table: MergedTable
  user: string
  stretch: RawBuilder<SqlBool>
  now: Instant
  toPast: (instant: Instant) => Instant
}

/**
 * Repairs the rows in one part of a table (`stretchesOf`). Rows that somebody is changing right now are left for the next pass:
 * waiting for them could deadlock.
 */
async function mendStretch(
  tx: Transaction<Tables>,
  engine: Engine,
  { table, user, stretch, now, toPast }: Stretch,
): Promise<number> {
  const lock = engine === 'postgres' ? sql`for update skip locked` : sql``
  const found = await readFuture(tx, table, { stretch, now, lock })
  const rows = table.habit === undefined ? found : await forgetSums(tx, user, found, table.habit, lock)
  const yieldPoint = createYieldPoint()
  // An import gives all its rows the same instants, so many rows can be updated together.
  const alike = Map.groupBy(rows, (row) => JSON.stringify(futureOf(row, table, now)))
  for (const group of alike.values()) {
    const [first] = group
    if (!first) continue
    const past = Object.entries(futureOf(first, table, now)).map(
      ([column, instant]) => [column, toPast(instant)] as const,
    )
    const values = sql.join(past.map(([column, instant]) => sql`${sql.ref(column)} = ${instant}`))
    for (const batch of inBatches(group)) {
      await yieldPoint()
      await makeRoom(tx, table, user, batch, new Map(past))
      await sql`
        update ${sql.table(table.table)} set ${values}
        where user_id = ${user} and ${areRows(table.key, batch)}`.execute(tx)
    }
  }
  return rows.length
}

/**
 * If the instant is part of the key, another row may already have the repaired row's new key. That other row is deleted, since it
 * was written earlier and loses.
 */
async function makeRoom(
  tx: Transaction<Tables>,
  { table, key }: MergedTable,
  user: string,
  rows: readonly StoredRow[],
  past: ReadonlyMap<string, Instant>,
): Promise<void> {
  if (!key.some((column) => past.has(column))) return
  const places = rows.map((row) => ({ ...row, ...Object.fromEntries(past) }))
  await sql`delete from ${sql.table(table)} where user_id = ${user} and ${areRows(key, places)}`.execute(tx)
}

/**
 * Forgets the sums stored for the habits of these rows. Repaired instants fall into the last minute, so they may now come before
 * instants of rows written since, and the sums depend on that order. Returns the rows whose habits nobody is changing right now.
 */
async function forgetSums(
  tx: Transaction<Tables>,
  user: string,
  rows: readonly StoredRow[],
  column: string,
  lock: RawBuilder<unknown>,
): Promise<StoredRow[]> {
  const named = [...new Set(rows.map((row) => String(row[column])))]
  const busy = new Set<string>()
  for (const batch of inBatches(named)) {
    const chosen = sql`from habits where user_id = ${user} and id in (${sql.join(batch)})`
    const { rows: there } = await sql<{ id: string }>`select id ${chosen}`.execute(tx)
    const { rows: free } = await sql<{ id: string }>`select id ${chosen} order by id ${lock}`.execute(tx)
    const ids = new Set(free.map(({ id }) => id))
    for (const { id } of there) if (!ids.has(id)) busy.add(id)
    for (const id of ids) {
      await tx.deleteFrom('habit_years').where('user_id', '=', user).where('habit_id', '=', id).execute()
      await tx
        .updateTable('habits')
        .set({ earlier_name: null, earlier_from: null, earlier_sum: null })
        .where('user_id', '=', user)
        .where('id', '=', id)
        .execute()
    }
  }
  return rows.filter((row) => !busy.has(String(row[column])))
}

/** A condition that matches these rows of a user, by their keys without `user_id`. */
function areRows(key: readonly string[], rows: readonly StoredRow[]): RawBuilder<SqlBool> {
  if (key.length === 0) return sql<SqlBool>`true`
  const each = rows.map((row) => {
    const parts = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`)
    return sql`(${sql.join(parts, sql` and `)})`
  })
  return sql<SqlBool>`(${sql.join(each, sql` or `)})`
}

function names(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}
