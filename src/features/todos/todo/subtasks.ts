import type { Todo } from './todo.ts'

type Family = Pick<Todo, 'id' | 'parent_id'>

/**
 * Splits to-dos into those on their own and the subtasks of each parent, both in the order of `todos`. Every to-do ends up in
 * exactly one of the two places, even if two devices have made to-dos each other's parents.
 */
export function subtasksOf<Row extends Family>(
  todos: readonly Row[],
): { top: Row[]; byParent: ReadonlyMap<string, readonly Row[]> } {
  const top: Row[] = []
  const byParent = new Map<string, Row[]>()
  const parents = parentsIn(todos)
  for (const todo of todos) {
    const parent = parentOf(todo, parents)
    if (!parent) {
      top.push(todo)
      continue
    }
    const subtasks = byParent.get(parent.id)
    if (subtasks) subtasks.push(todo)
    else byParent.set(parent.id, [todo])
  }
  return { top, byParent }
}

/**
 * The parent of a subtask. A parent counts only if it exists and names no parent itself. To-dos in a circle or on a third level
 * are therefore tasks of their own.
 */
export function parentOf<Row extends Family>(
  { parent_id }: Pick<Todo, 'parent_id'>,
  byId: Pick<ReadonlyMap<string, Row>, 'get'>,
): Row | undefined {
  const parent = parent_id === null ? undefined : byId.get(parent_id)
  return parent?.parent_id === null ? parent : undefined
}

/** The to-dos that others name as their parent, by id. Most of thousands of to-dos are none, and cost next to nothing here. */
export function parentsIn<Row extends Family>(todos: readonly Row[]): ReadonlyMap<string, Row> {
  const named = new Set<string>()
  for (const { parent_id } of todos) if (parent_id !== null) named.add(parent_id)
  const parents = new Map<string, Row>()
  if (named.size > 0) for (const todo of todos) if (named.has(todo.id)) parents.set(todo.id, todo)
  return parents
}

/** Leaves out subtasks whose parent is among `todos`: an action on the parent also applies to them. */
export function withoutTheirOwn<Row extends Family>(todos: readonly Row[]): readonly Row[] {
  const parents = parentsIn(todos)
  return todos.filter((todo) => !parentOf(todo, parents))
}

/** The list of a to-do, or of its parent if it is a subtask. */
export function listIdOf<Row extends Family & Pick<Todo, 'list_id'>>(
  todo: Row,
  byId: Pick<ReadonlyMap<string, Row>, 'get'>,
): string | null {
  return (parentOf(todo, byId) ?? todo).list_id
}

/** How many subtasks are done. */
export function progressOf(subtasks: readonly Pick<Todo, 'completed'>[]): { done: number; of: number } {
  return { done: subtasks.filter(({ completed }) => completed === 1).length, of: subtasks.length }
}
