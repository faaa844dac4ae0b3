import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod/mini'
import { importCountsSchema } from '#features/imports/preview/import-counts.ts'
import {
  everythingIn,
  type ImportPreview,
  type NewRows,
  previewsOf,
} from '#features/imports/preview/preview-requests.ts'
import { type Imported, type ImportPiece, pieceCollections } from '#features/your-data/exported-account.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { pagesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import { type Adding, writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { PieceCollection } from '#platform/wire/file-rows.ts'
import { storedJson } from '#platform/wire/stored-json.ts'
import { assembled } from '#platform/wire/synced-row.ts'
import { amountsSchema, type Import, type ImportOfPiece, undoableDays } from '../import.ts'

/** How a feature imports its rows, in a transaction that all features share, and how it undoes the import. */
export interface Importer {
  /** The name of the collection that the importer changes, as passed to the database's write functions. */
  collection: string
  /**
   * Returns why the piece (the part of an import in this request) cannot be imported, if so. Called before anything is written.
   */
  refuse?(
    tx: Transaction<Tables>,
    user: string,
    piece: ImportPiece,
  ): Promise<{ field: string; problem: string } | undefined>
  /** Returns how many rows were imported, by collection. `importId` is stored with the rows, so that the import can be undone. */
  importRows(
    tx: Transaction<Tables>,
    user: string,
    piece: ImportPiece,
    now: Instant,
    adding: Adding,
    importId: string | null,
  ): Promise<Partial<Imported>>
  /** Which of the feature's rows do not exist. With `importId`, which of them this import has added. */
  findNewRows?(
    db: Kysely<Tables>,
    user: string,
    asked: ImportPreview,
    importId: string | undefined,
  ): Promise<string[]>
  /** Which of the days do not exist. With `importId`, which of them this import has added. */
  findNewDays?(
    db: Kysely<Tables>,
    user: string,
    asked: ImportPreview,
    importId: string | undefined,
  ): Promise<NewRows['days']>
  /** Removes the rows that an import added, except those that have changed since. Returns how many rows stay, by collection. */
  undo?(db: Database, user: string, importId: string, now: Instant): Promise<Record<string, number>>
}

const collection = 'imports'

const importLimit = {
  table: 'imports',
  most: 1_000,
  many: 'imports',
  room: 'Those that are older than a year make room by themselves.',
} as const

const day = 24 * 60 * 60 * 1000

interface Refused {
  field: string
  problem: string
}

/**
 * Imports a piece, the part of an import that one request contains, as a whole. If the piece completes a habit that does not
 * exist, or exceeds the limits of an account, nothing is imported, and the reason is returned. `new` contains what the import has
 * added from this piece, either now or when the piece was sent before.
 */
export async function importPiece(
  db: Database,
  importers: readonly Importer[],
  user: string,
  { import: ofImport, ...piece }: ImportPiece & { import?: ImportOfPiece | undefined },
  now: Instant,
): Promise<{ imported: Imported; new: NewRows | undefined } | Refused | TooManyRows> {
  const collections = [...importers.map((importer) => importer.collection), ...(ofImport ? [collection] : [])]
  return writeWithinLimits(db, user, collections, async (tx, adding) => {
    // Check before anything is written, so that a refused piece leaves nothing to undo.
    for (const importer of importers) {
      const refused = await importer.refuse?.(tx, user, piece)
      if (refused) return refused
    }
    const importId = ofImport?.id ?? null
    if (ofImport && !(await beginImport(tx, adding, user, ofImport, now))) {
      return { field: 'import.id', problem: 'This import was undone' }
    }
    const imported: Partial<Imported> = {}
    for (const { importRows } of importers)
      Object.assign(imported, await importRows(tx, user, piece, now, adding, importId))
    const all: Imported = assembled(imported)
    if (!ofImport) return { imported: all, new: undefined }
    await countImported(tx, user, ofImport, all)
    const asked = previewsOf([piece])
    // A first import brings everything. What it has just written need not be read again.
    const found = isAllNew(piece, all)
      ? asked.map(everythingIn)
      : [await newOf(tx, importers, user, asked, ofImport.id)]
    const [rows, days] = [found.flatMap(({ rows }) => rows), found.flatMap(({ days }) => days)]
    return { imported: all, new: { rows, days } }
  })
}

/** Whether every row of the piece, and every day in one, was added or restored just now. */
function isAllNew({ preferences: _, ...collections }: ImportPiece, imported: Imported): boolean {
  const kinds: Record<string, PieceCollection> = pieceCollections
  const changed: Record<string, { added: number; restored?: number } | undefined> = imported
  return Object.entries<readonly unknown[] | undefined>(collections).every(([collection, rows = []]) => {
    const { count = () => 1 } = kinds[collection] ?? {}
    const { added = 0, restored = 0 } = changed[collection] ?? {}
    return added + restored === rows.reduce<number>((sum, row) => sum + count(row), 0)
  })
}

/** Returns which rows and days an import would add. Nothing is written. */
export function previewImport(
  db: Database,
  importers: readonly Importer[],
  user: string,
  asked: ImportPreview,
): Promise<NewRows> {
  return newOf(db.read, importers, user, [asked])
}

async function newOf(
  db: Kysely<Tables>,
  importers: readonly Importer[],
  user: string,
  all: readonly ImportPreview[],
  importId?: string,
): Promise<NewRows> {
  const found: NewRows = { rows: [], days: [] }
  for (const asked of all) {
    for (const { findNewRows, findNewDays } of importers) {
      found.rows.push(...((await findNewRows?.(db, user, asked, importId)) ?? []))
      found.days.push(...((await findNewDays?.(db, user, asked, importId)) ?? []))
    }
  }
  return found
}

