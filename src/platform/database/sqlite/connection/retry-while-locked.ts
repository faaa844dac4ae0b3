import { setTimeout } from 'node:timers/promises'
import { storageProblemOf } from '#platform/database/storage/storage-problem.ts'

// SQLite waits for a lock by sleeping, which blocks this whole process, reads included. So its own wait is turned off, and writes
// are retried from here.

/** Milliseconds for which another program may hold the file before a write gives up. */
const usualPatience = 5_000
const pause = 20

/** Retries until nobody else holds the file. Use it only for work that has changed nothing when it fails. */
export async function retryWhileLocked<T>(work: () => T | Promise<T>, patience = usualPatience): Promise<T> {
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
