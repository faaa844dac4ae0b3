import * as z from 'zod/mini'
import { changeInstantSchema } from '#platform/calendar/day.ts'
import { positionSchema } from '#platform/order/position.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { editShape, editsAny, newShape } from '#platform/wire/synced-row.ts'
import { listRow } from './list-row.ts'

// What the server is sent of lists: no page needs to read it.

/** Without a position it stands after those that were there. */
export const newListSchema = z.object({
  ...newShape(listRow),
  position: z.optional(positionSchema),
  id: z.optional(rowIdSchema),
  at: z.optional(changeInstantSchema),
})

/** What is left out stays as it is; null takes a list out of the archive. */
export const listEditSchema = z.object({ ...editShape(listRow), at: z.optional(changeInstantSchema) }).check(
  z.refine((edit) => editsAny(listRow, edit), {
    path: ['name'],
    message: 'Expected a name, a colour, a position, a sort or an archive instant',
  }),
)
