import { setImmediate, setTimeout } from 'node:timers/promises'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { AuthInstant } from '../auth-values.ts'
import type { Database } from '../database.ts'
import type { RowKind, UserTable } from '../row-kind.ts'
import type { Engine } from '../schema/migration-step.ts'
import type { Tables } from '../tables.ts'
import { neverRestored } from './deletion.ts'

// An account can have hundreds of thousands of rows. They are permanently deleted in slices, each in its own write and followed
// by a rest. So neither the event loop nor another user's write has to wait for all of them.

/** How a long deletion leaves time to other work. */
export interface Pace {
  /** Ends the deletion after the current slice. The remaining rows are deleted the next time. */
  signal?: AbortSignal | undefined
  /**
   * Each slice is followed by a rest this many times as long as the slice took. With 0, the deletion only yields to the event
   * loop once.
   */
  rest?: number
  /** Milliseconds of a monotonic clock. */
  clock?: () => number
  /** Resolves after `milliseconds`, or as soon as the signal is aborted. */
  pause?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
}

// The longest rest, in milliseconds. Without this limit, a slice that waited long for others, such as an import, would be
// followed by minutes of rest.
const longestRest = 10_000

/** The `rest` for work that nobody waits for: it takes a tenth of the writer's time. */
export const unhurried = 9

interface SliceSize {
  /** How many milliseconds a slice should take. */
  aim: number
  /** How many rows a slice deletes, at least and at most. */
  fewest: number
  most: number
}

/**
 * On PostgreSQL, nobody waits for a slice, so slices can be larger. Many small slices would even take longer and longer: until a
 * vacuum, each slice skips the dead rows of earlier ones.
 */
const sliceSize: Record<Engine, SliceSize> = {
  sqlite: { aim: 5, fewest: 30, most: 250 },
  postgres: { aim: 50, fewest: 150, most: 1_500 },
}

/**
 * Runs `slice` repeatedly, each time in its own write, until nothing is left or the signal is aborted. `most`: how many rows a
 * slice may delete, derived from how long the previous slices took.
 */
export async function inSlices(
  db: Database,
  how: 'write' | 'erase',
  slice: (tx: Transaction<Tables>, most: number) => Promise<{ left: boolean }>,
  { signal, rest = unhurried, clock = () => performance.now(), pause = pauseFor }: Pace,
): Promise<void> {
  for (let rows = sliceSize[db.engine].fewest; !signal?.aborted; ) {
    const asked = clock()
    const { left, took } = await db[how](async (tx) => {
      const began = clock()
      const { left } = await slice(tx, rows)
      return { left, took: clock() - began }
    })
    if (!left) return
    rows = rowsOfNext(db.engine, rows, took)
    // The time includes waiting for other writes, so the rest is even longer when there is much to do.
    await pause(Math.min(rest * (clock() - asked), longestRest), signal)
  }
}

/** At most twice as many rows as before, since a row of the next table may take longer. */
function rowsOfNext(engine: Engine, rows: number, took: number): number {
  const { aim, fewest, most } = sliceSize[engine]
  const fitting = Math.floor((rows * aim) / Math.max(took, 0.1))
  return Math.max(fewest, Math.min(fitting, 2 * rows, most))
}

export async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  // A timer would take at least a millisecond.
  if (milliseconds === 0) return setImmediate()
  await setTimeout(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal?.aborted) throw error
  })
}

/** The tables of these kinds. Tables whose rows belong to another row come before that row's table. */
export function tablesOf(kinds: readonly RowKind[]): UserTable[] {
  return kinds.flatMap(({ table, parts }) => [...parts.map((part) => part.table), table])
}

/**
 * Deletes some of a user's rows in these tables. Returns whether there were any. Tables that hold only a few rows are not
 * included: they are deleted together with the user.
 */
export async function deleteSomeRows(
  tx: Transaction<Tables>,
  engine: Engine,
  tables: readonly UserTable[],
  user: string,
  most: number,
): Promise<boolean> {
  for (const table of tables) {
    if ((await deleteSome(tx, engine, table, sql`user_id = ${user}`, most)) > 0) return true
  }
  return false
}

/** Permanently removes a table's rows in which the instant in `column` is `now` or earlier. */
export async function purgeUpTo<Table extends keyof Tables>(
  db: Database,
  table: Table,
  column: keyof Tables[Table] & string,
  now: Instant | AuthInstant,
  pace: Pace = {},
): Promise<void> {
  const slice = async (tx: Transaction<Tables>, most: number) => {
    const deleted = await deleteSome(tx, db.engine, table, sql`${sql.ref(column)} <= ${now}`, most)
    return { left: deleted === most }
  }
  await inSlices(db, 'write', slice, pace)
}

