import { useEffect } from 'react'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { redo, undo } from '../shortcuts/undo-shortcuts.ts'

/**
 * Requests undo or redo of the last change by key. The handler loads after the screen, and a key pressed before that waits
 * for it.
 */
export function useUndoKeys(): void {
  const { changes } = useSync()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const direction = isPressed(undo, event) ? 'undo' : isPressed(redo, event) ? 'redo' : undefined
      if (!direction || event.defaultPrevented || isInText(event.target)) return
      event.preventDefault()
      if (!event.repeat) changes.request({ direction })
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [changes])
}

/** Text fields have their own undo for typed text. */
function isInText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(textField) !== null
}

const textField = 'input:not([type=checkbox], [type=radio]), textarea, [contenteditable]'
