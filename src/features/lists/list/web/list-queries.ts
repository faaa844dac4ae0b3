import * as z from 'zod/mini'
import { byPosition } from '#platform/order/position.ts'
import type { Collection } from '#platform/sync/collections/collection.ts'
import { changed, deletion, restoration } from '#platform/sync/collections/row-writes.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import { type EditOf, localShape } from '#platform/wire/synced-row.ts'
import { type List, listNones } from '../list.ts'
import { type ListColor, listRow } from '../list-row.ts'

// The person's lists. In the writes below, `at` is when the person made the change, ISO 8601 in UTC. The `name` in an edit is
// only for the message if saving fails.

export const lists: Collection<List> = {
  name: 'lists',
  path: '/api/lists',
  rows: (response) => readKnown(storedSchema, response, { lists: listNones }).lists,
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

export type ListFields = Pick<List, keyof EditOf<typeof listRow>>

/** Edits a list. `changes` holds only what the person changed. */
export const editList: Write<List, { id: string; changes: Partial<ListFields>; name: string; at: string }> = {
  name: 'lists.edit',
  version: 1,
  collection: lists,
  apply: (rows, { id, changes, at }) => changed(rows, id, changes, { updated_at: at }),
  request: ({ id, changes, at }) => ({ method: 'PUT', path: `/api/lists/${id}`, body: { ...changes, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update list',
  text: ({ name }) => name,
  typed: true,
}

export const deleteList = deletion<List, { id: string; name: string; at: string }>({
  name: 'lists.delete',
  collection: lists,
  refusal: 'Failed to delete list',
  text: ({ name }) => name,
})

/** Undoes a deletion. `list` is the list as it was when it was deleted. */
export const restoreList = restoration<List, { list: List; at: string }>({
  name: 'lists.restore',
  collection: lists,
  rowOf: ({ list }) => list,
  restores: (list, at) => ({ list, at }),
  order: byPosition,
  refusal: 'Failed to restore list',
  text: ({ list }) => list.name,
})

/** Every write to lists that may be queued on a device, for the sync provider. */
export const listWrites = [addList, editList, deleteList, restoreList]
