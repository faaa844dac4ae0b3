import { ScreenSearch, type ScreenSearchProps } from '#platform/ui/layout/screen-search.tsx'
import type { Todo } from '../todo.ts'
import { todoSearch } from '../todo-search.ts'

export function TodoSearch(props: ScreenSearchProps<Todo>) {
  return <ScreenSearch label="Search these tasks" what="task" search={todoSearch} {...props} />
}
