import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { Todo } from '../todo/todo.ts'
import { onRow, type RowMenuRequest } from './row-actions.ts'

interface RowContextMenuProps {
  board: RefObject<HTMLElement | null>
  todos: readonly Todo[]
  openMenu(request: RowMenuRequest): void
}

/**
 * Opens the menu of a row at the pointer on a right click, and at the row for the menu key. The browser's own menu stays for
 * links, text fields and selected text, and for a right click with Shift. Renders nothing.
 */
export function RowContextMenu({ board, todos, openMenu }: RowContextMenuProps) {
  const open = useEffectEvent((event: MouseEvent, hadSelectedText: boolean) => {
    const { target } = event
    // A long press selects the row.
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
    // On a Mac, a click with Control is a right click.
    const byKey = event.button !== 2 && !event.ctrlKey
    if (event.defaultPrevented || event.shiftKey || isTouch || (hadSelectedText && !byKey)) return
    if (!(target instanceof Element) || target.closest('a, input[type=text]')) return
    const row = target.closest<HTMLElement>('[data-row]')
    const box = row?.querySelector<HTMLElement>('[type=checkbox]')
    const todo = todos.find(({ id }) => id === row?.dataset.row)
    if (!row || !box || !todo) return
    event.preventDefault()
    const at = { x: event.clientX, y: event.clientY }
    openMenu({ todo, button: box, byKey, ...onRow(row), ...(!byKey && { at }) })
  })

  useEffect(() => {
    const element = board.current
    if (!element) return
    const events = new AbortController()
    const { signal } = events
    let hadSelectedText = false
    // Look before the press: on a Mac, a right click selects the word under the pointer.
    const look = ({ target }: Event) => {
      const selection = getSelection()
      hadSelectedText =
        selection?.isCollapsed === false && target instanceof Node && selection.containsNode(target, true)
    }
    element.addEventListener('pointerdown', look, { signal, capture: true })
    element.addEventListener('contextmenu', (event) => open(event, hadSelectedText), { signal })
    return () => events.abort()
  }, [board])
  return null
}
