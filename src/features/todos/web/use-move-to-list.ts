import { useCallback } from 'react'
import type { List } from '#features/lists/list.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import { offerUndo } from '#platform/sync/react/offer-undo.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import type { Todo } from '../todo.ts'
import { editTodo, todoList } from './todo-queries.ts'

interface Move {
  from: List | undefined
  /** Undefined to take it out of its list. */
  to: List | undefined
  /** Called just before the rows change, at the move and at its undoing. */
  onChange?(is: 'moved' | 'back'): void
}

/** Moves a to-do to a list, and offers to undo that. */
export function useMoveToList(): (todo: Todo, move: Move) => void {
  const write = useWrite()
  return useCallback(
    (todo, { from, to, onChange }) => {
      if (from?.id === to?.id) return
      const put = (list_id: string | null) =>
        write(editTodo, {
          id: todo.id,
          changes: { list_id },
          title: todo.title,
          at: instantToWire(Date.now()),
        })
      onChange?.('moved')
      void put(to?.id ?? null)
      offerUndo(to ? `Moved to ${to.name}` : `Taken out of ${from?.name}`, {
        row: { list: todoList.name, subject: todo.id },
        description: todo.title,
        undo() {
          onChange?.('back')
          void put(todo.list_id)
        },
      })
    },
    [write],
  )
}
