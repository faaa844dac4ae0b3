import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { type Nearness, nearnesses, nearnessOf } from '../due.ts'
import type { Todo } from '../todo.ts'

export interface TodoGroups {
  /** Newest first. */
  open: Todo[]
  /** By their completion, newest first. */
  completed: Todo[]
}

/** `held` is where a to-do stood before it was ticked a moment ago: it stays there until it is let go. */
export function groupTodos(todos: readonly Todo[], held: ReadonlyMap<string, Todo>): TodoGroups {
  const place = (todo: Todo) => held.get(todo.id) ?? todo
  return {
    open: todos
      .filter((todo) => place(todo).completed === 0)
      .sort((a, b) => latestFirst(a.created_at, b.created_at) || latestFirst(a.id, b.id)),
    completed: todos
      .filter((todo) => place(todo).completed === 1)
      .sort(
        (a, b) =>
          latestFirst(place(a).completed_at ?? '', place(b).completed_at ?? '') || latestFirst(a.id, b.id),
      ),
  }
}

export interface DueGroup {
  nearness: Nearness
  todos: Todo[]
}

/** The nearest first, and in each group the earliest due day first; those of one day stay in the order that they came in. */
export function groupByDue(
  todos: readonly Todo[],
  { today, weekStart }: { today: Day; weekStart: WeekStart },
): DueGroup[] {
  const groups = Map.groupBy(todos, ({ due_day }) => nearnessOf(due_day, today, weekStart))
  return nearnesses.flatMap((nearness) => {
    const group = groups.get(nearness)
    return group ? [{ nearness, todos: group.sort(earliestDueFirst) }] : []
  })
}

function earliestDueFirst({ due_day: a }: Todo, { due_day: b }: Todo): number {
  if (a === null || b === null || a === b) return 0
  return a < b ? -1 : 1
}

/** For texts that sort as what they mean: instants on the wire, and ids. */
function latestFirst(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? 1 : -1
}
