import * as z from 'zod/mini'
import { changeInstantSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { editShape, editsAny, newShape } from '#platform/wire/synced-row.ts'
import { pauseRow } from './pause-row.ts'

// What a device sends about pauses. In a file of its own, since no screen needs it.

/** Without a habit it pauses all of them. */
export const newPauseSchema = z.object({
  ...newShape(pauseRow),
  habit_id: z._default(z.nullable(rowIdSchema), null),
  id: z.optional(rowIdSchema),
  at: z.optional(changeInstantSchema),
})

export const pauseEditSchema = z
  .object({ ...editShape(pauseRow), at: z.optional(changeInstantSchema) })
  .check(
    z.refine((edit) => editsAny(pauseRow, edit), {
      path: ['to_day'],
      message: 'Expected a first or a last day',
    }),
  )