/** Deletes up to `most` rows, selected by their physical location, which is fastest. Returns how many were deleted. */
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

/** Permanently removes all rows of a kind that any user deleted before an instant. Returns how many were removed. */
export async function purgeDeleted(
  db: Database,
  kind: RowKind,
  before: Instant,
  pace: Pace = {},
): Promise<number> {
  let purged = 0
  await inSlices(
    db,
    'write',
    async (tx, most) => {
      const { rows, left } = await purgeSome(tx, db.engine, kind, before, most)
      purged += rows
      return { left }
    },
    pace,
  )
  return purged
}

export interface RowKey {
  user_id: string
  id: string
}

/** `place`: the row's physical location. */
type PurgedRow = RowKey & { place: string | number }

/**
 * Deletes up to `most` rows, counting rows of other tables that belong to them (`parts`). Returns how many rows of the kind
 * itself were deleted.
 */
async function purgeSome(
  tx: Transaction<Tables>,
  engine: Engine,
  kind: RowKind,
  before: Instant,
  most: number,
): Promise<{ rows: number; left: boolean }> {
  const atOnce = Math.ceil(most / 3)
  const place = engine === 'postgres' ? sql`ctid::text` : sql`rowid`
  const { rows } = await sql<PurgedRow>`
    select ${place} as place, user_id, id from ${sql.table(kind.table)} where deleted_at < ${before}
    order by deleted_at, user_id, id limit ${atOnce} ${skipLocked(engine)}`.execute(tx)
  if (rows.length === 0) return { rows: 0, left: false }
  const { alone, marked } = await deleteParts(tx, engine, kind, rows, most - atOnce)
  await sql`delete from ${sql.table(kind.table)} where ${isAt(engine, alone)}`.execute(tx)
  if (alone.length < rows.length) {
    const others = rows.filter((row) => !alone.includes(row))
    // Parts of these rows may already be gone, so nothing may restore them any more.
    await sql`
      update ${sql.table(kind.table)} set deletion_changed_at = ${neverRestored}
      where ${isAt(engine, others)} and deletion_changed_at < ${neverRestored}`.execute(tx)
  }
  return { rows: alone.length, left: rows.length === atOnce || alone.length < rows.length || marked > 0 }
}

/**
 * Deletes rows of other tables that belong to these rows (`parts`), and marks other rows that must go with them as deleted: at
 * most `most` altogether. Returns the rows that certainly have no parts left, and how many other rows were marked.
 */
async function deleteParts(
  tx: Transaction<Tables>,
  engine: Engine,
  { parts, takeAlong }: RowKind,
  rows: readonly PurgedRow[],
  most: number,
): Promise<{ alone: readonly PurgedRow[]; marked: number }> {
  let room = most
  for (const part of parts) {
    const ofRows = sql`(user_id, ${sql.ref(part.row)}) in ${keysOf(engine, rows)}`
    room -= await deleteSome(tx, engine, part.table, ofRows, room)
    if (room === 0) return { alone: [], marked: 0 }
  }
  if (!takeAlong) return { alone: rows, marked: 0 }
  let marked = 0
  for (const [place, row] of rows.entries()) {
    const taken = await takeAlong(tx, row, room)
    marked += taken
    room -= taken
    if (room === 0) return { alone: rows.slice(0, place), marked }
  }
  return { alone: rows, marked }
}
/** The keys as one parameter, so that the statement is the same for any number of rows. */
function keysOf(engine: Engine, rows: readonly RowKey[]): RawBuilder<unknown> {
  const keys = JSON.stringify(rows.map(({ user_id, id }) => [user_id, id]))
  const each = engine === 'postgres' ? sql`jsonb_array_elements(${keys}::jsonb)` : sql`json_each(${keys})`
  return sql`(select value ->> 0, value ->> 1 from ${each})`
}

function isAt(engine: Engine, rows: readonly PurgedRow[]): RawBuilder<unknown> {
  const places = rows.map(({ place }) => place)
  return engine === 'postgres'
    ? sql`ctid = any(${places}::tid[])`
    : sql`rowid in (select value from json_each(${JSON.stringify(places)}))`
}

/** Leaves rows that someone is changing right now for the next time, so that nobody waits. */
function skipLocked(engine: Engine) {
  return engine === 'postgres' ? sql`for update skip locked` : sql``
}
