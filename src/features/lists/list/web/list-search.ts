import { searchRows } from '#platform/search/row-search.ts'
import type { List } from '../list.ts'

/** Archived ones come last. */
export const listSearch = searchRows<List>({
  title: ({ name }) => name,
  isDone: ({ archived_at }) => archived_at !== null,
})
