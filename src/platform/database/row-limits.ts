import type { Transaction } from 'kysely'
import type { Engine } from './migrations/migration-step.ts'
import type { Tables } from './tables.ts'
import { countWalked } from './work.ts'

// What one account may make rows of has a limit, so that none can fill the disk of all, and whatever reads all that
// somebody has is bounded. `docs/limits.md` says so to people.

export type LimitedTable = 'todos' | 'habits' | 'completions' | 'focus_sessions' | 'focus_days'

/** How many rows of each a user may have. */
export type RowLimits = Record<LimitedTable, number>

export const rowLimits: RowLimits = {
  todos: 100_000,
  habits: 1_000,
  // Days on which a habit was done, and those of which it was taken back.
  completions: 500_000,
  focus_sessions: 100_000,
  focus_days: 200_000,
}

/**
 * Beside the limit, this share of it may wait to be purged: whoever is full and deletes something has room at once, but not
 * as often as they like.
 */
const deletedShare = 1 / 4

/** Rows that a user may not have any more, in words for the person. */
export class TooManyRows extends Error {}

/** Never less than there are, as far as this process can know. */
interface Counted {
  stored: number
  live: number
  at: number
  /** Where there was found to be no room: as many as there were, and the user's revision then. */
  full?: { stored: number; at: string | undefined }
}

/** On PostgreSQL other processes add rows too. For as long as this they may go past the limit unseen. */
const trusted = 60_000
/** Milliseconds for which an account that was found full is not counted again, unless it has written something. */
const stillFull = 1_000
/** The same of rows of which deleting makes no room at once, whatever is written: they go with the hourly purge. */
const stillFullOfKept = 60_000
/** Of users, so that this stays small. */
const mostKnown = 10_000

/** How many rows users have: counted once and then kept up, so that adding some costs nothing until the limit is near. */
export class RowCounts {
  readonly #limits: RowLimits
  readonly #engine: Engine
  readonly #known = new Map<string, Map<LimitedTable, Counted>>()

  constructor(limits: RowLimits, engine: Engine) {
    this.#limits = limits
    this.#engine = engine
  }

  /** Whether so many rows more may be too many. */
  async isNear(tx: Transaction<Tables>, user: string, table: LimitedTable, rows: number): Promise<boolean> {
    const known = this.#find(user, table) ?? (await this.#count(tx, user, table))
    this.#keep(user, table, known)
    return !this.#hasRoom(table, known, rows)
  }

  /** In the write that has added them. Throws TooManyRows. */
  async add(tx: Transaction<Tables>, user: string, table: LimitedTable, rows: number): Promise<void> {
    if (rows === 0) return
    const known = this.#find(user, table)
    if (known && this.#hasRoom(table, known, rows)) {
      known.stored += rows
      known.live += rows
      return
    }
    const revision = await revisionOf(tx, user)
    // Nothing was written since, and hardly anything purged.
    if (known && isStillFull(table, known, revision)) throw this.#refusal(table, known, rows)
    const counted = await this.#count(tx, user, table)
    if (this.#hasRoom(table, counted, 0)) {
      this.#keep(user, table, counted)
      return
    }
    const stored = counted.stored - rows
    const before = { ...counted, stored, live: counted.live - rows, full: { stored, at: revision } }
    this.#keep(user, table, before)
    throw this.#refusal(table, before, rows)
  }

  forget(user: string): void {
    this.#known.delete(user)
  }

  #hasRoom(table: LimitedTable, { live, stored }: Counted, rows: number): boolean {
    return live + rows <= this.#limits[table] && stored + rows <= this.#mostStored(table)
  }

  #mostStored(table: LimitedTable): number {
    const limit = this.#limits[table]
    return isDeletable(table) ? limit + Math.ceil(limit * deletedShare) : limit
  }

  #find(user: string, table: LimitedTable): Counted | undefined {
    const known = this.#known.get(user)?.get(table)
    if (known && this.#engine === 'postgres' && performance.now() - known.at > trusted) return undefined
    return known
  }

  #keep(user: string, table: LimitedTable, counted: Counted): void {
    const ofUser = this.#known.get(user) ?? new Map<LimitedTable, Counted>()
    this.#known.delete(user)
    this.#known.set(user, ofUser.set(table, counted))
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest)
  }

  async #count(tx: Transaction<Tables>, user: string, table: LimitedTable): Promise<Counted> {
    const at = performance.now()
    const stored = await countRows(tx, user, table)
    // That there is room without looking at what was deleted is said by an index alone.
    if (!isDeletable(table) || stored <= this.#limits[table]) return { stored, live: stored, at }
    return { stored, live: stored - (await countDeleted(tx, user, table)), at }
  }

  #refusal(table: LimitedTable, { live }: Counted, rows: number): TooManyRows {
    const limit = this.#limits[table]
    const { many, room } = words[table]
    const most = `An account can have up to ${inWords(limit)} ${many}`
    if (live + rows > limit) return new TooManyRows(`${most}. ${room}`)
    const deleted = inWords(this.#mostStored(table) - limit)
    return new TooManyRows(
      `${most}, plus ${deleted} deleted in the last 30 days. Wait until the deleted ones are permanently removed.`,
    )
  }
}

function isStillFull(
  table: LimitedTable,
  { at, stored, full }: Counted,
  revision: string | undefined,
): boolean {
  const since = performance.now() - at
  if (full === undefined) return false
  if (!isDeletable(table)) return stored === full.stored && since < stillFullOfKept
  return full.at !== undefined && full.at === revision && since < stillFull
}

const deletable = ['todos', 'habits', 'focus_sessions'] as const
type DeletableTable = (typeof deletable)[number]

function isDeletable(table: LimitedTable): table is DeletableTable {
  return deletable.some((each) => each === table)
}

const words: Record<LimitedTable, { many: string; room: string }> = {
  todos: { many: 'tasks', room: 'Delete some first.' },
  habits: { many: 'habits', room: 'Delete some first.' },
  completions: {
    many: 'habit completions',
    room: 'Deleting habits frees up space after 30 days.',
  },
  focus_sessions: { many: 'focus sessions', room: 'Delete some first.' },
  focus_days: {
    many: 'days with focus sessions',
    room: 'Deleting sessions frees up space after 30 days.',
  },
}

function inWords(count: number): string {
  return count.toLocaleString('en')
}

async function countRows(tx: Transaction<Tables>, user: string, table: LimitedTable): Promise<number> {
  const { count } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  countWalked(count)
  return count
}

async function countDeleted(tx: Transaction<Tables>, user: string, table: DeletableTable): Promise<number> {
  const { count } = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', user)
    .where('deleted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  countWalked(count)
  return count
}

async function revisionOf(tx: Transaction<Tables>, user: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('revisions')
    .select('revision')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.revision
}
