import { searchRows } from '#platform/search/row-search.ts'

/**
 * What completed to-dos are found by, on the device as on the server: their titles and tags. Notes only on the device, for those that
 * it has: of years of them, the server would have to read all.
 */
export const completedSearch = searchRows<{ title: string; tags: readonly string[] }>({
  title: ({ title }) => title,
  more: ({ tags }) => tags.map((tag) => `#${tag}`),
})
