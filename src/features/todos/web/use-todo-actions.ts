import { useMemo } from 'react'
import { notificationTag } from '#features/reminders/notification-tag.ts'
import { closeNotifications } from '#platform/browser/notifications.ts'
import { moveFocusFromRows, returnFocusToRow } from '#platform/browser/row-focus.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { offerUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { newRowId } from '#platform/wire/new-row-id.ts'
import type { Todo } from '../todo.ts'
import {
  addTodo,
  deleteTodo,
  renameTodo,
  restoreTodo,
  setTodoCompleted,
  setTodoDates,
  type TodoDates,
  todoList,
} from './todo-queries.ts'
import type { TodoActions } from './todo-row.tsx'

interface Surroundings {
  hold(todo: Todo): void
  release(todo: Todo): void
  /** To be called before rows move. */
  glide(): void
  askForDates(todo: Todo): void
}

/** What a person can do to their to-dos, each action shown at once. The same object until their calendar changes. */
export function useTodoActions({ hold, release, glide, askForDates }: Surroundings) {
  const write = useWrite()
  const { timeZone, dayStart } = useUserCalendar()
  return useMemo(() => {
    const restore = async (todo: Todo) => {
      glide()
      if (!(await write(restoreTodo, { todo, at: instantToWire(Date.now()) }))) return
      announce('Task restored')
      returnFocusToRow(todo.id)
    }
    return {
      /** Resolves with false if the device could not store it; the person has been told. */
      async add(title: string, dueDay: Day | null): Promise<boolean> {
        glide()
        const now = Date.now()
        const id = newRowId(now, crypto.getRandomValues(new Uint8Array(10)))
        const kept = await write(addTodo, {
          id,
          title,
          ...(dueDay && { due_day: dueDay }),
          at: instantToWire(now),
        })
        if (kept) announce('Task added')
        return kept
      },
      hold,
      askForDates,
      setDates(todo, changes) {
        if (Object.keys(changes).length === 0) return
        release(todo)
        glide()
        write(setTodoDates, { id: todo.id, changes, title: todo.title, at: instantToWire(Date.now()) })
      },
      setCompleted(todo, completed) {
        hold(todo)
        const now = Date.now()
        write(setTodoCompleted, {
          id: todo.id,
          title: todo.title,
          completed: completed ? 1 : 0,
          day: dayOf(now, timeZone, dayStart),
          at: instantToWire(now),
        })
        if (completed) closeReminderOf(todo)
      },
      rename(todo, title) {
        write(renameTodo, { id: todo.id, title, at: instantToWire(Date.now()) })
      },
      remove(todo) {
        moveFocusFromRows((id) => id === todo.id)
        glide()
        write(deleteTodo, { id: todo.id, title: todo.title, at: instantToWire(Date.now()) })
        closeReminderOf(todo)
        offerUndo('Task deleted', {
          row: { list: todoList.name, subject: todo.id },
          description: todo.title,
          undo: () => void restore(todo),
        })
      },
    } satisfies TodoActions & {
      add(title: string, dueDay: Day | null): Promise<boolean>
      setDates(todo: Todo, changes: Partial<TodoDates>): void
    }
  }, [write, hold, release, glide, askForDates, timeZone, dayStart])
}

/** On this device: a reminder still shown here would ask for something that is no longer to be done. */
function closeReminderOf({ id }: Todo) {
  void closeNotifications(notificationTag('todo', id))
}
