import { useLayoutEffect, useRef } from 'react'
import { moveFocusFromRows, returnFocusToRow } from '#platform/browser/row-focus.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { offerUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { subtasksOf } from '../subtasks.ts'
import type { Todo } from '../todo.ts'
import type { CompletedTodo } from './completed-queries.ts'
import { counted } from './counted.ts'
import {
  deleteTodo,
  openSubtasks,
  restoreTodo,
  setTodoCompleted,
  settleOccurrence,
  todoList,
} from './todo-queries.ts'
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
  const row = (todo: Todo) => ({ list: todoList.name, subject: todo.id })

  return {
    reopen({ todo, day, occurrence, key }) {
      leave(key)
      const now = Date.now()
      if (occurrence !== null) {
        const change = { id: todo.id, day: occurrence, title: todo.title }
        const set = (to: { state: 'done'; done_on: Day } | { state: 'open'; done_on: null }) =>
          void write(settleOccurrence, { ...change, ...to, at: instantToWire(Date.now()) })
        set({ state: 'open', done_on: null })
        offerUndo('Task reopened', {
          row: row(todo),
          description: todo.title,
          undo() {
            set({ state: 'done', done_on: day })
            comeBack(key)
            announce('Task completed')
          },
        })
        return
      }
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
          const subtasks = openSubtasks(latest.current, todo.id)
          void write(setTodoCompleted, { ...change, ...completed, subtasks, at: instantToWire(Date.now()) })
          comeBack(key)
          announce('Task completed')
        },
      })
    },
    remove({ todo }) {
      const along = subtasksOf(latest.current).byParent.get(todo.id) ?? []
      leave(...[todo, ...along].map(({ id }) => id))
      void write(deleteTodo, {
        id: todo.id,
        title: todo.title,
        elsewhere: todo,
        at: instantToWire(Date.now()),
      })
      const what = along.length === 0 ? 'Task' : `Task and ${counted(along.length, 'subtask')}`
      offerUndo(`${what} deleted`, {
        row: row(todo),
        description: todo.title,
        async undo() {
          if (!(await write(restoreTodo, { todo, subtasks: along, at: instantToWire(Date.now()) }))) return
          comeBack(...[todo, ...along].map(({ id }) => id))
          announce('Task restored')
          returnFocusToRow(todo.id)
        },
      })
    },
  }
}

const none: never[] = []
