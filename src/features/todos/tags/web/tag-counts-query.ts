import { queryOptions } from '@tanstack/react-query'
import { type TagCount, tagCountsSchema } from '#features/todos/todo/tags.ts'
import { sendRequest } from '#platform/sync/network/request.ts'
import { readKnown } from '#platform/wire/known-forms.ts'

/** How many to-dos have each tag; null if the server can't be reached. */
export type TagCounts = readonly TagCount[] | null

/**
 * How many to-dos have each tag, including to-dos that only the server has. The result is dropped once no component uses it, so
 * that the next use reads it again.
 */
export function tagCountsQuery(account: string) {
  return queryOptions({
    queryKey: ['tags', account],
    async queryFn({ signal }): Promise<TagCounts> {
      const result = await sendRequest({ method: 'GET', path: '/api/tags' }, account, signal)
      return result.kind === 'done' ? readKnown(tagCountsSchema, result.body).tags : null
    },
    // Offline, the request fails at once instead of waiting.
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
