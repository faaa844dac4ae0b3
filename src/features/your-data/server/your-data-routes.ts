import type { Preferences } from '#features/preferences/preferences.ts'
import { dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { type Endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'
import { notFound } from '#platform/http/request/error-response.ts'
import { exportedAccountSchema, format, version } from '../exported-account.ts'
import { type CollectionsToRead, writeExport } from './write-export.ts'

/**
 * Gives access to a user's data in all features. The app passes these functions in, so that no feature depends on another's
 * store.
 */
export interface YourDataParts {
  clock: () => Instant
  accountOf(user: string): Promise<{ name: string; email: string } | undefined>
  preferencesOf(user: string): Promise<Preferences>
  collectionsOf(user: string): CollectionsToRead
}

/** The endpoint that exports a whole account. */
export function yourDataEndpoints({
  clock,
  accountOf,
  preferencesOf,
  collectionsOf,
}: YourDataParts): Endpoint[] {
  return [
    endpointWithContext({
      method: 'GET',
      path: '/api/export',
      summary: 'Everything of the account as one file; what was deleted is not in it',
      takes: {},
      responses: { 200: exportedAccountSchema },
      errors: [404],
      async handle({ user }) {
        const account = await accountOf(user)
        if (!account) return notFound
        const now = clock()
        const preferences = await preferencesOf(user)
        const today = dayOf(now, preferences.time_zone, preferences.day_start)
        const head = { format, version, exported_at: instantToWire(now), account, preferences } as const
        return {
          written: writeExport(head, collectionsOf(user)),
          headers: { 'Content-Disposition': `attachment; filename="daymark-${today}.json"` },
        }
      },
    }),
  ]
}
