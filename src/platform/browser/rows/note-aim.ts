import type { RefObject } from 'react'

/** What the person is doing with pointer and keys. Times are on the `performance` clock. */
export interface Aim {
  /** Whether a finger or a button is down on the list. */
  isDown: boolean
  /** When the pointer last moved over the list, or was pressed there. */
  pointed: number
  /** When a key was last pressed, anywhere. */
  typed: number
}

/** Records in `aim` what the person is doing, without rendering anything. Returns a function that ends the recording. */
export function noteAim(container: RefObject<HTMLElement | null>, aim: Aim): () => void {
  const events = new AbortController()
  const on = <Type extends keyof WindowEventMap>(
    types: readonly Type[],
    note: (event: WindowEventMap[Type]) => void,
  ) => {
    const options = { capture: true, passive: true, signal: events.signal }
    for (const type of types) window.addEventListener(type, note, options)
  }
  const point = ({ target }: Event, isDown = aim.isDown) => {
    if (!(target instanceof Node) || !container.current?.contains(target)) return
    aim.isDown = isDown
    aim.pointed = performance.now()
  }
  const lift = () => {
    aim.isDown = false
  }
  on(['pointerdown', 'touchstart'], (event) => point(event, true))
  on(['pointermove'], (event) => {
    // The button was released elsewhere, such as outside the window.
    if (event.pointerType === 'mouse' && event.buttons === 0) lift()
    point(event)
  })
  on(['pointerup', 'dragend', 'drop', 'blur'], lift)
  // After a pointercancel a finger that begins to scroll is still down, and so is the button of a mouse that begins to drag.
  on(['pointercancel'], ({ pointerType }) => pointerType === 'pen' && lift())
  on(['touchend', 'touchcancel'], ({ touches }) => touches.length === 0 && lift())
  on(['keydown'], () => {
    aim.typed = performance.now()
  })
  return () => events.abort()
}
