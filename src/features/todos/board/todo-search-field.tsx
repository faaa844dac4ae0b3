import { ScreenSearch } from '#platform/ui/search/screen-search.tsx'
import type { ScreenSearchProps } from '#platform/ui/search/screen-search-props.ts'
import type { Todo } from '../todo/todo.ts'
import { todoSearch } from '../todo/todo-search.ts'

interface TodoSearchProps extends ScreenSearchProps<Todo> {
  /** Whether the search also covers rows other than to-dos. */
  withMore: boolean
}

export function TodoSearch({ withMore, ...props }: TodoSearchProps) {
  const [label, what] = withMore ? ['Search this page', 'result'] : ['Search these tasks', 'task']
  return <ScreenSearch label={label} what={what} search={todoSearch} {...props} />
}
