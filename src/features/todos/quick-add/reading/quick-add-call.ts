import * as z from 'zod/mini'
import { prioritySchema } from '#features/todos/todo/todo-row.ts'
import { daySchema } from '#platform/calendar/day.ts'

/** The most characters of a text. More than a title may have, because dates, tags and other parts are removed from the title. */
const longestQuickAdd = 1_000

/** `day` is the day that counts as today, by default the person's own. Offsets in `parts` refer to the text as sent. */
export const quickAddRequestSchema = z.object({
  text: z.string('Text must be text').check(
    z.refine((text) => text.trim() !== '', 'Text must not be empty'),
    z.maxLength(longestQuickAdd, `Text must not exceed ${longestQuickAdd} characters`),
  ),
  day: z.optional(daySchema),
})

/**
 * The fields of `POST /api/todos`, with two exceptions: send `time` as the `reminder` `{days_before: 0, time}`, and `list.id` as
 * `list_id`. `list.id` is null if no list has that name; of several lists with the name, it is the first by position. In `3/12`,
 * the day comes first.
 */
export const quickAddResponseSchema = z.object({
  title: z.string(),
  due_day: z.nullable(daySchema),
  /** When to remind, in minutes after midnight; null if the text names no time. */
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
