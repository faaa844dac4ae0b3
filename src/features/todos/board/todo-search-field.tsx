import { ScreenSearch } from '#platform/ui/search/screen-search.tsx'
import type { ScreenSearchProps } from '#platform/ui/search/screen-search-props.ts'
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
  return <ScreenSearch label={label} what={what} search={todoSearch} rows={rows} {...props} />
}
