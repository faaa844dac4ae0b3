const first = 1_000
const longest = 60_000

/**
 * Milliseconds to wait after so many failures in a row. Half of it is chance, so that the devices of everybody do not come
 * back in step after an outage.
 */
export function backOff(failures: number): number {
  return Math.min(longest, first * 2 ** (failures - 1)) * (0.5 + Math.random() / 2)
}
