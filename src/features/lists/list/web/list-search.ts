import { searchRows } from '#platform/search/row-search.ts'
import type { List } from '../list.ts'

/** Searches lists by name. Archived lists come last. */
export const listSearch = searchRows<List>({
  title: ({ name }) => name,
  isDone: ({ archived_at }) => archived_at !== null,
})
