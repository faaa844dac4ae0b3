import type { Database } from '#platform/database/database.ts'
import { Histogram } from './histogram.ts'
import { type Registry, single } from './registry.ts'

/** The same database, whose writes are counted once they are durable. */
export function countWrites(registry: Registry, database: Database): Database {
  let written = 0
  const took = new Histogram()
  registry.add(
    single(
      'daymark_writes_total',
      'Transactions that were committed and acknowledged; those of sign-in left out.',
      'counter',
      () => written,
    ),
  )
  registry.add({
    name: 'daymark_write_seconds',
    help: 'Seconds that such a transaction took, waiting for its turn included.',
    type: 'histogram',
    read: () => took.samples(),
  })
  async function counted<T>(writing: () => Promise<T>): Promise<T> {
    const start = performance.now()
    const done = await writing()
    written += 1
    took.observe((performance.now() - start) / 1000)
    return done
  }
  return {
    ...database,
    write: (work) => counted(() => database.write(work)),
    writeFor: (user, lists, work) => counted(() => database.writeFor(user, lists, work)),
    erase: (work) => counted(() => database.erase(work)),
  }
}
