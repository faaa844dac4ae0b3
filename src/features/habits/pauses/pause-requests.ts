import * as z from 'zod/mini'
import { changeInstantSchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { editShape, editsAny, newShape } from '#platform/wire/synced-row.ts'
import { pauseRow } from './pause-row.ts'

// What a device sends about pauses. In a separate file, since no screen needs it.

/** A pause without a habit pauses all habits. */
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
