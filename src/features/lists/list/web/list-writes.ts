import { byPosition } from '#platform/order/position.ts'
import { changed, deletion, restoration } from '#platform/sync/collections/row-writes.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import type { EditOf } from '#platform/wire/synced-row.ts'
import type { List } from '../list.ts'
import type { listRow } from '../list-row.ts'
import { lists } from './list-queries.ts'

// Apart from adding a list, which the field for a new task does on the first screen. The `name` in an edit is only for the message
// if saving fails.

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

/** For the sync provider. */
export const laterListWrites = [editList, deleteList, restoreList]
