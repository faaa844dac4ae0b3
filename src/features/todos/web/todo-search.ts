import { searchRows } from '#platform/search/row-search.ts'
import type { Todo } from '../todo.ts'

/** The to-dos that this device has. A tag is found with its sign and without. */
export const todoSearch = searchRows<Todo>({
  title: ({ title }) => title,
  more: ({ note, tags }) => [note, ...tags.map((tag) => `#${tag}`)],
  isDone: ({ completed }) => completed === 1,
  touched: ({ updated_at }) => updated_at,
})

/** A tag in use. */
export interface SearchedTag {
  tag: string
}

export const tagSearch = searchRows<SearchedTag>({ title: ({ tag }) => tag, more: ({ tag }) => [`#${tag}`] })
