import * as z from 'zod/mini'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

/** The longest text to search for. */
export const longestSearch = 200

/** What the address of the completed to-dos may contain: a list, and what the titles contain. */
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
