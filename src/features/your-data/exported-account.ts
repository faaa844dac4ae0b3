import * as z from 'zod/mini'
import { exportedFocusSessionSchema } from '#features/focus/exported-focus-session.ts'
import {
  exportedHabitSchema,
  importedCompletionsSchema,
  importedHabitSchema,
} from '#features/habits/exported-habit.ts'
import { preferencesChangeSchema } from '#features/preferences/preferences.ts'
import { exportedTodoSchema } from '#features/todos/exported-todo.ts'
import { instantTextSchema } from '#platform/calendar/day.ts'

// The shape is written down for people in docs/export.md. A change that an older Daymark could not read needs another
// version; a field more does not, since what is not known is passed over.

export const format = 'daymark'
export const version = 1

const importedPreferencesSchema = z.required(preferencesChangeSchema)

/** A whole account, as its file holds it. What was deleted is not in it. */
export const exportedAccountSchema = z.object({
  format: z.literal(format),
  version: z.literal(version),
  exported_at: instantTextSchema,
  account: z.object({ name: z.string(), email: z.string() }),
  // Runtimes differ in the zones that they know: the one that counts days in it is asked when it is imported.
  preferences: z.extend(importedPreferencesSchema, { time_zone: z.string().check(z.minLength(1)) }),
  todos: z.array(exportedTodoSchema),
  habits: z.array(exportedHabitSchema),
  focus_sessions: z.array(exportedFocusSessionSchema),
})
export type ExportedAccount = z.infer<typeof exportedAccountSchema>

/** Days that one piece may bring, of completions and of focus together: others cannot write while it is taken in. */
export const mostDaysOfPiece = 2_000
/** Habits of whose completions one piece may bring some. */
export const mostHabitsOfPiece = 100

/** A part of an account that fits into one request. Completions follow, or accompany, the habit that they are of. */
export const importPieceSchema = z
  .strictObject({
    todos: z.optional(z.array(exportedTodoSchema)),
    habits: z.optional(z.array(importedHabitSchema)),
    completions: z.optional(
      z
        .array(importedCompletionsSchema)
        .check(z.maxLength(mostHabitsOfPiece, `Expected completions of at most ${mostHabitsOfPiece} habits`)),
    ),
    focus_sessions: z.optional(z.array(exportedFocusSessionSchema)),
    preferences: z.optional(importedPreferencesSchema),
  })
  .check(
    z.refine((piece) => daysOf(piece.completions) + daysOf(piece.focus_sessions) <= mostDaysOfPiece, {
      path: ['completions'],
      message: `Expected at most ${mostDaysOfPiece.toLocaleString('en')} days in one piece`,
    }),
  )

function daysOf(rows: readonly { days: readonly unknown[] }[] = []): number {
  return rows.reduce((sum, { days }) => sum + days.length, 0)
}

export type ImportPiece = z.infer<typeof importPieceSchema>

/** Rows of a piece that were not there, and those that were deleted and are back. The others stay as they were. */
const takenSchema = z.object({ added: z.int(), restored: z.int() })
export type Taken = z.infer<typeof takenSchema>

export const importedSchema = z.object({
  todos: takenSchema,
  habits: takenSchema,
  completions: z.object({ added: z.int() }),
  focus_sessions: takenSchema,
})
export type Imported = z.infer<typeof importedSchema>
