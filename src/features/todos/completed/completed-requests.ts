import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import { rangeSchema } from '#platform/calendar/range.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { textSchema } from '#platform/wire/text.ts'
import { longestSearch } from './completed-search.ts'

/** The id of a to-do, or `id:day` of one of its occurrences. */
const completedTaskSchema = z.pipe(
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
    before: z.optional(completedTaskSchema),
    search: z.optional(textSchema('Search', longestSearch)),
    list_id: z.optional(rowIdSchema),
  })
  .check(
    z.refine(({ range, from, to }) => range === undefined || (from === undefined && to === undefined), {
      path: ['range'],
      message: "Expected either 'range', or 'from' and 'to'",
    }),
  )
