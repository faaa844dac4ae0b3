import { setTimeout } from 'node:timers/promises'
import { storageProblemOf } from './storage-problem.ts'

// SQLite itself waits for a lock by sleeping, and all of this process with it, reads included. So it is told not to, and
// what writes is tried again from here.

/** Milliseconds for which another program may hold the file before a write gives up. */
const usualPatience = 5_000
const pause = 20

/** Tries until nobody else holds the file. For what has changed nothing where it fails. */
export async function onceUnlocked<T>(work: () => T | Promise<T>, patience = usualPatience): Promise<T> {
  const until = performance.now() + patience
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (storageProblemOf(error) !== 'locked' || performance.now() >= until) throw error
    }
    await setTimeout(pause)
  }
}
