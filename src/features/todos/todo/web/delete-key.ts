import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { deleteTask } from './todo-shortcuts.ts'

/**
 * Whether a key pressed on a row deletes. With a modifier it belongs to the browser or the system. A title has the focus only
 * after a click, and then Backspace is more likely meant for its text.
 */
export function isDeletion(event: KeyboardEvent): boolean {
  if (!isPressed(deleteTask, event) || event.ctrlKey || event.metaKey || event.shiftKey) return false
  return (
    event.key !== 'Backspace' || !(event.target instanceof Element && event.target.matches('[data-title]'))
  )
}
