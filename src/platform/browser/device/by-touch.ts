import type { MouseEvent } from 'react'

/** Whether a finger pressed. A target smaller than a finger is then only selected, and a larger target offers the action. */
export function isTouch(event: MouseEvent): boolean {
  const native: Event = event.nativeEvent
  return 'pointerType' in native && native.pointerType === 'touch'
}