/**
 * Stores the import when its first request arrives. Returns false if the import was undone: a late request must not restore it.
 */
async function beginImport(
  tx: Transaction<Tables>,
  adding: Adding,
  user: string,
  { id, source, file }: ImportOfPiece,
  now: Instant,
): Promise<boolean> {
  const stored = await lockImport(tx, user, id)
  if (stored) return stored.undone_at === null
  await tx
    .deleteFrom('imports')
    .where('user_id', '=', user)
    .where('made_at', '<', now - 365 * day)
    .execute()
  await tx
    .insertInto('imports')
    .values({
      user_id: user,
      id,
      source,
      file: file ?? null,
      made_at: now,
      added: '{}',
      counts: null,
      preferences: null,
      undone_at: null,
      kept: null,
    })
    .execute()
  adding.rows(importLimit, 1)
  return true
}

function lockImport(tx: Transaction<Tables>, user: string, id: string) {
  return tx
    .selectFrom('imports')
    .selectAll()
    .where('user_id', '=', user)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Adds to the import's counts. A request that is sent again adds no rows, so no row is counted twice. */
async function countImported(
  tx: Transaction<Tables>,
  user: string,
  { id, counts }: ImportOfPiece,
  imported: Imported,
): Promise<void> {
  const row = await lockImport(tx, user, id)
  if (!row) throw new Error('An import whose piece was imported has to be there')
  const added = amountsOf(row.added)
  for (const [list, { added: rows, restored = 0 }] of Object.entries<{ added: number; restored?: number }>(
    imported,
  )) {
    if (rows + restored > 0) added[list] = (added[list] ?? 0) + rows + restored
  }
  await tx
    .updateTable('imports')
    .set({ added: JSON.stringify(added), ...(counts && { counts: JSON.stringify(counts) }) })
    .where('user_id', '=', user)
    .where('id', '=', id)
    .execute()
}

function amountsOf(text: string): Record<string, number> {
  return storedJson(amountsSchema, text) ?? {}
}

/** How many imports one query reads: few enough that other requests hardly wait. */
const readAtOnce = 100

/** The imports of the last year, latest first, at most `readAtOnce` at a time. */
export async function* listImports(db: Database, user: string): AsyncGenerator<Import[]> {
  const read = (last?: { made_at: Instant; id: string }) =>
    db.read
      .selectFrom('imports')
      .selectAll()
      .where('user_id', '=', user)
      .$if(last !== undefined, (query) =>
        query.where((eb) =>
          eb(eb.refTuple('made_at', 'id'), '<', eb.tuple(last?.made_at ?? 0, last?.id ?? '')),
        ),
      )
      .orderBy('made_at', 'desc')
      .orderBy('id', 'desc')
      .limit(readAtOnce)
      .execute()
  for await (const rows of pagesByKey(readAtOnce, read)) yield rows.map(toWire)
}

function toWire({ id, source, file, made_at, counts, added, undone_at, kept }: Tables['imports']): Import {
  return {
    id,
    source,
    file,
    made_at: instantToWire(made_at),
    counts: storedJson(importCountsSchema, counts) ?? null,
    added: amountsOf(added),
    undo_until: instantToWire(made_at + undoableDays * day),
    undone_at: undone_at === null ? null : instantToWire(undone_at),
    kept: kept === null ? null : amountsOf(kept),
  }
}

/**
 * Undoes an import step by step, but keeps rows that have changed since. If the undo is interrupted, the same call continues it.
 * An undone import stays undone. Undefined if there is no such import.
 */
export async function undoImport(
  db: Database,
  importers: readonly Importer[],
  user: string,
  id: string,
  now: Instant,
): Promise<Import | 'too late' | undefined> {
  const read = () =>
    db.read
      .selectFrom('imports')
      .selectAll()
      .where('user_id', '=', user)
      .where('id', '=', id)
      .executeTakeFirst()
  const stored = await read()
  if (!stored || stored.undone_at !== null) return stored && toWire(stored)
  if (now > stored.made_at + undoableDays * day) return 'too late'
  const kept: Record<string, number> = {}
  // Reverse the order of importing: rows that refer to others have to be removed first.
  for (const { undo } of importers.toReversed()) Object.assign(kept, await undo?.(db, user, id, now))
  const stays = Object.fromEntries(Object.entries(kept).filter(([, count]) => count > 0))
  await db.writeFor(user, [collection], (tx) =>
    tx
      .updateTable('imports')
      .set({ undone_at: now, kept: JSON.stringify(stays) })
      .where('user_id', '=', user)
      .where('id', '=', id)
      .where('undone_at', 'is', null)
      .execute(),
  )
  const undone = await read()
  return undone && toWire(undone)
}

const preferencesSchema = z.object({ was: z.unknown(), is: z.unknown() })

/** Stores the preferences before and after an import changed them. Runs in the transaction that changes them. */
export async function rememberPreferences(
  tx: Transaction<Tables>,
  user: string,
  id: string,
  changed: { was: object; is: object },
): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ preferences: JSON.stringify(changed) })
    .where('user_id', '=', user)
    .where('id', '=', id)
    .where('preferences', 'is', null)
    .execute()
}

export async function rememberedPreferences(
  db: Kysely<Tables>,
  user: string,
  id: string,
): Promise<{ was: unknown; is: unknown } | undefined> {
  const row = await db
    .selectFrom('imports')
    .select('preferences')
    .where('user_id', '=', user)
    .where('id', '=', id)
    .executeTakeFirst()
  return storedJson(preferencesSchema, row?.preferences)
}
