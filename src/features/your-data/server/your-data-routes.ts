import type { Preferences } from '#features/preferences/preferences.ts'
import { dayOf, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint.ts'
import { notFound, type Refusal } from '#platform/http/refusal.ts'
import { refuseTooManyRows } from '#platform/http/too-many-rows.ts'
import { refuseField, refuseFutureDay } from '#platform/http/when.ts'
import {
  exportedAccountSchema,
  format,
  type ImportPiece,
  importedSchema,
  importPieceSchema,
  version,
} from '../exported-account.ts'
import { type Importers, importPiece } from './import-store.ts'
import { type ListsToRead, writeExport } from './write-export.ts'

/** What the features have of a person, handed in by the application so that no feature knows another's store. */
export interface YourDataParts {
  database: Database
  clock: () => Instant
  accountOf(user: string): Promise<{ name: string; email: string } | undefined>
  preferencesOf(user: string): Promise<Preferences>
  listsOf(user: string): ListsToRead
  importers: Importers
}

/** The calls by which an account leaves and arrives as a whole. */
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
      refusals: [404],
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
      refusals: [422],
      async handle({ user, body }) {
        const now = clock()
        const refusal = refuseDaysToCome(body, now)
        if (refusal) return refusal
        const outcome = await importPiece(database, importers, user, body, now)
        if (outcome instanceof TooManyRows) return refuseTooManyRows(outcome)
        if ('imported' in outcome) return { status: 200, body: outcome.imported }
        return refuseMissingHabit(body, outcome.missingHabit)
      },
    }),
  ]
}

function refuseDaysToCome(
  { todos = [], habits = [], completions = [], focus_sessions = [] }: ImportPiece,
  now: Instant,
): Refusal | undefined {
  const days = [
    ...todos.map((todo, place) => ({ field: `todos.${place}.completed_on`, day: todo.completed_on })),
    ...habits.map((habit, place) => ({ field: `habits.${place}.start_date`, day: habit.start_date })),
    ...completions.flatMap(({ days }, place) =>
      days.map((day, nth) => ({ field: `completions.${place}.days.${nth}`, day })),
    ),
    ...focus_sessions.flatMap(({ days }, place) =>
      days.map(({ day }, nth) => ({ field: `focus_sessions.${place}.days.${nth}.day`, day })),
    ),
  ]
  for (const { field, day } of days) {
    const refusal = refuseFutureDay(field, day ?? undefined, now)
    if (refusal) return refusal
  }
  return undefined
}

function refuseMissingHabit({ completions = [] }: ImportPiece, id: string): Refusal {
  const place = completions.findIndex(({ habit_id }) => habit_id === id)
  return refuseField(`completions.${place}.habit_id`, "The habit for these completions doesn't exist")
}
