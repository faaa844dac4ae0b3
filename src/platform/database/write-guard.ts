import { AsyncLocalStorage } from 'node:async_hooks'

export interface WriteGuard {
  /** Runs the work of a write, so that `refuseInside` knows what is called from within it. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Throws inside of a write that is not finished. */
  refuseInside(): void
}

/**
 * Inside a write only its own transaction may speak to the database. Anything else would wait for the write that waits
 * for it: on SQLite for its turn, on PostgreSQL for a locked row or the last free connection. It fails at once instead.
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
