import type { Todo } from '#features/todos/todo/todo.ts'
import { type TodoActions, taskWith } from '#features/todos/todo/web/todo-actions.ts'
import { moveFocusFromRows } from '#platform/browser/rows/row-focus.ts'
import type { CompletedTodo } from './completed-queries.ts'

export interface CompletedActions {
  reopen(completed: CompletedTodo): void
  remove(completed: CompletedTodo): void
}

/** Actions of the page of completed to-dos. Rows leave the page at once, even if this device does not store their to-dos. */
export function completedActions(
  actions: TodoActions,
  setGone: (change: (gone: ReadonlySet<string>) => ReadonlySet<string>) => void,
): CompletedActions {
  const leave = (...keys: string[]) => {
    const left = new Set(keys)
    moveFocusFromRows((key) => left.has(key))
    setGone((gone) => gone.union(left))
  }
  const comeBack = (...keys: string[]) => {
    const back = new Set(keys)
    setGone((gone) => gone.difference(back))
  }

  /** Offers to undo. The undo handler announces the rows that come back. */
  const offer = (what: string, todo: Todo, keys: readonly string[]) =>
    actions.offer(what, todo, { onUndone: () => comeBack(...keys), onRedone: () => leave(...keys) })

  return {
    reopen({ todo, day, occurrence, key }) {
      leave(key)
      if (occurrence === null) actions.complete(todo, false, { was_on: day, elsewhere: todo })
      else actions.settle(todo, occurrence, { state: 'open', done_on: null }, { was: 'done', was_on: day })
      offer('Task reopened', todo, [key])
    },
    remove({ todo }) {
      const along = actions.subtasks(todo)
      const keys = [todo, ...along].map(({ id }) => id)
      leave(...keys)
      actions.remove(todo, todo)
      offer(`${taskWith(along.length)} deleted`, todo, keys)
    },
  }
}
