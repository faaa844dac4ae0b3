import { useEffect } from 'react'
import { findDraft } from '#platform/sync/local-store/kept-drafts.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { ScreenSearch } from '#platform/ui/search/screen-search.tsx'
import type { ScreenSearchProps } from '#platform/ui/search/screen-search-props.ts'
import { searchInUse } from '#platform/ui/search/search-in-use.ts'
import { rowDraft } from '../row/row-actions.ts'
import type { Todo } from '../todo/todo.ts'
import { todoSearch } from '../todo/todo-search.ts'
import { useTodos } from '../todo/web/use-todos.ts'

interface TodoSearchProps extends Omit<ScreenSearchProps<Todo>, 'rows'> {
  /** Whether the search also covers rows other than to-dos. */
  withMore: boolean
}

export function TodoSearch({ withMore, ...props }: TodoSearchProps) {
  const [label, what] = withMore ? ['Search this page', 'result'] : ['Search these tasks', 'task']
  const { rows } = useTodos()
  const { account } = useSync()
  useEffect(() => {
    searchInUse.isHalfTyped = (id) => findDraft(account, rowDraft(id)) !== undefined
    return () => {
      searchInUse.isHalfTyped = () => false
    }
  }, [account])
  return <ScreenSearch label={label} what={what} search={todoSearch} rows={rows} {...props} />
}
