import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { stretchesByKey } from '../pacing/keyset-pagination.ts'
import type { MergedTable } from '../row-kind.ts'
import { neverRestored } from '../rows/deletion.ts'
import type { Tables } from '../tables.ts'

/** Milliseconds by which the clocks of processes that write to one database may differ. */
export const clockTolerance = 5_000

/** Whether one of the row's instants that decide whose change wins lies in the future. */
export function isFuture({ instants }: MergedTable, now: Instant): RawBuilder<SqlBool> {
  const each = instants.map(
    (column) =>
      sql<SqlBool>`(${sql.ref(column)} > ${now + clockTolerance} and ${sql.ref(column)} < ${neverRestored})`,
  )
  return sql<SqlBool>`(${sql.join(each, sql` or `)})`
}

export function isFutureInstant(instant: Instant, now: Instant): boolean {
  return instant > now + clockTolerance && instant < neverRestored
}

/** Rows per part that `stretchesOf` yields: few enough that no other request waits for long while they are read or rewritten. */
const stretchLength = 500

/**
 * Splits a table's rows, of one user or of all, into parts of a few hundred rows. Yields an SQL condition for each part; each row
 * matches exactly one condition. Instants have no index, so all rows have to be read.
 */
export async function* stretchesOf(
  db: Kysely<Tables>,
  { table, key }: MergedTable,
  user?: string,
): AsyncGenerator<RawBuilder<SqlBool>> {
  const columns = user === undefined ? ['user_id', ...key] : key
  const chosen = user === undefined ? sql<SqlBool>`true` : sql<SqlBool>`user_id = ${user}`
  if (columns.length === 0) {
    yield chosen
    return
  }
  const place = sql.join(columns.map((column) => sql.ref(column)))
  const valuesOf = (key: Key) => sql.join(columns.map((column) => key[column]))
  const restAfter = (key: Key | undefined) =>
    key ? sql<SqlBool>`${chosen} and (${place}) > (${valuesOf(key)})` : chosen
  const endAfter = async (key?: Key) => {
    const { rows } = await sql<Key>`
      select ${place} from ${sql.table(table)} where ${restAfter(key)}
      order by ${place} limit 1 offset ${stretchLength - 1}`.execute(db)
    return rows[0]
  }
  for await (const { after, end } of stretchesByKey(endAfter)) {
    const rest = restAfter(after)
    yield end ? sql<SqlBool>`${rest} and (${place}) <= (${valuesOf(end)})` : rest
  }
}

type Key = Record<string, string | number>
