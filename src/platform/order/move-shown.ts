import { moveAfter, moveBefore } from './move.ts'
import type { Placed } from './position.ts'

interface Move {
  id: string
  /** The target place among the shown rows, from 0. */
  to: number
}

/**
 * The positions to write so that a row moves to a place among the `shown` rows, which may be a part of `all`. The row goes
 * right after the shown neighbour above, or right before the row that was shown first.
 */
export function moveShown(all: readonly Placed[], shown: readonly string[], { id, to }: Move): Placed[] {
  if (shown.indexOf(id) === to) return []
  const others = shown.filter((other) => other !== id)
  const above = others[to - 1]
  return above === undefined ? moveBefore(all, id, others[0]) : moveAfter(all, id, above)
}
