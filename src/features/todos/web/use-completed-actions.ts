import { moveFocusFromRows, returnFocusToRow } from '#platform/browser/row-focus.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { dayOf, instantToWire } from '#platform/calendar/day.ts'
import { offerUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import type { Todo } from '../todo.ts'
import type { CompletedTodo } from './completed-queries.ts'
import { deleteTodo, restoreTodo, setTodoCompleted, todoList } from './todo-queries.ts'

export interface CompletedActions {
  reopen(completed: CompletedTodo): void
  remove(completed: CompletedTodo): void
}

/** Rows leave the page at once, also those that only the server has. */
export function useCompletedActions(
  setGone: (change: (gone: ReadonlySet<string>) => ReadonlySet<string>) => void,
): CompletedActions {
  const write = useWrite()
  const { timeZone, dayStart } = useUserCalendar()
  const leave = (todo: Todo) => {
    moveFocusFromRows((id) => id === todo.id)
    setGone((gone) => new Set([...gone, todo.id]))
  }
  const comeBack = (todo: Todo) => setGone((gone) => new Set([...gone].filter((id) => id !== todo.id)))
  const row = (todo: Todo) => ({ list: todoList.name, subject: todo.id })

  return {
    reopen({ todo, day }) {
      leave(todo)
      const now = Date.now()
      const change = { id: todo.id, title: todo.title, elsewhere: todo }
      void write(setTodoCompleted, {
        ...change,
        completed: 0,
        day: dayOf(now, timeZone, dayStart),
        at: instantToWire(now),
      })
      offerUndo('Task reopened', {
        row: row(todo),
        description: todo.title,
        undo() {
          // As it was completed first.
          const completed = { completed: 1, day, completed_at: todo.completed_at ?? undefined } as const
          void write(setTodoCompleted, { ...change, ...completed, at: instantToWire(Date.now()) })
          comeBack(todo)
          announce('Task completed')
        },
      })
    },
    remove({ todo }) {
      leave(todo)
      void write(deleteTodo, {
        id: todo.id,
        title: todo.title,
        elsewhere: todo,
        at: instantToWire(Date.now()),
      })
      offerUndo('Task deleted', {
        row: row(todo),
        description: todo.title,
        async undo() {
          if (!(await write(restoreTodo, { todo, at: instantToWire(Date.now()) }))) return
          comeBack(todo)
          announce('Task restored')
          returnFocusToRow(todo.id)
        },
      })
    },
  }
}
