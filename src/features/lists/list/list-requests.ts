import * as z from 'zod/mini'
import { changeInstantSchema } from '#platform/calendar/day.ts'
import { positionSchema } from '#platform/order/position.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { editShape, editsAny, newShape } from '#platform/wire/synced-row.ts'
import { listRow } from './list-row.ts'

// What requests send to the server about lists. Pages never have to parse it.

/** A new list. Without a position it comes after the existing lists. */
export const newListSchema = z.object({
  ...newShape(listRow),
  position: z.optional(positionSchema),
  id: z.optional(rowIdSchema),
  at: z.optional(changeInstantSchema),
})

/** An edit of a list. Fields that are left out stay as they are; a null `archived_at` takes the list out of the archive. */
export const listEditSchema = z.object({ ...editShape(listRow), at: z.optional(changeInstantSchema) }).check(
  z.refine((edit) => editsAny(listRow, edit), {
    path: ['name'],
    message: 'Expected a name, a colour, a position, a sort or an archive instant',
  }),
)
