import type { Logger } from 'pino'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { countFutureRows } from '#platform/database/instants/count-future-rows.ts'
import type { Pace } from '#platform/database/rows/delete-rows.ts'
import { tablesToMend } from './row-kinds.ts'

/** Logs one line if rows were changed while a clock was ahead. */
export async function warnOfFutureRows(
  { read }: Database,
  log: Logger,
  now: Instant,
  pace: Pace = {},
): Promise<void> {
  const { rows, users } = await countFutureRows(read, tablesToMend, now, pace)
  if (rows === 0) return
  log.warn(
    { rows, accounts: users.size },
    'Rows are dated in the future by a clock that was ahead; once it is right, run changes set-to-now',
  )
}
