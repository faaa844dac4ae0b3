import { useEffect } from 'react'
import { guardTyping } from '#platform/browser/keyboard/typing.ts'

/** Keeps the focus where the person types. Draws nothing. */
export function TypingGuard(): null {
  useEffect(guardTyping, [])
  return null
}
