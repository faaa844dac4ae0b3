import type { Transaction } from 'kysely'
import { integerFormat } from '#platform/format/format-number.ts'
import { revisionOf } from './revision.ts'
import type { RowLimit, SyncedTable, UserTable } from './row-kind.ts'
import type { Engine } from './schema/migration-step.ts'
import type { Tables } from './tables.ts'
import { countWalked } from './work/work.ts'

// Each account has a limit on its rows, so that no account can fill the disk, and code that reads everything a user has is
// bounded. `docs/limits.md` tells users about it.

/** Lower limits for some tables, for tests. */
export type RowLimits = Partial<Record<UserTable, number>>

/**
 * This share of the limit may additionally be deleted rows that wait to be purged: deleting something in a full account makes
 * room at once, but not without end.
 */
const deletedShare = 1 / 4

/** The user has no room for more rows. The message is written for the user. */
export class TooManyRows extends Error {}

/** Never lower than the true counts, as far as this process can know. */
interface RowCount {
  stored: number
  live: number
  at: number
  /** Set when there was no room: the number of stored rows, and the user's revision, at that moment. */
  full?: { stored: number; at: string | undefined }
}

/** On PostgreSQL, other processes add rows too. For this many milliseconds they can exceed the limit unnoticed. */
const trustedFor = 60_000
/** For this many milliseconds a full account is not counted again, unless it has written something. */
const stillFull = 1_000
/** The same for rows that only the hourly purge removes: deleting makes no room at once, whatever is written. */
const stillFullUntilPurge = 60_000
/** The most users to keep counts of, so that memory stays small. */
const mostUsers = 10_000

/** How many rows each user has: counted once and then kept current, so that adding rows costs nothing until the limit is near. */
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

  /** Call it in the write that added the rows. Throws TooManyRows. */
  async add(tx: Transaction<Tables>, user: string, limit: RowLimit, rows: number): Promise<void> {
    if (rows === 0) return
    const count = this.#find(user, limit)
    if (count && this.#hasRoom(limit, count, rows)) {
      count.stored += rows
      count.live += rows
      return
    }
    const revision = await revisionOf(tx, user)
    // Nothing has been written since, and hardly anything purged.
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
    // An index alone shows whether there is room without counting the deleted rows.
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
