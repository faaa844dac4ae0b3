import type { Instant } from '#platform/calendar/day.ts'

/** The smallest correction that matters, in milliseconds. If the clock is set back by less, no reminder is missed. */
const worthNoticing = 60_000

/**
 * Detects that the clock was set back, by comparing it with a steady clock that nobody can set. The returned function returns by
 * how many milliseconds the clock was set back since its last call; 0 if it was not.
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
