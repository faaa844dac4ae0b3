import type { Preferences } from '#features/preferences/preferences.ts'
import { dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint.ts'
import { type ErrorResponse, notFound } from '#platform/http/error-response.ts'
import { refuseTooManyRows } from '#platform/http/too-many-rows.ts'
import { refuseField, refuseFutureDay } from '#platform/http/when.ts'
import type { ImportList } from '#platform/wire/file-rows.ts'
import {
  exportedAccountSchema,
  format,
  type ImportPiece,
  importedSchema,
  importLists,
  importPieceSchema,
  version,
} from '../exported-account.ts'
import { type Importer, importPiece } from './import-store.ts'
import { type ListsToRead, writeExport } from './write-export.ts'

/** A user's data from all features, passed in by the app so that no feature knows another's store. */
export interface YourDataParts {
  database: Database
  clock: () => Instant
  accountOf(user: string): Promise<{ name: string; email: string } | undefined>
  preferencesOf(user: string): Promise<Preferences>
  listsOf(user: string): ListsToRead
  /** The importers of all features, in the order in which they import a piece. */
  importers: readonly Importer[]
}

/** The endpoints that export and import a whole account. */
export function yourDataEndpoints({
  database,
  clock,
  accountOf,
  preferencesOf,
  listsOf,
  importers,
}: YourDataParts): Endpoint[] {
  return [
    endpointWithContext({
      method: 'GET',
      path: '/api/export',
      summary: 'Everything of the account as one file; what was deleted is not in it',
      takes: {},
      answers: { 200: exportedAccountSchema },
      errors: [404],
      async handle({ user }) {
        const account = await accountOf(user)
        if (!account) return notFound
        const now = clock()
        const preferences = await preferencesOf(user)
        const today = dayOf(now, preferences.time_zone, preferences.day_start)
        const head = { format, version, exported_at: instantToWire(now), account, preferences } as const
        return {
          written: writeExport(head, listsOf(user)),
          headers: { 'Content-Disposition': `attachment; filename="daymark-${today}.json"` },
        }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/import',
      summary:
        'Take in a piece of an exported account, whole or not at all; what is there already stays as it is',
      work: 'heavy',
      takes: { body: importPieceSchema },
      answers: { 200: importedSchema },
      errors: [422],
      async handle({ user, body }) {
        const now = clock()
        const error = refuseFutureDays(body, now)
        if (error) return error
        const outcome = await importPiece(database, importers, user, body, now)
        if (outcome instanceof TooManyRows) return refuseTooManyRows(outcome)
        if ('imported' in outcome) return { status: 200, body: outcome.imported }
        return refuseField(outcome.field, outcome.problem)
      },
    }),
  ]
}

function refuseFutureDays({ preferences, ...lists }: ImportPiece, now: Instant): ErrorResponse | undefined {
  const listsByName: Record<string, ImportList> = importLists
  for (const [list, rows] of Object.entries<readonly unknown[] | undefined>(lists)) {
    for (const [place, row] of (rows ?? []).entries()) {
      for (const [field, day] of listsByName[list]?.days(row) ?? []) {
        const error = refuseFutureDay(`${list}.${place}.${field}`, day ?? undefined, now)
        if (error) return error
      }
    }
  }
  return undefined
}
