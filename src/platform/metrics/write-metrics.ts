import type { Database } from '#platform/database/database.ts'
import { Histogram } from './histogram.ts'
import { type Registry, single } from './registry.ts'

/** Wraps the database so that its writes are counted once they are durable. */
export function countWrites(registry: Registry, database: Database): Database {
  let writes = 0
  const durations = new Histogram()
  registry.add(
    single(
      'daymark_writes_total',
      'Transactions that were committed and acknowledged; those of sign-in left out.',
      'counter',
      () => writes,
    ),
  )
  registry.add({
    name: 'daymark_write_seconds',
    help: 'Seconds that such a transaction took, waiting for its turn included.',
    type: 'histogram',
    read: () => durations.samples(),
  })
  async function counted<T>(write: () => Promise<T>): Promise<T> {
    const start = performance.now()
    const result = await write()
    writes += 1
    durations.observe((performance.now() - start) / 1000)
    return result
  }
  return {
    ...database,
    write: (work) => counted(() => database.write(work)),
    writeFor: (user, collections, work) => counted(() => database.writeFor(user, collections, work)),
    erase: (work) => counted(() => database.erase(work)),
  }
}
