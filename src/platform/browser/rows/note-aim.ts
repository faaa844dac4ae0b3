import type { RefObject } from 'react'

/** What the person does with their hands, by a clock that only goes forward. */
export interface Aim {
  /** A touch or a button is down on the list. */
  isDown: boolean
  /** When the pointer last moved over the list, or was pressed there. */
  pointed: number
  /** When a key was last pressed, anywhere. */
  typed: number
}

/** Notes in `aim` what the person does with their hands, and renders nothing by it. Returns what ends that. */
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
    // The button came up elsewhere, such as outside of the window.
    if (event.pointerType === 'mouse' && event.buttons === 0) lift()
    point(event)
  })
  on(['pointerup', 'dragend', 'drop', 'blur'], lift)
  // A finger that begins to scroll is still down, and so is the button of a mouse that begins to drag.
  on(['pointercancel'], ({ pointerType }) => pointerType === 'pen' && lift())
  on(['touchend', 'touchcancel'], ({ touches }) => touches.length === 0 && lift())
  on(['keydown'], () => {
    aim.typed = performance.now()
  })
  return () => events.abort()
}
