import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { sendRequest } from '#platform/sync/network/request.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { tagCountsSchema, tagKey } from '../tags.ts'
import { useTagsInUse } from './use-tags-in-use.ts'

export interface TagExists {
  /** Whether a tag is on any task, also on those that only the server has; undefined while that is not known. */
  now(tag: string): boolean | undefined
  /** The same once the server has answered; undefined if it can't be reached. */
  soon(tag: string): Promise<boolean | undefined>
}

/** Asks the server as soon as it is used. */
export function useTagExists(): TagExists {
  const sync = useSync()
  const client = useQueryClient()
  const here = useTagsInUse()
  const onServer = queryOptions({
    queryKey: ['tags', sync.account],
    async queryFn({ signal }) {
      const result = await sendRequest({ method: 'GET', path: '/api/tags' }, sync.account, signal)
      return result.kind === 'done' ? tagCountsSchema.parse(result.body).tags.map(({ tag }) => tag) : null
    },
    // Offline it fails at once, and does not wait.
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const { data } = useQuery(onServer)
  const isNamed = (tag: string, tags: readonly string[]) => tags.some((each) => tagKey(each) === tagKey(tag))
  const among = (tag: string, tags: readonly string[] | null | undefined) =>
    isNamed(tag, here.tags) || (tags ? isNamed(tag, tags) : undefined)
  return {
    now: (tag) => among(tag, data),
    soon: async (tag) => among(tag, await client.fetchQuery(onServer)),
  }
}
