import * as z from 'zod/mini'
import { changeInstantSchema, daySchema } from '#platform/calendar/day.ts'
import { rangeSchema } from '#platform/calendar/range.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { editShape, editsAny, newShape } from '#platform/wire/synced-row.ts'
import { textSchema } from '#platform/wire/text.ts'
import { longestSearch } from '../completed/completed-search.ts'
import { tagSchema, tagsSchema } from './tags.ts'
import { completedSchema, titleSchema, todoRow } from './todo-row.ts'

// What the server is asked for and sent: no page needs to read it.

export const todoListQuerySchema = z.object({
  done: z.optional(z.literal('recent', "Expected 'recent', or nothing for all")),
})

/** Some of the tags, each of which merges on its own; or all of them at once. */
const tagsEditSchema = z.union([
  tagsSchema,
  z
    .object({ add: z.optional(tagsSchema), remove: z.optional(tagsSchema) })
    .check(
      z.refine(
        ({ add = [], remove = [] }) => add.length + remove.length > 0,
        'Expected tags to add or to remove',
      ),
    ),
])
export type TagsEdit = z.infer<typeof tagsEditSchema>

/** The new name of a tag on all to-dos. */
export const tagRenamingSchema = z.object({ tag: tagSchema, at: z.optional(changeInstantSchema) })

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
