import type { TodoSort } from './list-row.ts'

export const todoSortNames: Record<TodoSort, string> = {
  manual: 'Manual',
  due: 'Due date',
  priority: 'Priority',
  newest: 'Newest',
}
