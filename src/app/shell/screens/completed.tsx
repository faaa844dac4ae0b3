import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLists } from '#features/lists/list/web/use-lists.ts'
import { CompletedPage } from '#features/todos/completed/web/completed-page.tsx'

export function Completed() {
  const { list } = useSearch({ from: '/signed-in/todos/completed' })
  const { rows: lists } = useLists()
  const archived = useMemo(
    () => new Set(lists?.filter(({ archived_at }) => archived_at !== null).map(({ id }) => id)),
    [lists],
  )
  return <CompletedPage key={list} list={lists?.find(({ id }) => id === list)} archived={archived} />
}
