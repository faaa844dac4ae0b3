import { useQuery } from '@tanstack/react-query'
import { hasTag, tagKey } from '#features/todos/todo/tags.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { useTodos } from '#features/todos/todo/web/use-todos.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { tagCountsQuery } from './tag-counts-query.ts'

/** Every to-do that has the tag; undefined until it is known that this device has all of them. */
export function useAllTagged(tag: string): readonly Todo[] | undefined {
  const { account } = useSync()
  const { rows, server } = useTodos()
  const { data: counts } = useQuery(tagCountsQuery(account))
  if (!rows || !server || !counts) return
  const onServer = counts.find((each) => tagKey(each.tag) === tagKey(tag))?.count ?? 0
  // Compare with the rows as the server knows them: it does not count changes that this device has not sent yet.
  const read = server.rows.filter((todo) => hasTag(todo.tags, tag)).length
  return read === onServer ? rows.filter((todo) => hasTag(todo.tags, tag)) : undefined
}
