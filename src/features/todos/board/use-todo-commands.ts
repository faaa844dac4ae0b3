import { useMemo } from 'react'
import type { BoardActions } from '../row/board-actions.ts'
import type { Todo } from '../todo/todo.ts'
import type { TodoActions } from '../todo/web/todo-actions.ts'
import { useTodoActions } from '../todo/web/use-todo-actions.ts'

interface TodoCommands {
  /** Adds a task like the field on the to-do screen, and offers to undo that. */
  add: BoardActions['add']
  /** Completes or reopens a task, and offers to undo that. */
  tick(todo: Todo): void
}

/** Commands for to-dos, for use outside the screens that show to-dos. `todos`: every to-do stored on this device. */
export function useTodoCommands(todos: readonly Todo[]): TodoCommands {
  const actions = useTodoActions(todos)
  return useMemo(() => todoCommands(actions), [actions])
}

export function todoCommands({ add, complete, offer }: TodoActions): TodoCommands {
  return {
    add: (task, list) => add([task], { list, onAdd: (first) => offer('Task added', first) }),
    tick(todo) {
      const completed = todo.completed === 0
      if (complete(todo, completed).kind !== 'none')
        offer(completed ? 'Task completed' : 'Task reopened', todo)
    },
  }
}
