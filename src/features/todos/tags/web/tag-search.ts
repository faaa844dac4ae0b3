import { searchRows } from '#platform/search/row-search.ts'

/** A tag in use. */
export interface SearchedTag {
  tag: string
}

export const tagSearch = searchRows<SearchedTag>({ title: ({ tag }) => tag, more: ({ tag }) => [`#${tag}`] })
