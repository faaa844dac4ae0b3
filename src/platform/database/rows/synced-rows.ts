import { type Kysely, sql, type Transaction } from 'kysely'
import { type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import {
  type AllOf,
  assembled,
  type Columns,
  type ColumnsOf,
  type EditOf,
  type Field,
  type Fields,
  type FileOf,
  type NewOf,
  type WireOf,
} from '#platform/wire/synced-row.ts'
import { compiledOnce } from '../compiled-once.ts'
import type { Database } from '../database.ts'
import type { ImportColumns } from '../import-columns.ts'
import { inBatches } from '../pacing/batches.ts'
import { pagesByKey } from '../pacing/keyset-pagination.ts'
import { createYieldPoint } from '../pacing/yield-point.ts'
import { anyRowChanged, rowsChanged } from '../revisions/changed-rows.ts'
import type { MergedTable, RowKind, RowLimit, SyncedColumns, SyncedTable } from '../row-kind.ts'
import type { Tables } from '../tables.ts'
import { sendAlong } from '../transaction-executor.ts'
import { acceptsChange, type ChangeStamp, deletionOf, restorationOf, revivalOf } from './deletion.ts'
import { changedSince, keepAsItIs } from './later-changes.ts'
import type { Adding } from './write-within-limits.ts'

// The store of every kind of synced row. Each field, and the deletion, has the instant of its last change, and a change with an
// earlier instant is ignored. `docs/merging.md` describes how changes from several devices merge.

type Stored = SyncedColumns & Columns

/**
 * Columns of every row with instants that decide whose change wins. `imported_at` tells whether anybody has changed the row since
 * it was imported.
 */
const ofEveryRow: readonly (keyof SyncedColumns)[] = ['updated_at', 'deletion_changed_at', 'imported_at']

const ofNoImport: ImportColumns = { import_id: null, imported_at: null, deleted_before_import: null }

/** The type of the fields, if the table has a column of the right type for each of them; otherwise never. */
type Fitting<Table extends SyncedTable, F extends Fields> = Tables[Table] extends ColumnsOf<F> ? F : never

/** The columns that belong to no field. */
type OtherColumns<Table extends SyncedTable, F extends Fields> = Omit<
  Tables[Table],
  keyof ColumnsOf<F> | keyof SyncedColumns
>

interface Declaration<Table extends SyncedTable, F extends Fields> {
  table: Table
  /** The name of the rows in writes and on the wire: the part of their path after `/api/`. */
  collection: string
  /** Other collections that change for clients with every write to one of the rows, and the ids of their rows that do. */
  changesToo?: Readonly<Record<string, (row: Tables[Table]) => readonly string[] | 'any'>>
  /** If the rows are only parts of a collection's rows: the column with the id of the row that each belongs to. */
  partOf?: Extract<keyof Tables[Table], string>
  fields: F & Fitting<Table, F>
  /** How many rows a user may have. */
  limit: Pick<RowLimit, 'most' | 'many' | 'room'>
  parts?: RowKind['parts']
  takeAlong?: RowKind['takeAlong']
  /** Columns with instants that decide whose change wins, besides those of the fields. */
  mergesBy?: readonly Extract<keyof Tables[Table], `${string}_at`>[]
  /** The column with the habit id, if the habit's stored sums depend on these rows. */
  habit?: Extract<keyof Tables[Table], string>
  /** The values of the columns that belong to no field, for a row that was last changed `at`. */
  otherColumns: (at: Instant) => OtherColumns<Table, F>
}

/** Additional work in the write that deletes or restores a row. */
export interface DeletionHooks<Row, Before> {
  /** Takes locks before the row is locked: two writes that take the same locks in different orders would deadlock. */
  before?(tx: Transaction<Tables>): Promise<Before>
  after?(tx: Transaction<Tables>, is: Row, was: Row, before: Before | undefined): Promise<void>
}

/** Additional rules for undoing an import of these rows. */
export interface UndoHooks<Row> {
  /** Which rows this undo covers; the others are left for another time. */
  only?(row: Row): boolean
  /** The ids of rows that stay although they are unchanged since the import. */
  keeps?(tx: Transaction<Tables>, rows: readonly Row[]): Promise<ReadonlySet<string>>
  /** Additional work in the write that takes these rows back, that is, deletes them again. */
  taken?(tx: Transaction<Tables>, rows: readonly Row[]): Promise<void>
}

/** The ids of rows that were new, and of deleted rows that were restored. All other rows stay as they were. */
export interface ImportedRows {
  added: ReadonlySet<string>
  restored: ReadonlySet<string>
}

/** A kind of row: its table, and the functions that store its rows. */
export type SyncedRows<Table extends SyncedTable, F extends Fields> = ReturnType<typeof syncedRows<Table, F>>

export function syncedRows<Table extends SyncedTable, F extends Fields>({
  table,
  collection,
  changesToo = {},
  partOf,
  fields,
  limit,
  parts = [],
  takeAlong,
  mergesBy = [],
  habit,
  otherColumns,
}: Declaration<Table, F>) {
  type Row = Tables[Table]
  const collections = [collection, ...Object.keys(changesToo)]
  const codecs = Object.entries<Field>(fields).map(([name, field]) => codecOf(name, field))
  const byName = new Map(codecs.map((codec) => [codec.name, codec]))
  const onWire = codecs.filter(({ visibility }) => visibility === undefined)
  const inFile = codecs.filter(({ visibility }) => visibility !== 'server-only')
  // Kysely cannot type a query on a table that is a union of names, so the casts state the result.
  const synced: SyncedTable = table

  const selection = compiledOnce<{ user: string; id: string }>()<Row>((db, param) =>
    db
      .selectFrom(synced)
      .selectAll()
      .where('user_id', '=', param('user'))
      .where('id', '=', param('id'))
      .forUpdate()
      .$castTo<Row>(),
  )
  const insertionOf = byColumns((columns) =>
    compiledOnce<Stored>()<Row>((db, param) =>
      db
        .insertInto(synced)
        .values({
          ...Object.fromEntries(columns.map((column) => [column, param(column)])),
          user_id: param('user_id'),
          id: param('id'),
          created_at: param('created_at'),
          updated_at: param('updated_at'),
          deletion_changed_at: param('deletion_changed_at'),
        })
        .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
        .returningAll()
        .$castTo<Row>(),
    ),
  )
  const updateOf = byColumns((columns) =>
    compiledOnce<Stored>()((db, param) =>
      db
        .updateTable(synced)
        .set(Object.fromEntries(columns.map((column) => [column, param(column)])))
        .where('user_id', '=', param('user_id'))
        .where('id', '=', param('id')),
    ),
  )

  /** Locks and returns the row, deleted or not: nobody else can change it until the write ends. */
  async function lock(tx: Transaction<Tables>, user: string, id: string): Promise<Row | undefined> {
    const [row] = await selection(tx, { user, id })
    return row
  }

  /** Tells which rows look different to a client because this one changed. Call it with the row as it was and as it is. */
  function tellChanged(tx: Transaction<Tables>, row: Row): void {
    rowsChanged(tx, collection, [partOf === undefined ? row.id : String(row[partOf])])
    for (const [name, changedBy] of Object.entries(changesToo)) {
      const ids = changedBy(row)
      if (ids === 'any') anyRowChanged(tx, name)
      else rowsChanged(tx, name, ids)
    }
  }

  function tellAnyChanged(tx: Transaction<Tables>): void {
    for (const name of collections) anyRowChanged(tx, name)
  }

  /** Adding the same id again changes nothing and returns the stored row, or 'deleted' if it has been deleted since. */
  async function add(
    tx: Transaction<Tables>,
    adding: Adding,
    user: string,
    id: string,
    row: NewOf<F>,
    at: Instant,
  ): Promise<{ row: Row; created: boolean } | 'deleted'> {
    const values = storedRow(user, id, row, { created: at, changed: at })
    const [added] = await insertionOf(Object.keys(values))(tx, values)
    if (added) {
      adding.rows(rowLimit, 1)
      tellChanged(tx, added)
      return { row: added, created: true }
    }
    const stored = await lock(tx, user, id)
    if (stored) tellChanged(tx, stored)
    return stored && stored.deleted_at === null ? { row: stored, created: false } : 'deleted'
  }

  /** Stores what changed in a row at that instant, and returns the row as it is afterwards. */
  async function update(
    tx: Transaction<Tables>,
    row: Row,
    changed: Partial<Row> | Partial<SyncedColumns>,
    at: Instant,
  ): Promise<Row> {
    tellChanged(tx, row)
    changedSince(row.updated_at, at)
    changedSince(row.deletion_changed_at, at)
    if (Object.keys(changed).length === 0) return row
    const values = { ...changed, updated_at: Math.max(row.updated_at, at) }
    const updated = { ...row, ...values }
    tellChanged(tx, updated)
    await sendAlong(tx, updateOf(Object.keys(values))(tx, columnsOf(updated)))
    return updated
  }

  /**
   * What an edit changes in a row: the fields that were not changed later. Setting a field to its present value only updates the
   * instant of its last change.
   */
  function merged(row: Row, edit: EditOf<F>, at: Instant): Partial<Row> {
    const stored = columnsOf(row)
    const changed: Columns = {}
    for (const [name, value] of Object.entries(edit)) {
      const { changedAt, toColumns } = byName.get(name) ?? {}
      if (value === undefined || !changedAt || !toColumns) continue
      const columns = toColumns(value)
      const differs = Object.entries(columns).some(([column, wanted]) => stored[column] !== wanted)
      if (changedSince(Number(stored[changedAt]), at)) {
        if (differs) keepAsItIs(name)
        continue
      }
      if (differs) Object.assign(changed, columns)
      changed[changedAt] = at
    }
    return assembled(changed)
  }

  /** What a change does to a row, including its deletion; undefined if the row was deleted and the change may not restore it. */
  function changes(row: Row, edit: EditOf<F>, stamp: ChangeStamp): Partial<Row> | undefined {
    if (!acceptsChange(row, stamp)) return undefined
    changedSince(row.updated_at, stamp.at)
    changedSince(row.deletion_changed_at, stamp.at)
    return { ...revivalOf(row, stamp), ...merged(row, edit, stamp.at) }
  }

  /**
   * Returns false if there is no such row or it is already deleted. Ignores a deletion older than another change, but returns
   * true.
   */
  async function remove<Before>(
    db: Database,
    user: string,
    id: string,
    at: Instant,
    { before, after }: DeletionHooks<Row, Before> = {},
  ): Promise<boolean> {
    return db.writeFor(user, collections, async (tx) => {
      const locked = await before?.(tx)
      const row = await lock(tx, user, id)
      if (row === undefined) return false
      const updated = await update(tx, row, deletionOf(row, at), at)
      if (updated.deleted_at === null) keepAsItIs('deleted')
      await after?.(tx, updated, row, locked)
      return row.deleted_at === null
    })
  }

  /** Returns the row, or undefined if there is none or it was deleted later than `at`. */
  async function restore<Before>(
    db: Database,
    user: string,
    id: string,
    at: Instant,
    { before, after }: DeletionHooks<Row, Before> = {},
  ): Promise<Row | undefined> {
    return db.writeFor(user, collections, async (tx) => {
      const locked = await before?.(tx)
      const row = await lock(tx, user, id)
      if (row === undefined) return undefined
      const restored = await update(tx, row, restorationOf(row, at), at)
      await after?.(tx, restored, row, locked)
      return restored.deleted_at === null ? restored : undefined
    })
  }

  /**
   * Adds new rows and restores deleted ones. Existing rows stay as they are. A row that an earlier import made and its undo
   * deleted is created anew, since nobody ever changed it. `importId`: the import that can take the rows back.
   */
  async function importRows(
    tx: Transaction<Tables>,
    user: string,
    rows: readonly (AllOf<F> & { id: string })[],
    now: Instant,
    importId: string | null = null,
  ): Promise<ImportedRows> {
    tellAnyChanged(tx)
    const unique = uniqueById(rows)
    const [added, restored] = [new Set<string>(), new Set<string>()]
    const mark = { import_id: importId, imported_at: importId === null ? null : now }
    const yieldPoint = createYieldPoint()
    const mayBeTakenBack = unique.length > 0 && (await hasImported(tx, user))
    for (const batch of inBatches(unique)) {
      await yieldPoint()
      if (mayBeTakenBack) {
        await deleteTakenBack(
          tx,
          user,
          batch.map(({ id }) => id),
        )
      }
      const values = batch.map((row) => {
        const changed = pastInstant(row, 'updated_at', now)
        const created = pastInstant(row, 'created_at', now)
        return { ...storedRow(user, row.id, row, { created, changed }), ...mark }
      })
      const inserted = await tx
        .insertInto(synced)
        .values(values)
        .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
        .returning('id')
        .execute()
      for (const { id } of inserted) added.add(id)
    }
    const existing = unique.map(({ id }) => id).filter((id) => !added.has(id))
    for (const batch of inBatches(existing)) {
      await yieldPoint()
      const revived = await tx
        .updateTable(synced)
        .set((eb) => ({
          deleted_at: null,
          deletion_changed_at: now,
          updated_at: now,
          ...mark,
          deleted_before_import: importId === null ? null : eb.ref('deleted_at'),
        }))
        .where('user_id', '=', user)
        .where('id', 'in', batch)
        .where('deleted_at', 'is not', null)
        .returning('id')
        .execute()
      for (const { id } of revived) restored.add(id)
    }
    return { added, restored }
  }

  async function hasImported(tx: Transaction<Tables>, user: string): Promise<boolean> {
    const row = await tx
      .selectFrom(synced)
      .select('id')
      .where('user_id', '=', user)
      .where('import_id', 'is not', null)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Permanently deletes the rows with these ids that an import made and its undo deleted. Other rows stay. */
  async function deleteTakenBack(
    tx: Transaction<Tables>,
    user: string,
    ids: readonly string[],
  ): Promise<void> {
    const takenBack = await tx
      .selectFrom(synced)
      .select('id')
      .where('user_id', '=', user)
      .where('id', 'in', ids)
      .where('deleted_at', 'is not', null)
      .where('import_id', 'is not', null)
      .where('deleted_before_import', 'is', null)
      .whereRef('updated_at', '<=', 'imported_at')
      .execute()
    for (const batch of inBatches(takenBack.map(({ id }) => id))) {
      const all = sql.join(batch)
      for (const part of parts) {
        await sql`
          delete from ${sql.table(part.table)}
          where user_id = ${user} and ${sql.ref(part.row)} in (${all})`.execute(tx)
      }
      await tx.deleteFrom(synced).where('user_id', '=', user).where('id', 'in', batch).execute()
    }
  }

  /** Some rows that an import made or restored: those with the lowest ids after `after`, locked until the write ends. */
  async function ofImport(
    tx: Transaction<Tables>,
    user: string,
    importId: string,
    after: string,
  ): Promise<Row[]> {
    const rows = await tx
      .selectFrom(synced)
      .selectAll()
      .where('user_id', '=', user)
      .where('import_id', '=', importId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(mostTakenBackAtOnce)
      .forUpdate()
      .execute()
    return rows.map((row) => assembled<Row>({ ...row }))
  }

  /**
   * Undoes the import of rows by deleting them. Rows that had been deleted before the import get their old instant of deletion
   * back. `updated_at` stays, so the rows still count as unchanged since the import.
   */
  async function takeBack(tx: Transaction<Tables>, user: string, ids: readonly string[], now: Instant) {
    tellAnyChanged(tx)
    const yieldPoint = createYieldPoint()
    for (const batch of inBatches(ids)) {
      await yieldPoint()
      await tx
        .updateTable(synced)
        .set((eb) => ({
          deleted_at: eb.fn.coalesce('deleted_before_import', eb.val(now)),
          deletion_changed_at: now,
        }))
        .where('user_id', '=', user)
        .where('id', 'in', batch)
        .execute()
    }
  }

  /**
   * Deletes the rows that an import made or restored and that nobody changed since. Each write covers a few hundred rows, so an
   * interrupted undo can be continued. Returns how many rows stay.
   */
  async function undoImport(
    db: Database,
    user: string,
    importId: string,
    now: Instant,
    { only = () => true, keeps, taken }: UndoHooks<Row> = {},
  ): Promise<number> {
    const takeSomeBack = (last?: { id: string }) =>
      db.writeFor(user, collections, async (tx) => {
        const rows = await ofImport(tx, user, importId, last?.id ?? '')
        const unchanged = rows.filter((row) => only(row) && isAsImported(row))
        const staying = (await keeps?.(tx, unchanged)) ?? new Set()
        const taking = unchanged.filter(({ id }) => !staying.has(id))
        const gone = new Set(taking.map(({ id }) => id))
        await takeBack(tx, user, [...gone], now)
        await taken?.(tx, taking)
        return rows.map((row) => ({
          id: row.id,
          stays: only(row) && row.deleted_at === null && !gone.has(row.id),
        }))
      })
    let kept = 0
    for await (const rows of pagesByKey(mostTakenBackAtOnce, takeSomeBack)) {
      kept += rows.filter(({ stays }) => stays).length
    }
    return kept
  }

  /** The ids among these that do not exist or are deleted; with `importId`, those that exist and came from that import. */
  async function findNew(
    db: Kysely<Tables>,
    user: string,
    ids: readonly string[],
    importId: string | undefined,
  ): Promise<string[]> {
    const found = new Set<string>()
    for (const batch of inBatches(ids)) {
      const rows = await db
        .selectFrom(synced)
        .select('id')
        .where('user_id', '=', user)
        .where('id', 'in', batch)
        .where('deleted_at', 'is', null)
        .$if(importId !== undefined, (query) => query.where('import_id', '=', importId ?? ''))
        .execute()
      for (const { id } of rows) found.add(id)
    }
    return ids.filter((id) => found.has(id) === (importId !== undefined))
  }

  /** How many rows were imported. Counts the added ones towards the limit. */
  function countImported(
    { added, restored }: ImportedRows,
    adding: Adding,
  ): { added: number; restored: number } {
    adding.rows(rowLimit, added.size)
    return { added: added.size, restored: restored.size }
  }

  function toWire(row: Row): WireOf<F> {
    return assembled(valuesOf(row, onWire))
  }

  function toFile(row: Row): FileOf<F> {
    return assembled(valuesOf(row, inFile))
  }

  /** A new row as it is stored. */
  function newRow(user: string, id: string, row: NewOf<F>, at: Instant): Row {
    return assembled(storedRow(user, id, row, { created: at, changed: at }))
  }

  /** A row whose fields all last changed at `changed`. */
  function storedRow(
    user: string,
    id: string,
    row: object,
    { created, changed }: { created: Instant; changed: Instant },
  ): Stored {
    const values: Record<string, unknown> = { ...row }
    const columns: Columns = {}
    for (const { name, initial, changedAt, toColumns } of codecs) {
      const value = values[name] === undefined ? initial : values[name]
      if (value !== undefined) Object.assign(columns, toColumns(value))
      if (changedAt) columns[changedAt] = changed
    }
    return {
      ...columns,
      ...columnsOf(otherColumns(changed)),
      user_id: user,
      id,
      created_at: created,
      updated_at: changed,
      deleted_at: null,
      deletion_changed_at: changed,
      ...ofNoImport,
    }
  }

  const rowLimit: RowLimit = { ...limit, table: synced, deletable: true }
  const mergedTable: MergedTable = {
    table,
    instants: [
      ...new Set([...codecs.flatMap(({ changedAt }) => changedAt ?? []), ...mergesBy, ...ofEveryRow]),
    ],
    key: ['id'],
    collections,
    habit,
  }
  return {
    table,
    mergedTable,
    parts,
    takeAlong,
    limit: rowLimit,
    collection,
    collections,
    lock,
    newRow,
    add,
    update,
    merged,
    changes,
    remove,
    restore,
    importRows,
    ofImport,
    takeBack,
    undoImport,
    findNew,
    countImported,
    toWire,
    toFile,
  }
}

interface Codec extends Pick<Field, 'changedAt' | 'visibility' | 'initial'> {
  name: string
  toColumns(value: unknown): Columns
  fromColumns(row: Columns): unknown
}

function codecOf(
  name: string,
  { column = name, stored, whenMissing, initial = whenMissing, ...field }: Field,
): Codec {
  const { changedAt, visibility } = field
  const codec = { name, initial, changedAt, visibility }
  if (stored === 'instant') {
    return {
      ...codec,
      toColumns: (text) => ({ [column]: typeof text === 'string' ? instantFromWire(text) : null }),
      fromColumns: ({ [column]: instant }) => (typeof instant === 'number' ? instantToWire(instant) : null),
    }
  }
  if (stored) return { ...codec, toColumns: stored.toColumns, fromColumns: stored.fromColumns }
  return {
    ...codec,
    toColumns: (value) => ({ [column]: columnValue(value, name) }),
    fromColumns: ({ [column]: value }) => value,
  }
}

function columnValue(value: unknown, name: string): Columns[string] {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw new Error(`${name} can't be stored as it travels`)
}

function valuesOf(row: object, codecs: readonly Codec[]): Record<string, unknown> {
  const stored = columnsOf(row)
  const values: Record<string, unknown> = {}
  for (const { name, fromColumns } of codecs) values[name] = fromColumns(stored)
  return values
}

/** A row by its column names. Columns hold only these types (`tables.ts`). */
function columnsOf(row: object): Stored {
  return row as Stored
}

/** The instant that the imported file gives; now if it gives none, or one in the future. */
function pastInstant(row: object, name: 'created_at' | 'updated_at', now: Instant): Instant {
  const { [name]: text } = columnsOf(row)
  return typeof text === 'string' ? Math.min(instantFromWire(text), now) : now
}

/** Keeps the first of several rows with the same id. */
function uniqueById<Row extends { id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].toReversed()
}

/** Rows that one write of an undo takes back: few enough that no other write waits for long. */
const mostTakenBackAtOnce = 500

/** Whether nobody has changed the row since an import made or restored it. */
export function isAsImported({
  deleted_at,
  updated_at,
  imported_at,
}: Pick<SyncedColumns, 'deleted_at' | 'updated_at' | 'imported_at'>): boolean {
  return deleted_at === null && imported_at !== null && updated_at <= imported_at
}

/**
 * Creates a statement for each set of columns when it is first needed, and keeps it: only a few of the possible sets are ever
 * used.
 */
function byColumns<Statement>(statementOf: (columns: readonly string[]) => Statement) {
  const statements = new Map<string, Statement>()
  return (columns: readonly string[]): Statement => {
    const names = columns.join()
    const existing = statements.get(names)
    if (existing) return existing
    const statement = statementOf(columns)
    statements.set(names, statement)
    return statement
  }
}
