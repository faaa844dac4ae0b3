import * as z from 'zod/mini'
import { reminderSchema } from '#features/reminders/reminder.ts'
import { daySchema, instantTextSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { descriptionSchema, habitNameSchema } from './habit.ts'

/** A habit as it is imported: its completions come apart from it, since there can be many. */
export const importedHabitSchema = z.object({
  id: rowIdSchema,
  name: habitNameSchema,
  description: descriptionSchema,
  frequency: z.enum(['daily', 'weekly'], 'Expected daily or weekly'),
  start_date: daySchema,
  // Files of before there were any have none.
  reminder: z._default(z.nullable(reminderSchema), null),
  created_at: instantTextSchema,
})
export type ImportedHabit = z.infer<typeof importedHabitSchema>

/** A habit as it is exported, with every day on which it was done. */
export const exportedHabitSchema = z.extend(importedHabitSchema, { completions: z.array(daySchema) })
export type ExportedHabit = z.infer<typeof exportedHabitSchema>

/** Days on which a habit was done, all of them or some. */
export const importedCompletionsSchema = z.object({ habit_id: rowIdSchema, days: z.array(daySchema) })
export type ImportedCompletions = z.infer<typeof importedCompletionsSchema>
