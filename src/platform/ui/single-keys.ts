import { useEffect, useEffectEvent } from 'react'
import { storedChoice, useStoredChoice } from './stored-choice.ts'

/** Whether single keys such as N are shortcuts: someone who speaks to the browser types them by accident (WCAG 2.1.4). */
export const singleKeysChoice = storedChoice('daymark-single-keys', ['on', 'off'])

/** Lets a single key do something while the screen stands; the answer says whether single keys are on. */
export function useSingleKey(key: string, onPress: () => void): boolean {
  const on = useStoredChoice(singleKeysChoice) === 'on'
  const pressed = useEffectEvent(onPress)
  useEffect(() => {
    if (!on) return
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== key || !isShortcut(event)) return
      event.preventDefault()
      pressed()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [on, key])
  return on
}

/** A single key is one only where nothing else takes it: no text field, menu or dialog, no other key with it. */
function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return false
  if (!(event.target instanceof Element)) return true
  // Space presses what has the focus.
  if (event.key === ' ' && event.target.closest(takesSpace)) return false
  return event.target.closest(takesKeys) === null
}

const takesKeys =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu], [role=dialog], [role=alertdialog]'

const takesSpace = 'input, button, a, summary, [role=button], [role=checkbox]'
