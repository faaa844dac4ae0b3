import * as z from 'zod/mini'
import { focusInFiles } from '#features/focus/sessions/exported-focus-session.ts'
import { habitsInFiles } from '#features/habits/account-file/exported-habit.ts'
import { pausesInFiles } from '#features/habits/pauses/exported-pause.ts'
import { listsInFiles } from '#features/lists/list/exported-list.ts'
import { defaultPreferences, preferencesSchema } from '#features/preferences/preferences.ts'
import { preferencesChangeSchema } from '#features/preferences/preferences-requests.ts'
import { todosInFiles } from '#features/todos/todo/exported-todo.ts'
import { instantTextSchema } from '#platform/calendar/day.ts'
import {
  collectionsShape,
  type FileRows,
  nonesOfCollections,
  pieceShape,
  responseShape,
} from '#platform/wire/file-rows.ts'

// docs/export.md describes this format for people. A change that an older Daymark could not read needs a new version; an
// additional field does not, since unknown fields are ignored.

export const format = 'daymark'
export const version = 2
/** Rows of version 1 are read as rows that lack what came later. */
export const versionsRead = [1, version] as const

/** The rows of an account, by collection, in the order of the collections in its file. */
export const fileRows = {
  lists: listsInFiles,
  todos: todosInFiles,
  habits: habitsInFiles,
  pauses: pausesInFiles,
  focus_sessions: focusInFiles,
} satisfies Record<string, FileRows>
export type FileCollection = keyof typeof fileRows

/** What unknown forms in a file of a newer build read as. */
export const nonesInFiles = { ...nonesOfCollections(fileRows), preferences: { ...defaultPreferences } }

/** The collections of a piece that import these rows. */
export const pieceCollections = {
  ...listsInFiles.pieceCollections,
  ...todosInFiles.pieceCollections,
  ...habitsInFiles.pieceCollections,
  ...pausesInFiles.pieceCollections,
  ...focusInFiles.pieceCollections,
}

const { todos_sort, start_page, focus_plan } = preferencesSchema.shape
/** Files of before there were these choices lack them. */
const importedPreferencesSchema = z.extend(z.required(preferencesChangeSchema), {
  todos_sort: z._default(todos_sort, defaultPreferences.todos_sort),
  start_page: z._default(start_page, defaultPreferences.start_page),
  focus_plan: z._default(focus_plan, defaultPreferences.focus_plan),
})

/** A whole account, as in its file. Deleted rows are not included. */
export const exportedAccountSchema = z.object({
  format: z.literal(format),
  version: z.literal(version),
  exported_at: instantTextSchema,
  account: z.object({ name: z.string(), email: z.string() }),
  // Runtimes differ in the zones that they know: the server, which counts days in this zone, checks it on import.
  preferences: z.extend(importedPreferencesSchema, { time_zone: z.string().check(z.minLength(1)) }),
  ...collectionsShape(fileRows),
})
export type ExportedAccount = z.infer<typeof exportedAccountSchema>

/** The most days in one piece, of completions and focus together: nobody else can write while it is imported. */
export const mostDaysPerPiece = 2_000

/** A part of an account that fits into one request. Completions come with their habit, or after it. */
export const importPieceShape = {
  ...pieceShape(pieceCollections),
  preferences: z.optional(importedPreferencesSchema),
}
export const withinDays = z.refine<Record<string, unknown>>(
  (lists) => daysOf(Object.values(lists).filter(Array.isArray).flat()) <= mostDaysPerPiece,
  {
    path: ['completions'],
    message: `Expected at most ${mostDaysPerPiece.toLocaleString('en')} days in one piece`,
  },
)
export const importPieceSchema = z.strictObject(importPieceShape).check(withinDays)
export type ImportPiece = z.infer<typeof importPieceSchema>

/** The number of days that the rows contain. */
export function daysOf(rows: readonly (object | undefined)[]): number {
  return rows.reduce(
    (sum, row) => sum + (row && 'days' in row && Array.isArray(row.days) ? row.days.length : 0),
    0,
  )
}

export const importedSchema = z.object(responseShape(pieceCollections))
export type Imported = z.infer<typeof importedSchema>
