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

// docs/export.md describes this format for people. A change that an older Daymark could not read needs a new version. An
// additional field does not, because unknown fields are ignored.

export const format = 'daymark'
export const version = 2
/** The versions that can be read. Rows of version 1 are read as rows without the newer fields. */
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

/** The values to use for fields that a newer version of Daymark wrote and this version does not understand. */
export const nonesInFiles = { ...nonesOfCollections(fileRows), preferences: { ...defaultPreferences } }

/** The collections that an import request can contain, for the rows of all features. */
export const pieceCollections = {
  ...listsInFiles.pieceCollections,
  ...todosInFiles.pieceCollections,
  ...habitsInFiles.pieceCollections,
  ...pausesInFiles.pieceCollections,
  ...focusInFiles.pieceCollections,
}

const { todos_sort, start_page, focus_plan } = preferencesSchema.shape
/** Older files lack the newer preferences, which then get their defaults. */
const importedPreferencesSchema = z.extend(z.required(preferencesChangeSchema), {
  todos_sort: z._default(todos_sort, defaultPreferences.todos_sort),
  start_page: z._default(start_page, defaultPreferences.start_page),
  focus_plan: z._default(focus_plan, defaultPreferences.focus_plan),
})

/** A whole account as its file contains it. Deleted rows are not included. */
export const exportedAccountSchema = z.object({
  format: z.literal(format),
  version: z.literal(version),
  exported_at: instantTextSchema,
  account: z.object({ name: z.string(), email: z.string() }),
  // The zone may be unknown here, because runtimes know different zones. The server checks the zone on import, because it counts
  // days in it.
  preferences: z.extend(importedPreferencesSchema, { time_zone: z.string().check(z.minLength(1)) }),
  ...collectionsShape(fileRows),
})
export type ExportedAccount = z.infer<typeof exportedAccountSchema>

/**
 * The most days in one piece (the part of an import in one request), completions and focus together. While a piece is imported,
 * nobody else can write.
 */
export const mostDaysPerPiece = 2_000

/**
 * A piece: a part of an account that fits into one request. Completions are in the same piece as their habit or in a later one.
 */
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
