import type { List } from '#features/lists/list/list.ts'
import type { Day } from '#platform/calendar/day.ts'
import { todosShown } from '../todo/in-list.ts'
import { listIdOf } from '../todo/subtasks.ts'
import type { Todo } from '../todo/todo.ts'

/** Whether the to-do is open, and due on that day or before. */
export function isDueBy(day: Day, { completed, due_day }: Todo): boolean {
  return completed === 0 && due_day !== null && due_day <= day
}

/** How many tasks are due by a day, and how many other tasks are open. Archived lists do not count. */
export function countDueBy(
  day: Day,
  todos: readonly Todo[],
  lists: readonly List[],
): { due: number; others: number } {
  const byId = new Map(todos.map((todo) => [todo.id, todo]))
  const open = todosShown(
    todos
      .filter(({ completed }) => completed === 0)
      .map((todo) => ({ ...todo, list_id: listIdOf(todo, byId) })),
    new Map(lists.map((list) => [list.id, list])),
  )
  return {
    due: open.filter((todo) => isDueBy(day, todo)).length,
    others: open.filter((todo) => !isDueBy(day, todo) && todo.parent_id === null).length,
  }
}
