import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { isPressed, isTaken, useSingleKeys } from '#platform/browser/keyboard/shortcuts.ts'
import { isMisled } from '#platform/browser/keyboard/typing-state.ts'
import { goScreens } from './go-screens.ts'
import { goToToday } from './go-shortcuts.ts'

/** Milliseconds after the first key within which the second key must follow. */
const together = 1_500

/** Opens a screen when G and its letter are pressed. Draws nothing. */
export function GoKeys() {
  const singleKeys = useSingleKeys()
  const navigate = useNavigate()
  const go = useEffectEvent((to: (typeof goScreens)[number]['to']) => void navigate({ to }))
  useEffect(() => {
    if (!singleKeys.on) return
    let began = Number.NEGATIVE_INFINITY
    const press = (event: KeyboardEvent) => {
      const isSecond = event.timeStamp - began < together
      began = Number.NEGATIVE_INFINITY
      if (isTaken(event) || isMisled(event)) return
      const screen = isSecond && goScreens.find(({ shortcut }) => isPressed(shortcut, event))
      if (screen) {
        // Stop the event: the same letter alone may act on the focused row.
        event.stopPropagation()
        event.preventDefault()
        go(screen.to)
      } else if (isPressed(first, event)) began = event.timeStamp
    }
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [singleKeys.on])
  return null
}

const first = { label: 'Go', keys: [goToToday.after] }
