import type { MouseEvent } from 'react'

/** Whether a finger pressed: what is smaller than a finger is then chosen first, and acted on in a larger place. */
export function byTouch(event: MouseEvent): boolean {
  const native: Event = event.nativeEvent
  return 'pointerType' in native && native.pointerType === 'touch'
}
