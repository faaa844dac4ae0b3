import { focus } from '#features/focus/server/focus.ts'
import type { DayCalendar } from '#features/focus/sessions/server/place-session.ts'
import type { SessionsChanged } from '#features/focus/sessions/server/session-habit-store.ts'
import type { SubjectNames } from '#features/focus/subjects/server/focus-subject-store.ts'
import { sessionsChanged } from '#features/habits/habit/server/changed-day-store.ts'
import { namedHabits } from '#features/habits/habit/server/live-habit-store.ts'
import { pauses } from '#features/habits/pauses/server/pauses.ts'
import { habits } from '#features/habits/server/habits.ts'
import type { Importer } from '#features/imports/writing/server/import-store.ts'
import { lists } from '#features/lists/server/lists.ts'
import type { Preferences } from '#features/preferences/preferences.ts'
import { lockTimeZone } from '#features/preferences/server/preferences-store.ts'
import { tablesOfReminders } from '#features/reminders/delivery/delivery-store.ts'
import { todos } from '#features/todos/server/todos.ts'
import { namedTodos } from '#features/todos/todo/server/named-todo-store.ts'
import { listsWithTodos } from '#features/todos/todo/server/subtask-store.ts'
import type { FileCollection } from '#features/your-data/exported-account.ts'
import type { CollectionsToRead } from '#features/your-data/server/write-export.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { mergedTables } from '#platform/database/instants/merge-instants.ts'
import type { RowKind } from '#platform/database/row-kind.ts'
import { tablesOf } from '#platform/database/rows/delete-rows.ts'
import type { syncedRows } from '#platform/database/rows/synced-rows.ts'
import type { Endpoint } from '#platform/http/endpoint/endpoint.ts'
import { assembled } from '#platform/wire/synced-row.ts'

/** The services that each kind of row receives, so that no feature depends on another's store. */
interface RowParts {
  database: Database
  clock: () => Instant
  preferencesOf(user: string): Promise<Preferences>
  /** For focus, which needs no other preferences. */
  calendarOf(user: string): Promise<DayCalendar>
  zoneIn: typeof lockTimeZone
  listsWithTodos: typeof listsWithTodos
  /** Looks up the names of the to-dos and habits of focus sessions. */
  subjectNames: SubjectNames
  sessionsChanged: SessionsChanged
}

/** What a feature with rows provides to the server. */
interface RowFeature<Exported> {
  rows: RowKind & Pick<ReturnType<typeof syncedRows>, 'findNew'>
  /** Further kinds of rows that belong to these, such as a habit's amounts. */
  rowsBeside?: readonly RowKind[]
  /** The feature's API calls. */
  endpoints(parts: RowParts): Endpoint[]
  /** All rows of a user that are not deleted, read a few at a time. */
  exported(database: Database, user: string): Exported
  importer(parts: RowParts): Importer
}

/** Every kind of row that people create, by the name of its array in an exported account. */
const features = { lists, todos, habits, pauses, focus_sessions: focus } satisfies {
  [Collection in FileCollection]: RowFeature<CollectionsToRead[Collection]>
}

export const rowKinds: readonly RowKind[] = Object.values<Pick<RowFeature<never>, 'rows' | 'rowsBeside'>>(
  features,
).flatMap(({ rows, rowsBeside = [] }) => [...rowsBeside, rows])

/** The tables in which instants from a clock that was ahead are mended. */
export const tablesToMend = mergedTables(rowKinds)

/** The tables in which an account may have very many rows. Dependent rows come before the rows they belong to. */
export const userTables = [...new Set([...tablesOfReminders, ...tablesOf(rowKinds), 'row_changes' as const])]

export function rowEndpoints(parts: GivenParts): Endpoint[] {
  return Object.values(features).flatMap(({ endpoints }) => endpoints(allParts(parts)))
}

export function exportedRows(database: Database, user: string): CollectionsToRead {
  const read = Object.entries(features).map(([collection, { exported }]) => [
    collection,
    exported(database, user),
  ])
  return assembled(Object.fromEntries(read))
}

export function rowImporters(parts: GivenParts): Importer[] {
  return Object.entries(features).map(([collection, { rows, importer }]) => ({
    ...importer(allParts(parts)),
    findNewRows: (db, user, asked, importId) =>
      rows.findNew(db, user, asked[collection as FileCollection] ?? [], importId),
  }))
}

type GivenParts = Pick<RowParts, 'database' | 'clock' | 'preferencesOf'>

function allParts(parts: GivenParts): RowParts {
  const { database, preferencesOf } = parts
  return {
    ...parts,
    calendarOf: preferencesOf,
    zoneIn: lockTimeZone,
    listsWithTodos,
    sessionsChanged,
    subjectNames: {
      todos: (user, ids) => namedTodos(database, user, ids),
      habits: (user, ids) => namedHabits(database, user, ids),
    },
  }
}
