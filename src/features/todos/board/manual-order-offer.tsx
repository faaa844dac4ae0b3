import { useEffect, useEffectEvent, useRef } from 'react'
import type { TodoSort } from '#features/lists/list/list-row.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { returnFocusToRow } from '#platform/browser/rows/row-focus.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import { moveTask } from '../todo/web/todo-shortcuts.ts'

/** Under a sort in which the keys move no row, offers the manual order to whoever presses them. Renders nothing. */
export function ManualOrderOffer({ onSort }: { onSort(sort: TodoSort): void }) {
  /** The id of the row on which the offer was taken. */
  const taken = useRef<string>(undefined)
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    if (!isPressed(moveTask, event) || event.repeat || event.defaultPrevented) return
    if (!(target instanceof Element) || target.matches('input[type=text]')) return
    const row = target.closest<HTMLElement>('main [data-row]')
    const title = row?.querySelector('[type=checkbox]:not(:checked)')?.ariaLabel
    if (!row || !title) return
    event.preventDefault()
    toast('Tasks can be moved in manual order.', {
      id: 'manual-order',
      description: title,
      action: {
        label: 'Switch to Manual',
        onClick() {
          taken.current = row.dataset.row
          onSort('manual')
        },
      },
    })
  })

  useEffect(() => {
    const events = new AbortController()
    document.addEventListener('keydown', (event) => press(event), { signal: events.signal })
    return () => {
      events.abort()
      const { current } = taken
      // The row has a new place in the manual order, where it may have to be built first.
      if (current !== undefined) requestAnimationFrame(() => returnFocusToRow(current))
    }
  }, [])
  return null
}
