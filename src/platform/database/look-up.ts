import type { CompiledQuery, Expression, Kysely, SqlBool } from 'kysely'
import type { Tables } from './tables.ts'
import type { WriteGuard } from './write-guard.ts'

/** A query for rows by their key, which it selects as `key`; `isKey` is the condition on that column. */
export type LookUp = (db: Kysely<Tables>, isKey: (column: string) => Expression<SqlBool>) => CompiledQuery
export type FoundRow = Record<string, unknown>

/**
 * Looks for several keys at once: all that are asked for in one turn of the event loop, at its end. So each request is
 * answered by what was committed when it had arrived, and a busy server asks its database once for many.
 */
export function lookUpTogether<Found>(
  guard: WriteGuard,
  readAll: (keys: readonly string[]) => Promise<Map<unknown, Found | undefined>>,
): (key: string) => Promise<Found | undefined> {
  let asked: { keys: Set<string>; found: ReturnType<typeof readAll> } | undefined
  return async (key) => {
    guard.refuseInside()
    asked ??= { keys: new Set(), found: atEndOfTurn() }
    asked.keys.add(key)
    const { found } = asked
    return (await found).get(key)
  }

  async function atEndOfTurn(): ReturnType<typeof readAll> {
    await new Promise((resolve) => setImmediate(resolve))
    const keys = [...(asked?.keys ?? [])]
    asked = undefined
    return readAll(keys)
  }
}
