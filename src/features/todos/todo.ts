import * as z from 'zod/mini'
import { daySchema, instantSchema } from '#platform/calendar/day.ts'
import { rangeSchema } from '#platform/calendar/range.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { editShape, editsAny, newShape, wireShape } from '#platform/wire/synced-row.ts'
import { completedSchema, titleSchema, todoRow } from './todo-row.ts'

/** A task with a title, open or completed, as it is sent. */
export const todoSchema = z.object(wireShape(todoRow))
export type Todo = z.infer<typeof todoSchema>

export const todoListSchema = z.object({ todos: z.array(todoSchema) })

/** `todos`: the newest 50 of the range, or the 50 next older ones than `before`. */
export const completedTodosSchema = z.object({
  count: z.number(),
  days: z.array(z.object({ day: z.string(), count: z.number() })),
  todos: z.array(z.extend(todoSchema, { completed_on: daySchema })),
})
export type CompletedTodos = z.infer<typeof completedTodosSchema>

export const completedRangeSchema = z.extend(rangeSchema, { before: z.optional(rowIdSchema) })

export const newTodoSchema = z.object({
  ...newShape(todoRow),
  completed: z._default(completedSchema, 0),
  id: z.optional(rowIdSchema),
  day: z.optional(daySchema),
  at: z.optional(instantSchema),
})

export const todoChangeSchema = z.object({
  completed: completedSchema,
  title: z.optional(titleSchema),
  day: z.optional(daySchema),
  at: z.optional(instantSchema),
})

/** What is left out stays as it is; null removes a due day or a reminder. */
export const todoEditSchema = z.object({ ...editShape(todoRow), at: z.optional(instantSchema) }).check(
  z.refine((edit) => editsAny(todoRow, edit), {
    path: ['title'],
    message: 'Expected a title, a due day or a reminder',
  }),
)
