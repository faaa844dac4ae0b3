// A timer sleeps with the machine and knows nothing of a clock that is set: so it is never trusted for longer.
const longestTrust = 60_000

/**
 * Calls `look` whenever the wall clock may have come to another reading: `until()` milliseconds of epoch, at the latest
 * a minute later, and at once when the person comes back to the page. Answers the way to stop.
 */
export function watchWallClock(look: () => void, until: () => number): () => void {
  let timer: ReturnType<typeof setTimeout>
  const lookAndWait = () => {
    clearTimeout(timer)
    look()
    wait()
  }
  const wait = () => {
    const rest = Math.max(1, until() - Date.now())
    timer = setTimeout(lookAndWait, Math.min(rest, longestTrust))
  }
  document.addEventListener('visibilitychange', lookAndWait)
  window.addEventListener('focus', lookAndWait)
  window.addEventListener('pageshow', lookAndWait)
  wait()
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', lookAndWait)
    window.removeEventListener('focus', lookAndWait)
    window.removeEventListener('pageshow', lookAndWait)
  }
}
