import * as z from 'zod/mini'
import { daySchema, instantTextSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { completedSchema, dueDaySchema, remindAtSchema, titleSchema } from './todo.ts'

/** A to-do as it is exported and imported: with the person's own day on which it was completed. */
export const exportedTodoSchema = z
  .object({
    id: rowIdSchema,
    title: titleSchema,
    completed: completedSchema,
    completed_at: z.nullable(instantTextSchema),
    completed_on: z.nullable(daySchema),
    // Files of before there were any have neither.
    due_day: z._default(z.nullable(dueDaySchema), null),
    remind_at: z._default(z.nullable(remindAtSchema), null),
    created_at: instantTextSchema,
    updated_at: instantTextSchema,
  })
  .check(
    z.refine(
      ({ completed, completed_at, completed_on }) =>
        completed
          ? completed_at !== null && completed_on !== null
          : completed_at === null && completed_on === null,
      {
        path: ['completed_at'],
        message: 'Expected a completion time and day only for a completed task',
      },
    ),
  )
export type ExportedTodo = z.infer<typeof exportedTodoSchema>
