import { queryOptions } from '@tanstack/react-query'
import { type TagCount, tagCountsSchema } from '#features/todos/todo/tags.ts'
import { sendRequest } from '#platform/sync/network/request.ts'
import { readKnown } from '#platform/wire/known-forms.ts'

/** Null if the server can't be reached. */
export type TagCounts = readonly TagCount[] | null

/** On how many to-dos each tag is, also on those that only the server has; read anew each time it is first used. */
export function tagCountsQuery(account: string) {
  return queryOptions({
    queryKey: ['tags', account],
    async queryFn({ signal }): Promise<TagCounts> {
      const result = await sendRequest({ method: 'GET', path: '/api/tags' }, account, signal)
      return result.kind === 'done' ? readKnown(tagCountsSchema, result.body).tags : null
    },
    // Offline it fails at once, and does not wait.
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
