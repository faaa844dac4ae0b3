import { useMemo } from 'react'
import { sortedTags, tagKey } from '#features/todos/todo/tags.ts'
import { todoCollection } from '#features/todos/todo/web/todo-queries.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'

/** The tags of the to-dos on this device, sorted. */
export function useTagsInUse() {
  const { rows } = useCollection(todoCollection)
  return useMemo(() => {
    const tags = sortedTags(rows?.flatMap((todo) => todo.tags) ?? [])
    return {
      tags,
      /** A tag in the spelling that is in use. */
      spelled: (tag: string) => tags.find((each) => tagKey(each) === tagKey(tag)) ?? tag,
    }
  }, [rows])
}
