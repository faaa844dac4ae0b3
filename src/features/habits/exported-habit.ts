import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import { addedSchema, type FileRows, importCountsSchema } from '#platform/wire/file-rows.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { fileShape } from '#platform/wire/synced-row.ts'
import { amountEntrySchema, dayNoteSchema, rhythmRowSchema } from './habit.ts'
import { habitRow } from './habit-row.ts'

/**
 * A habit as it is imported, without its days: they are sent separately, since there can be many. Files of version 1 have
 * a `frequency` instead of `rhythms`.
 */
export const importedHabitSchema = z.object({
  ...fileShape(habitRow),
  frequency: z._default(z.enum(['daily', 'weekly'], 'Expected daily or weekly'), 'daily'),
  rhythms: z.optional(z.array(rhythmRowSchema)),
})
export type ImportedHabit = z.infer<typeof importedHabitSchema>

/** A habit as it is exported, with everything about its days. */
export const exportedHabitSchema = z.extend(importedHabitSchema, {
  completions: z.array(daySchema),
  skips: z._default(z.array(daySchema), []),
  amounts: z._default(z.array(amountEntrySchema), []),
  notes: z._default(z.array(z.object({ day: daySchema, note: dayNoteSchema })), []),
})
export type ExportedHabit = z.infer<typeof exportedHabitSchema>

/** Some or all of the days on which a habit was done. */
export const importedCompletionsSchema = z.object({ habit_id: rowIdSchema, days: z.array(daySchema) })
export type ImportedCompletions = z.infer<typeof importedCompletionsSchema>

/** The most habits whose completions one piece may contain. */
const mostHabitsPerPiece = 100
/** The most completions of one habit per row, so that those of ten years can be split. */
const mostDaysPerRow = 1_000

export const habitsInFiles = {
  row: exportedHabitSchema,
  importLists: {
    habits: {
      row: importedHabitSchema,
      one: 'habit',
      days: (habit: ImportedHabit) => [['start_date', habit.start_date]] as const,
      response: importCountsSchema,
    },
    completions: {
      row: importedCompletionsSchema,
      most: [mostHabitsPerPiece, `Expected completions of at most ${mostHabitsPerPiece} habits`],
      one: 'completion',
      count: ({ days }: ImportedCompletions) => days.length,
      days: ({ days }: ImportedCompletions) => days.map((day, nth) => [`days.${nth}`, day] as const),
      response: addedSchema,
    },
  },
  *split({ completions, ...habit }: ExportedHabit) {
    yield ['habits', habit]
    for (let next = 0; next < completions.length; next += mostDaysPerRow) {
      const days = completions.slice(next, next + mostDaysPerRow)
      yield ['completions', { habit_id: habit.id, days }]
    }
  },
} as const satisfies FileRows
