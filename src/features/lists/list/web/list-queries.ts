import * as z from 'zod/mini'
import { byPosition } from '#platform/order/position.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import { localShape } from '#platform/wire/synced-row.ts'
import { type List, listNones } from '../list.ts'
import { type ListColor, listRow } from '../list-row.ts'

// The person's lists. In a write, `at` is when the person made the change, ISO 8601 in UTC.

export const lists: Collection<List> = {
  name: 'lists',
  path: '/api/lists',
  rows: (response) => readKnown(storedSchema, response, { lists: listNones }).lists,
  order: byPosition,
}

/** A list as stored on the device, possibly by an older version. */
const storedSchema = z.object({ lists: z.array(z.object(localShape(listRow))) })

export const addList: Write<
  List,
  { id: string; name: string; color: ListColor; position: string; at: string }
> = {
  name: 'lists.add',
  version: 1,
  collection: lists,
  apply: (rows, { id, name, color, position, at }) =>
    rows.some((list) => list.id === id)
      ? [...rows]
      : [
          ...rows,
          { id, name, color, position, sort: 'manual', archived_at: null, created_at: at, updated_at: at },
        ],
  request: (body) => ({ method: 'POST', path: '/api/lists', body }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to add list',
  text: ({ name }) => name,
  typed: true,
}

/** For the sync provider. All other writes to lists are in `list-writes.ts`. */
export const listWrites = [addList]
