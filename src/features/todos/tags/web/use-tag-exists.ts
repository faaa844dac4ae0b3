import { useQuery, useQueryClient } from '@tanstack/react-query'
import { tagKey } from '#features/todos/todo/tags.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { type TagCounts, tagCountsQuery } from './tag-counts-query.ts'
import { useTagsInUse } from './use-tags-in-use.ts'

export interface TagExists {
  /** Whether any task has a tag, including tasks that only the server has; undefined while that is not known. */
  now(tag: string): boolean | undefined
  /** Like `now`, but waits for the server's response; undefined if the server can't be reached. */
  soon(tag: string): Promise<boolean | undefined>
}

/** Checks whether tags exist. Requests the tags from the server as soon as it is used. */
export function useTagExists(): TagExists {
  const sync = useSync()
  const client = useQueryClient()
  const here = useTagsInUse()
  const onServer = tagCountsQuery(sync.account)
  const { data } = useQuery(onServer)
  const isNamed = (tag: string, tags: readonly string[]) => tags.some((each) => tagKey(each) === tagKey(tag))
  const among = (tag: string, counts: TagCounts | undefined) =>
    isNamed(tag, here.tags) ||
    (counts
      ? isNamed(
          tag,
          counts.map((each) => each.tag),
        )
      : undefined)
  return {
    now: (tag) => among(tag, data),
    soon: async (tag) => among(tag, await client.fetchQuery(onServer)),
  }
}
