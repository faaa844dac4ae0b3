import type { CompiledQuery, Expression, Kysely, SqlBool } from 'kysely'
import type { Tables } from './tables.ts'
import type { WriteGuard } from './write-guard.ts'

/** Builds a query that finds rows by a key and selects the key as `key`. `isKey` returns the condition on the key's column. */
export type LookUp = (db: Kysely<Tables>, isKey: (column: string) => Expression<SqlBool>) => CompiledQuery
export type FoundRow = Record<string, unknown>

/**
 * Batches look-ups: all keys requested in one turn of the event loop are read together at its end. Each request thus sees what
 * was committed when it arrived, and a busy server queries its database once for many requests.
 */
export function lookUpTogether<Found>(
  guard: WriteGuard,
  readAll: (keys: readonly string[]) => Promise<Map<unknown, Found | undefined>>,
): (key: string) => Promise<Found | undefined> {
  let batch: { keys: Set<string>; found: ReturnType<typeof readAll> } | undefined
  return async (key) => {
    guard.refuseInside()
    batch ??= { keys: new Set(), found: atEndOfTurn() }
    batch.keys.add(key)
    const { found } = batch
    return (await found).get(key)
  }

  async function atEndOfTurn(): ReturnType<typeof readAll> {
    await new Promise((resolve) => setImmediate(resolve))
    const keys = [...(batch?.keys ?? [])]
    batch = undefined
    return readAll(keys)
  }
}
