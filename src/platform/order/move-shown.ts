import { moveAfter, moveBefore } from './move.ts'
import type { Placed } from './position.ts'

interface Move {
  id: string
  /** Its place among the rows that are shown, from 0. */
  to: number
}

/**
 * What to write so that a row stands at a place among those that are `shown`, which may be a part of `all`. It goes right
 * after the neighbour that is seen above it, or right before the one that was seen first.
 */
export function moveShown(all: readonly Placed[], shown: readonly string[], { id, to }: Move): Placed[] {
  if (shown.indexOf(id) === to) return []
  const others = shown.filter((other) => other !== id)
  const above = others[to - 1]
  return above === undefined ? moveBefore(all, id, others[0]) : moveAfter(all, id, above)
}
