import { watchWallClock } from '#platform/browser/clock/wall-clock.ts'
import { endOf, type FocusTimer } from '../timer/timer.ts'
import { timerNow } from '../timer/web/focus-clock.ts'

/** Calls `look` whenever the countdown may show another second, even in a hidden tab. Returns a function that stops the calls. */
export function watchSeconds(timer: FocusTimer, look: () => void): () => void {
  const end = endOf(timer)
  if (end === undefined) return () => {}
  const stopWatching = watchWallClock(look, () => Date.now() + untilNextSecond(end))
  const stopTicking = tickOutOfSight(look)
  return () => {
    stopWatching()
    stopTicking()
  }
}

function untilNextSecond(end: number): number {
  return Math.max(0, end - timerNow()) % 1_000 || 1_000
}

/** Browsers throttle the timers of a hidden tab to one tick per minute, but not the timers of a web worker. */
function tickOutOfSight(tick: () => void): () => void {
  let worker: Worker | undefined
  const stop = () => {
    worker?.terminate()
    worker = undefined
  }
  const follow = () => {
    if (document.visibilityState === 'visible') return stop()
    worker ??= new Worker(new URL('./seconds-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = tick
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stop()
  }
}
