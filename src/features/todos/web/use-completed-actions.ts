import { useLayoutEffect, useRef } from 'react'
import { moveFocusFromRows } from '#platform/browser/row-focus.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { dayOf, instantToWire } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { subtasksOf } from '../subtasks.ts'
import type { Todo } from '../todo.ts'
import type { CompletedTodo } from './completed-queries.ts'
import { deleteTodo, setTodoCompleted, settleOccurrence, todoList } from './todo-queries.ts'
import { useTodos } from './use-todos.ts'

export interface CompletedActions {
  reopen(completed: CompletedTodo): void
  remove(completed: CompletedTodo): void
}

/** Rows leave the page at once, also those that only the server has. */
export function useCompletedActions(
  setGone: (change: (gone: ReadonlySet<string>) => ReadonlySet<string>) => void,
): CompletedActions {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const { timeZone, dayStart } = useUserCalendar()
  const { rows } = useTodos()
  const latest = useRef(rows ?? none)
  useLayoutEffect(() => {
    latest.current = rows ?? none
  }, [rows])
  const leave = (...keys: string[]) => {
    const left = new Set(keys)
    moveFocusFromRows((key) => left.has(key))
    setGone((gone) => gone.union(left))
  }
  const comeBack = (...keys: string[]) => {
    const back = new Set(keys)
    setGone((gone) => gone.difference(back))
  }

  /** The rows that are back are announced by whoever undid it. */
  const offer = (title: string, todo: Todo, keys: readonly string[]) =>
    offerUndo(title, {
      row: { list: todoList.name, subject: todo.id },
      description: todo.title,
      onUndone: () => comeBack(...keys),
      onRedone: () => leave(...keys),
    })

  return {
    reopen({ todo, day, occurrence, key }) {
      leave(key)
      const { id, title } = todo
      const at = instantToWire(Date.now())
      if (occurrence === null) {
        const today = dayOf(Date.now(), timeZone, dayStart)
        void write(setTodoCompleted, {
          id,
          title,
          completed: 0,
          day: today,
          was_on: day,
          elsewhere: todo,
          at,
        })
      } else {
        const was = { was: 'done', was_on: day } as const
        void write(settleOccurrence, { id, title, day: occurrence, state: 'open', done_on: null, ...was, at })
      }
      offer('Task reopened', todo, [key])
    },
    remove({ todo }) {
      const along = subtasksOf(latest.current).byParent.get(todo.id) ?? []
      const keys = [todo, ...along].map(({ id }) => id)
      leave(...keys)
      void write(deleteTodo, {
        id: todo.id,
        title: todo.title,
        elsewhere: todo,
        at: instantToWire(Date.now()),
      })
      offer(
        `${along.length === 0 ? 'Task' : `Task and ${counted(along.length, 'subtask')}`} deleted`,
        todo,
        keys,
      )
    },
  }
}

const none: never[] = []
