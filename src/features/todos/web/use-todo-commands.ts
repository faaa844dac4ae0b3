import { useLayoutEffect, useMemo, useRef } from 'react'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import type { Todo } from '../todo.ts'
import { closeReminderOf } from './close-reminder.ts'
import { todoList } from './todo-queries.ts'
import { type BoardActions, useTodoActions } from './use-todo-actions.ts'
import { writeCompletion } from './write-completion.ts'

export interface TodoCommands {
  /** As the field of the to-do screen does, and offers to undo that. */
  add: BoardActions['add']
  /** Completes or reopens it, and offers to undo that. */
  tick(todo: Todo): void
}

/** What can be done to to-dos where no list of them is shown. `todos`: every one that this device has. */
export function useTodoCommands(todos: readonly Todo[]): TodoCommands {
  const latest = useRef(todos)
  useLayoutEffect(() => {
    latest.current = todos
  }, [todos])
  const surroundings = useMemo(() => ({ ...noBoard, allTodos: () => latest.current }), [])
  const { add } = useTodoActions(surroundings)
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const { timeZone, dayStart } = useUserCalendar()
  return {
    add,
    tick(todo) {
      const completed = todo.completed === 0
      const moment = { now: Date.now(), timeZone, dayStart }
      const done = writeCompletion(write, todo, { completed, all: latest.current, moment })
      if (done === 'none') return
      if (completed) closeReminderOf(todo)
      offerUndo(completed ? 'Task completed' : 'Task reopened', {
        row: { list: todoList.name, subject: todo.id },
        description: todo.title,
      })
    },
  }
}

const nothing = () => {}
const noBoard = {
  listShown: undefined,
  tagShown: undefined,
  showsNew: false,
  hold: nothing,
  release: nothing,
  glide: nothing,
  focusNext: nothing,
  showDetails: nothing,
  askForDates: nothing,
  openMenu: nothing,
}
