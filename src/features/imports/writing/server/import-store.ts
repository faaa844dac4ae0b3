import type { Kysely, Transaction } from 'kysely'
import * as z from 'zod/mini'
import { importCountsSchema } from '#features/imports/preview/import-counts.ts'
import { type ImportPreview, type NewRows, previewsOf } from '#features/imports/preview/preview-requests.ts'
import type { Imported, ImportPiece } from '#features/your-data/exported-account.ts'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import { type Adding, writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { pagesByKey } from '#platform/database/work/keyset-pagination.ts'
import { storedJson } from '#platform/wire/stored-json.ts'
import { assembled } from '#platform/wire/synced-row.ts'
import { amountsSchema, type Import, type ImportOfPiece, undoableDays } from '../import.ts'

/** How a feature imports its part of a piece, in a write that all features share, and takes it back. */
export interface Importer {
  /** The name, in writes, of what it changes. */
  collection: string
  /** Why the piece cannot be imported. Called before anything is written. */
  refuse?(
    tx: Transaction<Tables>,
    user: string,
    piece: ImportPiece,
  ): Promise<{ field: string; problem: string } | undefined>
  /** Returns how many rows were imported, by the name of the list. `importId`: by what they can be taken back. */
  importRows(
    tx: Transaction<Tables>,
    user: string,
    piece: ImportPiece,
    now: Instant,
    adding: Adding,
    importId: string | null,
  ): Promise<Partial<Imported>>
  /** The ids of its rows that are not there; with an import, of those that it has brought. */
  findNewRows?(
    db: Kysely<Tables>,
    user: string,
    asked: ImportPreview,
    importId: string | undefined,
  ): Promise<string[]>
  /** The same of days. */
  findNewDays?(
    db: Kysely<Tables>,
    user: string,
    asked: ImportPreview,
    importId: string | undefined,
  ): Promise<NewRows['days']>
  /** Takes back what an import brought and nobody has changed since. Returns how many rows stay, by the name of the list. */
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
 * Imports a piece as a whole. If it completes a habit that does not exist, or contains more than an account may have, nothing
 * is imported, and the reason is returned. `new`: what of the piece its import has brought, now or when it was sent before.
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
    // Before anything is written, so that a rejected piece leaves nothing to undo.
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
    return { imported: all, new: await newOf(tx, importers, user, previewsOf([piece]), ofImport.id) }
  })
}

/** What is not there of what an import would bring. Nothing is written. */
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

/** False if it was undone: what arrives late does not bring it back. */
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

/** A piece that is sent again adds nothing, so nothing is counted twice. */
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

/** Few enough that other requests hardly wait for one read. */
const readAtOnce = 100

/** The imports of a year, the latest first, a hundred at a time. */
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
 * Takes back what an import brought and nobody has changed since, bit by bit: if it is interrupted, the same call continues. An
 * import that was undone stays so. Undefined if there is none.
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
  // What names others goes before these.
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

/** Remembers the preferences that an import changed, in its write: those before and after. */
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
