import * as z from 'zod/mini'
import { instantSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'

// What the calls on one row of a list share, whichever list that is.

/** Names the row in the path. */
export const rowParams = z.object({ id: rowIdSchema })

/** For calls without a body: the instant of the change, now when left out. */
export const changeQuery = z.object({ at: z.optional(instantSchema) })

export const doneSchema = z.object({ success: z.literal(true) })
export const done = { status: 200, body: { success: true } } as const
