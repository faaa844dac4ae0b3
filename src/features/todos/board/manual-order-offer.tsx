import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { TodoSort } from '#features/lists/list/list-row.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { returnFocusToRow } from '#platform/browser/rows/row-focus.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import type { Todo } from '../todo/todo.ts'
import { moveTask } from '../todo/web/todo-shortcuts.ts'

interface ManualOrderOfferProps {
  board: RefObject<HTMLElement | null>
  todos: readonly Todo[]
  onSort(sort: TodoSort): void
}

/** Under a sort in which the keys move no row, offers the manual order to whoever presses them. Renders nothing. */
export function ManualOrderOffer({ board, todos, onSort }: ManualOrderOfferProps) {
  /** The id of the to-do on whose row the offer was taken. */
  const taken = useRef<string>(undefined)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (!isPressed(moveTask, event) || event.repeat) return
    if (!(target instanceof HTMLElement) || target.matches('input[type=text]')) return
    const id = target.closest<HTMLElement>('[data-row]')?.dataset.row
    const todo = todos.find((each) => each.id === id)
    if (todo?.completed !== 0) return
    event.preventDefault()
    toast('Tasks can be moved in manual order.', {
      id: 'manual-order',
      description: todo.title,
      action: {
        label: 'Switch to Manual',
        onClick() {
          taken.current = todo.id
          onSort('manual')
        },
      },
    })
  })

  useEffect(() => {
    const element = board.current
    if (!element) return
    const events = new AbortController()
    element.addEventListener('keydown', (event) => press(event), { signal: events.signal })
    return () => {
      events.abort()
      // The rows are in the manual order now, and this one has a new place.
      if (taken.current !== undefined) returnFocusToRow(taken.current)
    }
  }, [board])
  return null
}
