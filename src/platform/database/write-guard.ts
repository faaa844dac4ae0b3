import { AsyncLocalStorage } from 'node:async_hooks'

export interface WriteGuard {
  /** Runs the work of a write, so that `refuseInside` recognizes calls made from within it. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Throws if called inside a write that has not finished. */
  refuseInside(): void
}

/**
 * Inside a write, only its own transaction may use the database. Any other use would deadlock with the write: on SQLite in the
 * queue of writes, on PostgreSQL over a locked row or the last free connection. The guard makes every other use fail at once
 * instead.
 */
export function createWriteGuard(): WriteGuard {
  const running = new AsyncLocalStorage<{ finished: boolean }>()
  return {
    async during(work) {
      const write = { finished: false }
      try {
        return await running.run(write, work)
      } finally {
        write.finished = true
      }
    },
    refuseInside() {
      if (running.getStore()?.finished !== false) return
      throw new Error(
        'The database was used inside a write by another way than its transaction; hand the transaction on instead',
      )
    },
  }
}
