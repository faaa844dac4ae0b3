import * as z from 'zod/mini'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

/** The longest text that can be searched for, in characters. */
export const longestSearch = 200

/** Reads the search parameters of the page of completed to-dos: a list, and a text to search for. */
export function parseCompletedSearch(search: Record<string, unknown>): {
  list?: string | undefined
  search?: string | undefined
} {
  const list = rowIdSchema.safeParse(search.list).data
  // The router reads `?search=7` as a number.
  const text = z.union([z.string(), z.number()]).safeParse(search.search).data
  const trimmed = text === undefined ? '' : String(text).trim().slice(0, longestSearch)
  return { list, search: trimmed === '' ? undefined : trimmed }
}
