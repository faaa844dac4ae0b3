import type { TodoSort } from '#features/lists/list/list-row.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { byPosition } from '#platform/order/position.ts'
import { type DueGroup, dueGroupOf, dueGroups } from '../dates/due.ts'
import type { Todo } from '../todo/todo.ts'
import type { Priority } from '../todo/todo-row.ts'

export interface TodoGroups {
  /** By position, or newest first. */
  open: Todo[]
  /** By completion, newest first. */
  completed: Todo[]
}

/** The to-do as it was when it got its place, by which it is sorted and grouped. */
type PlaceOf = (todo: Todo) => Todo

/** To-dos that are sorted by due date or priority are put in groups afterwards (`groupByDue`, `groupByPriority`). */
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
 * The groups with the earliest first, and in each group the earliest due day first; to-dos of one day keep their order.
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

/** The groups with the highest priority first; to-dos of one priority keep their order. */
export function groupByPriority(todos: readonly Todo[], placeOf: PlaceOf): TodosByPriority[] {
  const groups = Map.groupBy(todos, (todo) => placeOf(todo).priority)
  return [...groups].map(([priority, todos]) => ({ priority, todos })).sort((a, b) => b.priority - a.priority)
}

function earliestFirst(a: Day | null, b: Day | null): number {
  if (a === null || b === null || a === b) return 0
  return a < b ? -1 : 1
}

/** For texts that sort by their meaning: instants in the wire format, and ids. */
function latestFirst(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? 1 : -1
}
