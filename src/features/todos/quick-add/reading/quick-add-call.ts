import * as z from 'zod/mini'
import { prioritySchema } from '#features/todos/todo/todo-row.ts'
import { daySchema } from '#platform/calendar/day.ts'

/** Longer than a title may be, since dates, tags and the like do not stay in it. */
const longestQuickAdd = 1_000

/** `day`: the one that counts as today; the person's own when left out. Numbers of `parts` refer to the text as it is sent. */
export const quickAddRequestSchema = z.object({
  text: z.string('Text must be text').check(
    z.refine((text) => text.trim() !== '', 'Text must not be empty'),
    z.maxLength(longestQuickAdd, `Text must not exceed ${longestQuickAdd} characters`),
  ),
  day: z.optional(daySchema),
})

/**
 * What `POST /api/todos` takes, apart from two: `time` belongs into the `reminder`, `{days_before: 0, time}`, and of `list` the `id`
 * is the `list_id`. It is null if there is no list of that name; of several the first by position. Of `3/12` the day is first.
 */
export const quickAddResponseSchema = z.object({
  title: z.string(),
  due_day: z.nullable(daySchema),
  /** In minutes after midnight. */
  time: z.nullable(z.number()),
  repeat: z.nullable(z.record(z.string(), z.unknown())),
  list: z.nullable(z.object({ id: z.nullable(z.string()), name: z.string() })),
  tags: z.array(z.string()),
  priority: prioritySchema,
  parts: z.array(
    z.object({
      from: z.number(),
      to: z.number(),
      kind: z.enum(['due', 'time', 'repeat', 'list', 'tag', 'priority']),
    }),
  ),
})
