import { setImmediate } from 'node:timers/promises'

/** Milliseconds: what a request may take of the event loop in one go is several times this. */
const longest = 10

/**
 * For a write of many statements, of which SQLite lets none wait: to be awaited between them. Other requests are answered
 * whenever enough time has passed.
 */
export function lettingOthersIn(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longest) return
    await setImmediate()
    since = performance.now()
  }
}
