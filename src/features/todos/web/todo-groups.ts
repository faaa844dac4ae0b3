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

/**
 * The nearest first, and in each group the earliest due day first; those of one day stay in the order that they came in.
 * `held` stay where they were, or a row whose title is being edited would be taken out of the hands of its person.
 */
export function groupByDue(
  todos: readonly Todo[],
  { today, weekStart, held }: { today: Day; weekStart: WeekStart; held: ReadonlyMap<string, Todo> },
): DueGroup[] {
  const dueOf = (todo: Todo) => (held.get(todo.id) ?? todo).due_day
  const groups = Map.groupBy(todos, (todo) => nearnessOf(dueOf(todo), today, weekStart))
  return nearnesses.flatMap((nearness) => {
    const group = groups.get(nearness)
    return group ? [{ nearness, todos: group.sort((a, b) => earliestFirst(dueOf(a), dueOf(b))) }] : []
  })
}

function earliestFirst(a: Day | null, b: Day | null): number {
  if (a === null || b === null || a === b) return 0
  return a < b ? -1 : 1
}

/** For texts that sort as what they mean: instants on the wire, and ids. */
function latestFirst(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? 1 : -1
}
