import * as z from 'zod'
import { daySchema, instantSchema } from '#platform/calendar/day.ts'
import { rangeSchema } from '#platform/calendar/range.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { textSchema } from '#platform/wire/text.ts'

/** A task with a title that is open or completed, as it travels. */
export const todoSchema = z.object({
  id: z.string(),
  title: z.string(),
  completed: z.union([z.literal(0), z.literal(1)]),
  completed_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Todo = z.infer<typeof todoSchema>

export const todoListSchema = z.object({ todos: z.array(todoSchema) })

/** `todos`: the newest 50 of the range, or the 50 next older ones than `before`. */
export const completedTodosSchema = z.object({
  count: z.number(),
  days: z.array(z.object({ day: z.string(), count: z.number() })),
  todos: z.array(todoSchema.extend({ completed_on: daySchema })),
})
export type CompletedTodos = z.infer<typeof completedTodosSchema>

export const completedRangeSchema = rangeSchema.extend({ before: rowIdSchema.optional() })

export const completedSchema = z.union([z.literal(0), z.literal(1)], 'Expected 0 or 1')

export const titleSchema = textSchema('Title', 500)

export const newTodoSchema = z.object({
  title: titleSchema,
  completed: completedSchema.default(0),
  id: rowIdSchema.optional(),
  day: daySchema.optional(),
  at: instantSchema.optional(),
})

export const todoChangeSchema = z.object({
  completed: completedSchema,
  title: titleSchema.optional(),
  day: daySchema.optional(),
  at: instantSchema.optional(),
})

export const titleChangeSchema = z.object({ title: titleSchema, at: instantSchema.optional() })
