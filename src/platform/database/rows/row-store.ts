import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { EditOf, Fields, FileOf, NewOf, WireOf } from '#platform/wire/synced-row.ts'
import { isAmong, listOf } from '../among.ts'
import { compiledOnce } from '../compiled-once.ts'
import type { Database } from '../database.ts'
import { pagesByKey } from '../pacing/keyset-pagination.ts'
import type { SyncedTable } from '../row-kind.ts'
import type { TooManyRows } from '../row-limits.ts'
import type { Tables } from '../tables.ts'
import type { ChangeStamp } from './deletion.ts'
import type { SyncedRows } from './synced-rows.ts'
import { writeWithinLimits } from './write-within-limits.ts'

// The default store of a kind of row: its rows are listed, added, changed, deleted, restored, exported and imported
// (`row-importer.ts`). A kind that differs in one of these uses hooks, or its own function instead.

/** The functions are declared as properties, so that TypeScript rejects one that leaves out a field. */
export interface RowStore<New, Edit, Shown> {
  /** The rows that are not deleted, in pages. */
  list: (db: Database, user: string) => AsyncIterable<Shown[]>
  /** Those of the rows with these ids that are not deleted, in the order of `list`. */
  among: (db: Database, user: string, ids: readonly string[]) => Promise<Shown[]>
  /** Adding the same id again changes nothing and returns the stored row, or 'deleted' if it has been deleted since. */
  add: (
    db: Database,
    user: string,
    id: string,
    row: New & { at: Instant },
  ) => Promise<{ row: Shown; created: boolean } | 'deleted' | TooManyRows>
  /** Returns the changed row, or undefined if there is none or it was deleted later. */
  change: (db: Database, user: string, id: string, edit: Edit & ChangeStamp) => Promise<Shown | undefined>
  /**
   * Returns false if there is no such row or it is already deleted. Ignores a deletion older than another change, but returns
   * true.
   */
  remove: (db: Database, user: string, id: string, at: Instant) => Promise<boolean>
  /** Returns the row, or undefined if there is none or it was deleted later than `at`. */
  restore: (db: Database, user: string, id: string, at: Instant) => Promise<Shown | undefined>
}

/** Additional work in a write that adds, changes or imports rows. */
export interface WriteHooks<Row, F extends Fields, Before> {
  /** Takes locks before any row is locked. `given`: the values sent for each row. */
  before: (
    tx: Transaction<Tables>,
    user: string,
    given: readonly (EditOf<F> & { id: string })[],
  ) => Promise<Before>
  /** Called once the accepted values are stored in a row. Returns the columns that it changes in the row. */
  after: (tx: Transaction<Tables>, user: string, id: string, before: Before) => Promise<Partial<Row>>
}

interface StoreOptions<Row, F extends Fields, Before> {
  /** The order in which rows are read; 'creation' by default. */
  readBy?: 'creation' | 'id'
  /** Rows per page: few enough that other requests hardly wait. */
  atOnce?: number
  hooks?: WriteHooks<Row, F, Before>
}

