import * as z from 'zod/mini'
import { changeInstantSchema, daySchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { editShape, editsAny, newShape } from '#platform/wire/synced-row.ts'
import { tagSchema, tagsSchema } from './tags.ts'
import { completedSchema, titleSchema, todoRow } from './todo-row.ts'

// Schemas of requests, which only the server parses. Pages need not load them.

export const todoCollectionQuerySchema = z.object({
  done: z.optional(z.literal('recent', "Expected 'recent', or nothing for all")),
})

/** Either single tags to add or remove, each of which merges on its own, or the complete list of tags. */
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

export const newTodoSchema = z.object({
  ...newShape(todoRow),
  tags: z.optional(tagsSchema),
  completed: z._default(completedSchema, 0),
  id: z.optional(rowIdSchema),
  day: z.optional(daySchema),
  at: z.optional(changeInstantSchema),
})

/** `completed_at`: when the to-do was completed, if that was before this change. */
export const todoChangeSchema = z.object({
  completed: completedSchema,
  completed_at: z.optional(changeInstantSchema),
  title: z.optional(titleSchema),
  day: z.optional(daySchema),
  at: z.optional(changeInstantSchema),
})

/**
 * Fields that are left out stay as they are; null removes a due day or a reminder. `occurrence`: the occurrence of a repeating
 * to-do that the due day moves; the open occurrence when left out.
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
