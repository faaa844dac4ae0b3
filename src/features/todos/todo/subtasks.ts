import type { Todo } from './todo.ts'

type Family = Pick<Todo, 'id' | 'parent_id'>

/**
 * The to-dos that stand on their own, and the subtasks of each of them, in the order of `todos`. Every one is at one of the two
 * places, whatever they name as their parents: two devices may have made a circle of them.
 */
export function subtasksOf<Row extends Family>(
  todos: readonly Row[],
): { top: Row[]; byParent: ReadonlyMap<string, readonly Row[]> } {
  const top: Row[] = []
  const byParent = new Map<string, Row[]>()
  const byId = new Map(todos.map((todo) => [todo.id, todo]))
  for (const todo of todos) {
    const parent = parentOf(todo, byId)
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
 * The to-do that this one is a subtask of. A parent counts only if it is there and names none itself: so circles and third levels
 * stand on their own.
 */
export function parentOf<Row extends Family>(
  { parent_id }: Pick<Todo, 'parent_id'>,
  byId: ReadonlyMap<string, Row>,
): Row | undefined {
  const parent = parent_id === null ? undefined : byId.get(parent_id)
  return parent?.parent_id === null ? parent : undefined
}

/** Those whose parent is not among them: what is done to a parent is done to its subtasks, too. */
export function withoutTheirOwn<Row extends Family>(todos: readonly Row[]): readonly Row[] {
  const byId = new Map(todos.map((todo) => [todo.id, todo]))
  return todos.filter((todo) => !parentOf(todo, byId))
}

/** The list that a to-do names, or that its parent names: a subtask stands where its parent does. */
export function listIdOf<Row extends Family & Pick<Todo, 'list_id'>>(
  todo: Row,
  byId: ReadonlyMap<string, Row>,
): string | null {
  return (parentOf(todo, byId) ?? todo).list_id
}

/** How many subtasks are done. */
export function progressOf(subtasks: readonly Pick<Todo, 'completed'>[]): { done: number; of: number } {
  return { done: subtasks.filter(({ completed }) => completed === 1).length, of: subtasks.length }
}
