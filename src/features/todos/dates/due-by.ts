import type { List } from '#features/lists/list/list.ts'
import type { Day } from '#platform/calendar/day.ts'
import { isShown } from '../todo/in-list.ts'
import { listIdOf, parentsIn } from '../todo/subtasks.ts'
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
  const parents = parentsIn(todos)
  const listById = new Map(lists.map((list) => [list.id, list]))
  let due = 0
  let others = 0
  for (const todo of todos) {
    if (todo.completed === 1 || !isShown({ list_id: listIdOf(todo, parents) }, listById)) continue
    if (isDueBy(day, todo)) due++
    else if (todo.parent_id === null) others++
  }
  return { due, others }
}
