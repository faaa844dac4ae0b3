import type { MouseEvent } from 'react'

/**
 * Whether the press came from a finger. A finger cannot hit a small target exactly: the press only selects it, and a larger
 * target then offers the action.
 */
export function isTouch(event: MouseEvent): boolean {
  const native: Event = event.nativeEvent
  return 'pointerType' in native && native.pointerType === 'touch'
}
