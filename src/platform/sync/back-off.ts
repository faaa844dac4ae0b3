const first = 1_000
const longest = 60_000
/** With what a request takes, somebody who is looking waits for no more than five seconds. */
const longestWhileSeen = 4_000

/**
 * Milliseconds to wait after so many failures in a row; `seen`: while somebody looks at the tab. Half of it is chance, so
 * that the devices of everybody do not come back in step after an outage.
 */
export function backOff(failures: number, seen: boolean): number {
  return Math.min(seen ? longestWhileSeen : longest, first * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)
}
