import { useLayoutEffect, useMemo, useRef } from 'react'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import type { Todo } from '../todo.ts'
import { type TodoActions, todoActions } from './todo-actions.ts'

/** `todos`: every to-do on this device. Returns the same object until the person's calendar settings change. */
export function useTodoActions(todos: readonly Todo[]): TodoActions {
  const sync = useSync()
  const offerUndo = useOfferUndo()
  const { timeZone, dayStart } = useUserCalendar()
  const latest = useRef(todos)
  useLayoutEffect(() => {
    latest.current = todos
  }, [todos])
  return useMemo(
    () =>
      todoActions({
        write: (write, vars) => sync.write(write, vars),
        offerUndo,
        announceRows: (ids) => sync.changes.announceRows(ids),
        allTodos: () => latest.current,
        timeZone,
        dayStart,
        now: Date.now,
        newId: (created) => newRowId(created, crypto.getRandomValues(new Uint8Array(10))),
      }),
    [sync, offerUndo, timeZone, dayStart],
  )
}
