import * as z from 'zod/mini'
import { changeInstantSchema, daySchema } from '#platform/calendar/day.ts'
import { rangeSchema } from '#platform/calendar/range.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { editShape, editsAny, newShape, wireShape } from '#platform/wire/synced-row.ts'
import { textSchema } from '#platform/wire/text.ts'
import { longestSearch } from './completed-search.ts'
import { occurrencesShape } from './occurrences.ts'
import { tagsEditSchema, tagsSchema } from './tags.ts'
import { completedSchema, titleSchema, todoRow } from './todo-row.ts'

/** A task with a title, open or completed, as it is sent. Of one that repeats, `due_day` and `completed` are those of today. */
export const todoSchema = z.object({ ...wireShape(todoRow), ...occurrencesShape })
export type Todo = z.infer<typeof todoSchema>

/** How many are completed in all, and in each list that has any, by its id. */
export const completedTotalsSchema = z.object({
  total: z.number(),
  by_list: z.record(z.string(), z.number()),
})
export type CompletedTotals = z.infer<typeof completedTotalsSchema>

/** `completed` comes with `done=recent`, which leaves out what was completed more than 30 days ago. */
export const todoListSchema = z.object({
  todos: z.array(todoSchema),
  completed: z.optional(completedTotalsSchema),
})

export const todoListQuerySchema = z.object({
  done: z.optional(z.literal('recent', "Expected 'recent', or nothing for all")),
})

/**
 * `todos`: the newest 50 of the range, or the 50 next older ones than `before`. `days`: every day of the range, or of all days
 * those of `todos`. `day`: which occurrence of a to-do that repeats was completed; null for others.
 */
export const completedTodosSchema = z.object({
  count: z.number(),
  days: z.array(z.object({ day: z.string(), count: z.number() })),
  todos: z.array(z.extend(todoSchema, { completed_on: daySchema, day: z.nullable(daySchema) })),
})
export type CompletedTodos = z.infer<typeof completedTodosSchema>

/** By what a completion is known: a to-do that repeats has many. `day`: that of the occurrence. */
export function completionKey({ id, day }: { id: string; day: string | null }): string {
  return day === null ? id : `${id}:${day}`
}

/** The id of a to-do, or `id:day` of one of its occurrences. */
const completionSchema = z.pipe(
  z.string().check(
    z.refine((text) => {
      const [id, day] = text.split(':', 2)
      return rowIdSchema.safeParse(id).success && (day === undefined || daySchema.safeParse(day).success)
    }, "Expected a to-do's id, or id:day"),
  ),
  z.transform((text) => {
    const [id = '', day] = text.toLowerCase().split(':', 2)
    return { id, day: daySchema.safeParse(day).data ?? null }
  }),
)

export const completedQuerySchema = z
  .object({
    ...rangeSchema.shape,
    range: z.optional(z.literal('all', "Expected 'all', or nothing for the days from 'from' to 'to'")),
    before: z.optional(completionSchema),
    search: z.optional(textSchema('Search', longestSearch)),
    list_id: z.optional(rowIdSchema),
  })
  .check(
    z.refine(({ range, from, to }) => range === undefined || (from === undefined && to === undefined), {
      path: ['range'],
      message: "Expected either 'range', or 'from' and 'to'",
    }),
  )

export const newTodoSchema = z.object({
  ...newShape(todoRow),
  tags: z.optional(tagsSchema),
  completed: z._default(completedSchema, 0),
  id: z.optional(rowIdSchema),
  day: z.optional(daySchema),
  at: z.optional(changeInstantSchema),
})

/** `completed_at`: when it was completed, if that was before this change. */
export const todoChangeSchema = z.object({
  completed: completedSchema,
  completed_at: z.optional(changeInstantSchema),
  title: z.optional(titleSchema),
  day: z.optional(daySchema),
  at: z.optional(changeInstantSchema),
})

/**
 * What is left out stays as it is; null removes a due day or a reminder. `occurrence`: of a to-do that repeats the one that the due
 * day moves; the open one when left out.
 */
export const todoEditSchema = z
  .object({
    ...editShape(todoRow),
    tags: z.optional(tagsEditSchema),
    occurrence: z.optional(daySchema),
    at: z.optional(changeInstantSchema),
  })
  .check(
    z.refine(
      ({ occurrence, due_day, repeat }) =>
        occurrence === undefined || (due_day !== undefined && repeat === undefined),
      { path: ['occurrence'], message: "Expected only with 'due_day', and without 'repeat'" },
    ),
    z.refine((edit) => editsAny(todoRow, edit) || edit.tags !== undefined, {
      path: ['title'],
      message: 'Expected something to change, such as a title',
    }),
  )
