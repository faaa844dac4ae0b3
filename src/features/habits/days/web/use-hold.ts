import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import { isTouch } from '#platform/browser/device/by-touch.ts'

/** How long a press rests to be a long one, in milliseconds. */
const holdFor = 500

interface Presses {
  onPress(): void
  /** Pressed long. */
  onHold(button: HTMLElement): void
  /** The right button of a mouse, or the menu key of a keyboard. */
  onMenu(button: HTMLElement): void
}

/** For buttons that do one thing when they are pressed, and another when they are pressed long. One is pressed at a time. */
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
      // A finger that rests brings up a menu as well.
      if (!isTouch(event)) onMenu(event.currentTarget)
    },
    onClick() {
      const wasLong = held.current?.isOver
      forget()
      if (!wasLong) onPress()
    },
  })
}
