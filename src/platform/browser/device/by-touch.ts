import type { MouseEvent } from 'react'

/** Whether a finger pressed. A target smaller than a finger is then only selected, and the action gets a larger target. */
export function isTouch(event: MouseEvent): boolean {
  const native: Event = event.nativeEvent
  return 'pointerType' in native && native.pointerType === 'touch'
}
