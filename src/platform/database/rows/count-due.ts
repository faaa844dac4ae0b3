import { sql } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '../database.ts'
import type { DueRows } from './due-users.ts'

/** How many rows are due by now. Stops counting at `most`: a larger backlog is better judged by another metric. */
export async function countDue(
  { read }: Database,
  { table, due }: Pick<DueRows, 'table' | 'due'>,
  now: Instant,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting
    from (select 1 from ${sql.table(table)} where ${sql.ref(due)} <= ${now} limit ${most}) as due`.execute(
    read,
  )
  return Number(rows[0]?.waiting ?? 0)
}
