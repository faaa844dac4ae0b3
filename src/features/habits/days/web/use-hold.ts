import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import { isTouch } from '#platform/browser/device/by-touch.ts'

/** How long a press must last to count as a long press, in milliseconds. */
const holdFor = 500

interface Presses {
  onPress(): void
  /** Called after a long press. */
  onHold(button: HTMLElement): void
  /** Called for the right mouse button or the menu key. */
  onMenu(button: HTMLElement): void
}

/** For buttons that do one thing when pressed and another when pressed long. Only one button is pressed at a time. */
export function useHold() {
  const held = useRef<{ timer: number; isOver: boolean }>(undefined)
  const letGo = () => clearTimeout(held.current?.timer)
  const forget = () => {
    letGo()
    held.current = undefined
  }
  useEffect(() => () => clearTimeout(held.current?.timer), [])
  return ({ onPress, onHold, onMenu }: Presses) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      forget()
      if (event.button !== 0) return
      const button = event.currentTarget
      const press = { timer: 0, isOver: false }
      press.timer = window.setTimeout(() => {
        press.isOver = true
        navigator.vibrate?.(10)
        onHold(button)
      }, holdFor)
      held.current = press
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
    onPointerLeave: letGo,
    onContextMenu(event: MouseEvent<HTMLElement>) {
      event.preventDefault()
      // A long touch opens a context menu, too, but already counts as a long press.
      if (!isTouch(event)) onMenu(event.currentTarget)
    },
    onClick() {
      const wasLong = held.current?.isOver
      forget()
      if (!wasLong) onPress()
    },
  })
}
