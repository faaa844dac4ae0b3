const baseDelay = 1_000
const maxDelay = 60_000
/** Milliseconds. With the time that a request takes, a person who looks at the tab waits at most five seconds. */
const maxDelayWhileVisible = 4_000

/**
 * Milliseconds to wait after this many failures in a row. `visible`: whether the person is looking at the tab. Half of the delay
 * is random, so that devices do not all come back at the same moment after an outage.
 */
export function backOff(failures: number, visible: boolean): number {
  return (
    Math.min(visible ? maxDelayWhileVisible : maxDelay, baseDelay * 2 ** (failures - 1)) *
    (0.5 + Math.random() / 2)
  )
}
