import type { Collection } from '#platform/sync/collections/collection.ts'
import type { AnyWrite } from '#platform/sync/collections/write.ts'
import type { Fields } from '#platform/wire/synced-row.ts'

const exported = Object.values(
  import.meta.glob<Record<string, AnyWrite>>('../../features/**/*-{queries,writes}.ts', { eager: true }),
).flatMap((module) => Object.values(module))

/** Every write that a device may queue. */
export const everyWrite: readonly AnyWrite[] = exported.filter(({ collection }) => collection !== undefined)

/** Every collection that a device can change, except for the timer, which is not a row. */
export const changedCollections: readonly Collection<unknown>[] = [
  ...new Map(everyWrite.map(({ collection }) => [collection.name, collection])).values(),
].filter(({ path }) => !path.startsWith('/api/focus/timer'))

/** The fields of each kind of row, as its feature declares them. */
export const declaredFields = Object.values(
  import.meta.glob<Record<string, Fields>>('../../features/**/*-row.ts', { eager: true }),
)
  .flatMap((module) => Object.values(module))
  .filter((each) => typeof each === 'object' && 'id' in each)
