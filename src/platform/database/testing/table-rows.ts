import { type Kysely, sql } from 'kysely'
import { inBatches } from '../pacing/batches.ts'
import type { Tables } from '../tables.ts'

export type Values = Record<string, string | number | null>

/** Inserts rows without the stores' checks, such as rows that an older version could have stored. */
export async function insertRows(
  db: Kysely<Tables>,
  table: keyof Tables,
  rows: readonly Values[],
): Promise<void> {
  for (const batch of inBatches(rows)) {
    const columns = Object.keys(batch[0] ?? {})
    const values = batch.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
    await sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(values)}`.execute(db)
  }
}

/** Returns a function that completes a test's row: required columns that the test does not set become 0 or an empty text. */
export async function fillerOf(db: Kysely<Tables>, table: keyof Tables): Promise<(values: Values) => Values> {
  const tables = await db.introspection.getTables()
  const columns = tables.find(({ name }) => name === table)?.columns ?? []
  const required = columns.filter(({ isNullable, hasDefaultValue }) => !isNullable && !hasDefaultValue)
  const filler = Object.fromEntries(
    required.map(({ name, dataType }) => [name, /text/i.test(dataType) ? '' : 0]),
  )
  return (values) => ({ ...filler, ...values })
}
