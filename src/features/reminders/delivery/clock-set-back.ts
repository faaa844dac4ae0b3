import type { Instant } from '#platform/calendar/day.ts'

/** Milliseconds. Less changes nothing that a reminder would miss. */
const worthNoticing = 60_000

/**
 * Notices that the clock was set back, by a steady one, which nobody can set. The returned function says by how many
 * milliseconds that was since it was last called: 0 if it was not.
 */
export function watchForSetBack(
  clock: () => Instant,
  steady: () => number = () => performance.now(),
): () => number {
  let apart = clock() - steady()
  return () => {
    const before = apart
    apart = clock() - steady()
    return before - apart > worthNoticing ? before - apart : 0
  }
}
