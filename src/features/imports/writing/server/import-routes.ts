import * as z from 'zod/mini'
import { newRowsSchema, previewSchema } from '#features/imports/preview/preview-requests.ts'
import {
  type ImportPiece,
  importedSchema,
  importPieceShape,
  pieceCollections,
  withinDays,
} from '#features/your-data/exported-account.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'
import { type ErrorResponse, errorResponse, notFound } from '#platform/http/request/error-response.ts'
import { writeCollection } from '#platform/http/responses/written.ts'
import { rowParams } from '#platform/http/row-calls/row-calls.ts'
import { refuseTooManyRows } from '#platform/http/row-calls/too-many-rows.ts'
import { refuseField, refuseFutureDay } from '#platform/http/row-calls/when.ts'
import type { PieceCollection } from '#platform/wire/file-rows.ts'
import { importCollectionSchema, importOfPieceSchema, undoableDays, undoneSchema } from '../import.ts'
import { type Importer, importPiece, listImports, previewImport, undoImport } from './import-store.ts'

const pieceSchema = z
  .strictObject({ ...importPieceShape, import: z.optional(importOfPieceSchema) })
  .check(withinDays)
const responseSchema = z.extend(importedSchema, { new: z.optional(newRowsSchema) })

/** The endpoints that import a file, list past imports, and undo one. */
export function importEndpoints({
  database,
  clock,
  importers,
}: {
  database: Database
  clock: () => Instant
  /** The importers of all features, in the order in which they import the rows of a request. */
  importers: readonly Importer[]
}): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/import',
      summary:
        'Take in a piece of an account, whole or not at all; what is there already stays as it is. Pieces with the same `import.id` are listed, and undone, as one import: `new` says what of the piece it has brought',
      work: 'heavy',
      takes: { body: pieceSchema },
      responses: { 200: responseSchema },
      errors: [422],
      async handle({ user, body }) {
        const now = clock()
        const { import: _, ...piece } = body
        const error = refuseFutureDays(piece, now)
        if (error) return error
        const outcome = await importPiece(database, importers, user, body, now)
        if (outcome instanceof TooManyRows) return refuseTooManyRows(outcome)
        if (!('imported' in outcome)) return refuseField(outcome.field, outcome.problem)
        return { status: 200, body: { ...outcome.imported, ...(outcome.new && { new: outcome.new }) } }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/import/preview',
      summary:
        'Which of these rows, and days of habits, an import would add or bring back; nothing is written',
      work: 'heavy',
      takes: { body: previewSchema },
      responses: { 200: newRowsSchema },
      async handle({ user, body }) {
        return { status: 200, body: await previewImport(database, importers, user, body) }
      },
    }),
    endpointWithContext({
      method: 'GET',
      path: '/api/imports',
      summary: 'The imports of a year, the latest first, with what became of each',
      changesWith: 'writes',
      takes: {},
      responses: { 200: importCollectionSchema },
      async handle({ user }) {
        return { written: writeCollection('imports', listImports(database, user)) }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/imports/{id}/undo',
      summary: `Take back, within ${undoableDays} days, what an import brought and nobody has changed since; undoing it again changes nothing`,
      work: 'heavy',
      takes: { params: rowParams },
      responses: { 200: undoneSchema },
      errors: [404, 422],
      async handle({ user, params }) {
        const undone = await undoImport(database, importers, user, params.id, clock())
        if (undone === 'too late') return tooLate
        return undone ? { status: 200, body: { import: undone } } : notFound
      },
    }),
  ]
}

const tooLate = errorResponse(
  422,
  'TOO_LATE',
  `An import can be undone for ${undoableDays} days. This one is older.`,
)

function refuseFutureDays(
  { preferences: _, ...collections }: ImportPiece,
  now: Instant,
): ErrorResponse | undefined {
  const byName: Record<string, readonly unknown[] | undefined> = collections
  for (const [collection, { days }] of Object.entries<PieceCollection>(pieceCollections)) {
    for (const [place, row] of (byName[collection] ?? []).entries()) {
      for (const [field, day] of days(row)) {
        const error = refuseFutureDay(`${collection}.${place}.${field}`, day ?? undefined, now)
        if (error) return error
      }
    }
  }
  return undefined
}
