import { deviceClock } from './device-clock.ts'

// Milliseconds. A timer sleeps with the machine and ignores clock adjustments, so no timer runs for longer than this.
const maxDelay = 60_000

/**
 * Calls `check` whenever the wall clock may have moved on: at `until()` (epoch milliseconds), at least once a minute, and at
 * once when the person returns to the page. Each time the device's clock also notices whether it was set. Returns an
 * unsubscribe function.
 */
export function watchWallClock(check: () => void, until: () => number): () => void {
  let timer: ReturnType<typeof setTimeout>
  const checkAndWait = () => {
    clearTimeout(timer)
    check()
    wait()
  }
  const wait = () => {
    const remaining = Math.max(1, until() - deviceClock.now())
    timer = setTimeout(checkAndWait, Math.min(remaining, maxDelay))
  }
  document.addEventListener('visibilitychange', checkAndWait)
  window.addEventListener('focus', checkAndWait)
  window.addEventListener('pageshow', checkAndWait)
  wait()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', checkAndWait)
    window.removeEventListener('focus', checkAndWait)
    window.removeEventListener('pageshow', checkAndWait)
  }
}
