import * as z from 'zod'
import { daySchema, instantTextSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { completedSchema, dueDaySchema, remindAtSchema, titleSchema } from './todo.ts'

/** A to-do as it is exported and imported: with the person's own day on which it was completed. */
export const exportedTodoSchema = z
  .object({
    id: rowIdSchema,
    title: titleSchema,
    completed: completedSchema,
    completed_at: instantTextSchema.nullable(),
    completed_on: daySchema.nullable(),
    // Files of before there were any have neither.
    due_day: dueDaySchema.nullable().default(null),
    remind_at: remindAtSchema.nullable().default(null),
    created_at: instantTextSchema,
    updated_at: instantTextSchema,
  })
  .refine(
    ({ completed, completed_at, completed_on }) =>
      completed
        ? completed_at !== null && completed_on !== null
        : completed_at === null && completed_on === null,
    {
      path: ['completed_at'],
      message: 'Expected an instant and a day of completion where it is completed only',
    },
  )
export type ExportedTodo = z.infer<typeof exportedTodoSchema>
