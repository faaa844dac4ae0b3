import type { TodoSort } from '#features/lists/list/list-row.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { byPosition } from '#platform/order/position.ts'
import { type DueGroup, dueGroupOf, dueGroups } from '../dates/due.ts'
import type { Todo } from '../todo/todo.ts'
import type { Priority } from '../todo/todo-row.ts'

export interface TodoGroups {
  /** Open to-dos, in the person's own order or newest first. */
  open: Todo[]
  /** Completed to-dos, the last completed first. */
  completed: Todo[]
}

/**
 * Returns the to-do as it was when its row got its place. This version of the to-do decides how the row is sorted and grouped.
 */
export type PlaceOf = (todo: Todo) => Todo

/**
 * Splits to-dos into open and completed, and sorts both. Grouping by due date or priority follows in `groupByDue` and
 * `groupByPriority`.
 */
export function groupTodos(
  todos: readonly Todo[],
  { placeOf, sort }: { placeOf: PlaceOf; sort: TodoSort },
): TodoGroups {
  return {
    open: todos
      .filter((todo) => placeOf(todo).completed === 0)
      .sort((a, b) =>
        sort === 'newest'
          ? latestFirst(a.created_at, b.created_at) || latestFirst(a.id, b.id)
          : byPosition(placeOf(a), placeOf(b)),
      ),
    completed: todos
      .filter((todo) => placeOf(todo).completed === 1)
      .sort(
        (a, b) =>
          latestFirst(placeOf(a).completed_at ?? '', placeOf(b).completed_at ?? '') ||
          latestFirst(a.id, b.id),
      ),
  }
}

export interface TodosByDue {
  dueGroup: DueGroup
  todos: Todo[]
}

/**
 * Groups to-dos by due date: the earliest group first, and the earliest due day first in each group. To-dos of the same day keep
 * their order.
 */
export function groupByDue(
  todos: readonly Todo[],
  { today, weekStart, placeOf }: { today: Day; weekStart: WeekStart; placeOf: PlaceOf },
): TodosByDue[] {
  const dueOf = (todo: Todo) => placeOf(todo).due_day
  const groups = Map.groupBy(todos, (todo) => dueGroupOf(dueOf(todo), today, weekStart))
  return dueGroups.flatMap((dueGroup) => {
    const group = groups.get(dueGroup)
    return group ? [{ dueGroup, todos: group.sort((a, b) => earliestFirst(dueOf(a), dueOf(b))) }] : []
  })
}

export interface TodosByPriority {
  priority: Priority
  todos: Todo[]
}

/** Groups to-dos by priority, the highest first. To-dos of the same priority keep their order. */
export function groupByPriority(todos: readonly Todo[], placeOf: PlaceOf): TodosByPriority[] {
  const groups = Map.groupBy(todos, (todo) => placeOf(todo).priority)
  return [...groups].map(([priority, todos]) => ({ priority, todos })).sort((a, b) => b.priority - a.priority)
}

function earliestFirst(a: Day | null, b: Day | null): number {
  if (a === null || b === null || a === b) return 0
  return a < b ? -1 : 1
}

/** Compares texts whose alphabetical order is their order in time: ids, and instants in the wire format. */
function latestFirst(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? 1 : -1
}
