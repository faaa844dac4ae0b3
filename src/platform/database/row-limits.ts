import type { Transaction } from 'kysely'
import { integerFormat } from '#platform/format/format-number.ts'
import { countWalked } from './pacing/work.ts'
import { revisionOf } from './revision.ts'
import type { RowLimit, SyncedTable, UserTable } from './row-kind.ts'
import type { Engine } from './schema/migration-step.ts'
import type { Tables } from './tables.ts'

// Each account may have a limited number of rows, so that no account can fill the disk, and reading everything a user has stays
// bounded. `docs/limits.md` tells users about it.

/** Lower limits for some tables, for tests. */
export type RowLimits = Partial<Record<UserTable, number>>

/**
 * A full account may also have deleted rows that wait to be purged, up to this share of the limit. So deleting makes room at
 * once, but nobody can go on adding and deleting without end.
 */
const deletedShare = 1 / 4

/** Thrown when the user has no room for more rows. The message is written for the user. */
export class TooManyRows extends Error {}

/** A user's rows in a table. As far as this process can know, never lower than the true counts. */
interface RowCount {
  stored: number
  live: number
  at: number
  /** Set when there was no room. `stored`: the number of stored rows at that moment; `at`: the user's revision. */
  full?: { stored: number; at: string | undefined }
}

/**
 * Milliseconds for which a count is trusted on PostgreSQL. Other processes add rows too, and can exceed the limit unnoticed for
 * that long.
 */
const trustedFor = 60_000
/** Milliseconds for which a full account is not counted again, unless it has written something. */
const stillFull = 1_000
/** Like `stillFull`, for rows that only the hourly purge removes: no write makes room at once. */
const stillFullUntilPurge = 60_000
/** How many users' counts are kept, so that memory stays small. */
const mostUsers = 10_000

/**
 * How many rows each user has. Rows are counted once and the count is then kept current, so that adding rows costs nothing until
 * the limit is near.
 */
export class RowCounts {
  readonly #limits: RowLimits
  readonly #engine: Engine
  readonly #counts = new Map<string, Map<UserTable, RowCount>>()

  constructor(limits: RowLimits, engine: Engine) {
    this.#limits = limits
    this.#engine = engine
  }

  /** Whether this many more rows could exceed the limit. */
  async isNear(tx: Transaction<Tables>, user: string, limit: RowLimit, rows: number): Promise<boolean> {
    const count = this.#find(user, limit) ?? (await this.#count(tx, user, limit))
    this.#store(user, limit, count)
    return !this.#hasRoom(limit, count, rows)
  }

  /** Counts added rows. Call it in the write that added them. Throws TooManyRows. */
  async add(tx: Transaction<Tables>, user: string, limit: RowLimit, rows: number): Promise<void> {
    if (rows === 0) return
    const count = this.#find(user, limit)
    if (count && this.#hasRoom(limit, count, rows)) {
      count.stored += rows
      count.live += rows
      return
    }
    const revision = await revisionOf(tx, user)
    // Nothing has been written since the account was found full, and hardly anything was purged.
    if (count && isStillFull(limit, count, revision)) throw this.#tooManyRows(limit, count, rows)
    const counted = await this.#count(tx, user, limit)
    if (this.#hasRoom(limit, counted, 0)) {
      this.#store(user, limit, counted)
      return
    }
    const stored = counted.stored - rows
    const before = { ...counted, stored, live: counted.live - rows, full: { stored, at: revision } }
    this.#store(user, limit, before)
    throw this.#tooManyRows(limit, before, rows)
  }

  forget(user: string): void {
    this.#counts.delete(user)
  }

  #hasRoom(limit: RowLimit, { live, stored }: RowCount, rows: number): boolean {
    return live + rows <= this.#most(limit) && stored + rows <= this.#mostStored(limit)
  }

  #most({ table, most }: RowLimit): number {
    return this.#limits[table] ?? most
  }

  #mostStored(limit: RowLimit): number {
    const most = this.#most(limit)
    return limit.deletable ? most + Math.ceil(most * deletedShare) : most
  }

  #find(user: string, { table }: RowLimit): RowCount | undefined {
    const count = this.#counts.get(user)?.get(table)
    if (count && this.#engine === 'postgres' && performance.now() - count.at > trustedFor) return undefined
    return count
  }

  #store(user: string, { table }: RowLimit, counted: RowCount): void {
    const ofUser = this.#counts.get(user) ?? new Map<UserTable, RowCount>()
    this.#counts.delete(user)
    this.#counts.set(user, ofUser.set(table, counted))
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > mostUsers && oldest !== undefined) this.#counts.delete(oldest)
  }

  async #count(tx: Transaction<Tables>, user: string, limit: RowLimit): Promise<RowCount> {
    const at = performance.now()
    const stored = await countRows(tx, user, limit.table)
    // Counting all rows needs only an index. If they fit, the deleted rows need not be counted.
    if (!limit.deletable || stored <= this.#most(limit)) return { stored, live: stored, at }
    return { stored, live: stored - (await countDeleted(tx, user, limit.table)), at }
  }

  #tooManyRows(limit: RowLimit, { live }: RowCount, rows: number): TooManyRows {
    const most = this.#most(limit)
    const allowed = `An account can have up to ${integerFormat.format(most)} ${limit.many}`
    if (live + rows > most) return new TooManyRows(`${allowed}. ${limit.room}`)
    const deleted = integerFormat.format(this.#mostStored(limit) - most)
    return new TooManyRows(
      `${allowed}, plus ${deleted} deleted in the last 30 days. Wait until the deleted ones are permanently removed.`,
    )
  }
}

function isStillFull(limit: RowLimit, { at, stored, full }: RowCount, revision: string | undefined): boolean {
  const since = performance.now() - at
  if (full === undefined) return false
  if (!limit.deletable) return stored === full.stored && since < stillFullUntilPurge
  return full.at !== undefined && full.at === revision && since < stillFull
}

async function countRows(tx: Transaction<Tables>, user: string, table: UserTable): Promise<number> {
  const { count } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  countWalked(count)
  return count
}

async function countDeleted(tx: Transaction<Tables>, user: string, table: SyncedTable): Promise<number> {
  const { count } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', user)
    .where('deleted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  countWalked(count)
  return count
}
