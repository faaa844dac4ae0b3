import { setImmediate } from 'node:timers/promises'
import { leavingThread } from './work.ts'

/**
 * Milliseconds of work after which other requests are served. A request may still occupy the event loop for several times as long
 * in one go.
 */
const longest = 10

/**
 * For a write of many statements, which SQLite would run without a pause. Await the returned function between statements: other
 * requests are served whenever enough time has passed.
 */
export function createYieldPoint(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longest) return
    const back = leavingThread()
    await setImmediate()
    back()
    since = performance.now()
  }
}
