import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import type { Todo } from '../todo/todo.ts'
import { menuOfTask } from '../todo/web/todo-shortcuts.ts'
import type { RowMenuRequest } from './row-actions.ts'

interface RowContextMenuProps {
  board: RefObject<HTMLElement | null>
  todos: readonly Todo[]
  openMenu(request: RowMenuRequest): void
}

/**
 * Opens the menu of a row at the pointer on a right click, and at the row by key. The browser's own menu stays for links, text
 * fields and selected text, and for a right click with Shift. Renders nothing.
 */
export function RowContextMenu({ board, todos, openMenu }: RowContextMenuProps) {
  const open = useEffectEvent((event: Event, at: RowMenuRequest['at']) => {
    const { target } = event
    if (event.defaultPrevented || !(target instanceof Element) || target.closest('a, input[type=text]'))
      return
    const row = target.closest<HTMLElement>('[data-row]')
    const box = row?.querySelector<HTMLElement>('[type=checkbox]')
    const todo = todos.find(({ id }) => id === row?.dataset.row)
    if (!row || !box || !todo) return
    event.preventDefault()
    const pencil = row.querySelector<HTMLElement>('[data-edit]')
    openMenu({
      todo,
      button: box,
      byKey: !at,
      onRow: true,
      ...(at && { at }),
      ...(pencil && { edit: () => pencil.click() }),
    })
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
    // Some browsers go on to the event of the menu key, which would close the menu that the key has just opened.
    let openedByKey = false
    const press = (event: KeyboardEvent) => {
      if (event.repeat) return
      if (isPressed(menuOfTask, event)) open(event, undefined)
      openedByKey = event.defaultPrevented
    }
    const release = () => {
      openedByKey = false
    }
    const click = (event: MouseEvent) => {
      // A long press selects the row.
      if (event instanceof PointerEvent && event.pointerType === 'touch') return
      // The menu key causes this event, too. On a Mac, a click with Control is a right click.
      if (event.button !== 2 && !event.ctrlKey)
        return openedByKey ? event.preventDefault() : open(event, undefined)
      if (event.shiftKey || hadSelectedText) return
      open(event, { x: event.clientX, y: event.clientY })
    }
    element.addEventListener('pointerdown', look, { signal, capture: true })
    element.addEventListener('keydown', press, { signal })
    element.addEventListener('contextmenu', click, { signal })
    // The menu may have the focus by then.
    window.addEventListener('keyup', release, { signal, capture: true })
    return () => events.abort()
  }, [board])
  return null
}
