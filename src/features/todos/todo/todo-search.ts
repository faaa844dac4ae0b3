import { searchRows } from '#platform/search/row-search.ts'
import type { Todo } from './todo.ts'

type Searched = Pick<Todo, 'title' | 'note' | 'tags'> & Partial<Pick<Todo, 'completed' | 'updated_at'>>

/** How to-dos are searched, on the device and on the server. A tag is found with or without its #. */
export const todoSearch = searchRows<Searched>({
  title: ({ title }) => title,
  more: ({ note, tags }) => [note, ...tags.map((tag) => `#${tag}`)],
  isDone: ({ completed }) => completed === 1,
  touched: ({ updated_at = '' }) => updated_at,
})
