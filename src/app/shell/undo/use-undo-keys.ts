import { useEffect } from 'react'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { redo, undo } from '../shortcuts/undo-shortcuts.ts'

/** Asks by key to undo or redo the last change. What handles it comes after the screen: a key that is pressed before waits for it. */
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

/** A field has an undo of its own, for what was typed in it. */
function isInText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(textField) !== null
}

const textField = 'input:not([type=checkbox], [type=radio]), textarea, [contenteditable]'
