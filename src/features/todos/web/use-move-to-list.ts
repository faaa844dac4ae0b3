import { useCallback } from 'react'
import type { List } from '#features/lists/list.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import type { Todo } from '../todo.ts'
import { editTodo, todoList } from './todo-queries.ts'

interface Move {
  from: List | undefined
  /** Undefined to take it out of its list. */
  to: List | undefined
  /** Called just before the rows change. */
  onMove?(): void
}

/** Moves a to-do to a list, and offers to undo that. */
export function useMoveToList(): (todo: Todo, move: Move) => void {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  return useCallback(
    ({ id, title }, { from, to, onMove }) => {
      if (from?.id === to?.id) return
      onMove?.()
      void write(editTodo, {
        id,
        changes: { list_id: to?.id ?? null },
        title,
        at: instantToWire(Date.now()),
      })
      offerUndo(to ? `Moved to ${to.name}` : `Taken out of ${from?.name}`, {
        row: { list: todoList.name, subject: id },
        description: title,
      })
    },
    [write, offerUndo],
  )
}
