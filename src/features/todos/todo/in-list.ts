import type { List } from '#features/lists/list/list.ts'
import type { CompletedTotals, Todo } from './todo.ts'

type ListById = ReadonlyMap<string, List>

/** The list that a to-do is in; undefined if that list was deleted or has not arrived yet. */
export function listOf({ list_id }: Pick<Todo, 'list_id'>, lists: ListById): List | undefined {
  return list_id === null ? undefined : lists.get(list_id)
}

/** The to-dos of one list; without `list`, those of every list that is not archived, and those in no list. */
export function todosShown<Row extends Pick<Todo, 'list_id'>>(
  todos: readonly Row[],
  lists: ListById,
  list?: List,
): Row[] {
  if (list) return todos.filter(({ list_id }) => list_id === list.id)
  return todos.filter((todo) => isShown(todo, lists))
}

/** Whether the to-do is shown among those of all lists: it is in no archived list. */
export function isShown(todo: Pick<Todo, 'list_id'>, lists: ListById): boolean {
  return (listOf(todo, lists)?.archived_at ?? null) === null
}

/** How many completed to-dos are in one list; without `list`, in all but the archived lists. */
export function completedShown({ total, by_list }: CompletedTotals, lists: ListById, list?: List): number {
  if (list) return by_list[list.id] ?? 0
  const hidden = [...lists.values()].filter(({ archived_at }) => archived_at !== null)
  return hidden.reduce((rest, { id }) => rest - (by_list[id] ?? 0), total)
}

/** How many open to-dos each list has, by its id. */
export function openCounts(
  todos: readonly Pick<Todo, 'list_id' | 'completed'>[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { list_id, completed } of todos) {
    if (list_id !== null && completed === 0) counts.set(list_id, (counts.get(list_id) ?? 0) + 1)
  }
  return counts
}