export function rowStore<Table extends SyncedTable, F extends Fields, Before = never>(
  rows: SyncedRows<Table, F>,
  { readBy = 'creation', atOnce = 1_000, hooks }: StoreOptions<Tables[Table], F, Before> = {},
) {
  type Row = Tables[Table]
  type Key = Pick<Row, 'id' | 'created_at'>
  const { firstByCreation, nextByCreation, nextById, liveAmong } = readersOf(rows.table)

  /** The rows that are not deleted, in pages. */
  function live(db: Database, user: string): AsyncGenerator<Row[]> {
    return pagesByKey(atOnce, async (last?: Key) => {
      const page = { user, limit: atOnce }
      if (readBy === 'id') return nextById(db.read, { ...page, id: last?.id ?? '' })
      if (!last) return firstByCreation(db.read, page)
      return nextByCreation(db.read, { ...page, created_at: last.created_at, id: last.id })
    })
  }

  async function* list(db: Database, user: string): AsyncGenerator<WireOf<F>[]> {
    for await (const page of live(db, user)) yield page.map(rows.toWire)
  }

  async function* exported(db: Database, user: string): AsyncGenerator<FileOf<F>[]> {
    for await (const page of live(db, user)) yield page.map(rows.toFile)
  }

  /** Runs `write` for a row, with the hooks around it. `given`: the values sent for the row. */
  async function hooked<Written>(
    tx: Transaction<Tables>,
    user: string,
    given: EditOf<F> & { id: string },
    write: (finish: (row: Row) => Promise<Row>) => Promise<Written>,
  ): Promise<Written> {
    if (!hooks) return write(async (row) => row)
    const before = await hooks.before(tx, user, [given])
    return write(async (row) => ({ ...row, ...(await hooks.after(tx, user, given.id, before)) }))
  }

  const store: RowStore<NewOf<F> & EditOf<F>, EditOf<F>, WireOf<F>> = {
    list,
    async among(db, user, ids) {
      const found = await liveAmong(db.read, { user, ids: listOf(db.read, ids) })
      return found.sort(readBy === 'id' ? byId : byCreation).map(rows.toWire)
    },
    add: (db, user, id, row) =>
      writeWithinLimits(db, user, rows.collections, (tx, adding) =>
        hooked(tx, user, { ...row, id }, async (finish) => {
          const added = await rows.add(tx, adding, user, id, row, row.at)
          if (added === 'deleted') return added
          return { row: rows.toWire(await finish(added.row)), created: added.created }
        }),
      ),
    change: (db, user, id, edit) =>
      db.writeFor(user, rows.collections, (tx) =>
        hooked(tx, user, { ...edit, id }, async (finish) => {
          const row = await rows.lock(tx, user, id)
          const changed = row && rows.changes(row, edit, edit)
          if (!changed) return undefined
          const updated = await finish(await rows.update(tx, row, changed, edit.at))
          return updated.deleted_at === null ? rows.toWire(updated) : undefined
        }),
      ),
    remove: (db, user, id, at) => rows.remove(db, user, id, at),
    async restore(db, user, id, at) {
      const row = await rows.restore(db, user, id, at)
      return row && rows.toWire(row)
    },
  }
  return { ...store, exported }
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1
}

function byCreation(one: { id: string; created_at: Instant }, other: typeof one): number {
  return one.created_at - other.created_at || byId(one, other)
}

/** Queries that read up to `limit` rows that are not deleted. */
function readersOf<Table extends SyncedTable>(table: Table) {
  type Row = Tables[Table]
  type Page = { user: string; limit: number }
  // Kysely cannot type a query on a table that is a union of names, so the casts state the result.
  const synced: SyncedTable = table
  return {
    liveAmong: compiledOnce<{ user: string; ids: ReturnType<typeof listOf> }>()<Row>((db, param) =>
      db
        .selectFrom(synced)
        .selectAll()
        .where('user_id', '=', param('user'))
        .where(isAmong(db, 'id', param('ids')))
        .where('deleted_at', 'is', null)
        .$castTo<Row>(),
    ),
    firstByCreation: compiledOnce<Page>()<Row>((db, param) =>
      db
        .selectFrom(synced)
        .selectAll()
        .where('user_id', '=', param('user'))
        .where('deleted_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .limit(param('limit'))
        .$castTo<Row>(),
    ),
    nextByCreation: compiledOnce<Page & { created_at: Instant; id: string }>()<Row>((db, param) =>
      db
        .selectFrom(synced)
        .selectAll()
        .where('user_id', '=', param('user'))
        .where('deleted_at', 'is', null)
        .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(param('created_at'), param('id'))))
        .orderBy('created_at')
        .orderBy('id')
        .limit(param('limit'))
        .$castTo<Row>(),
    ),
    nextById: compiledOnce<Page & { id: string }>()<Row>((db, param) =>
      db
        .selectFrom(synced)
        .selectAll()
        .where('user_id', '=', param('user'))
        .where('id', '>', param('id'))
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .limit(param('limit'))
        .$castTo<Row>(),
    ),
  }
}
