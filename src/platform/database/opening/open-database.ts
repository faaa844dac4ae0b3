import type { Database } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { RowCounts, type RowLimits } from '../row-limits.ts'
import type { MigrationStep } from '../schema/migration-step.ts'
import type { ReportProgress } from '../schema/update-progress.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { DatabaseError } from '../storage/database-error.ts'

/**
 * Opens `sqlite:<path>` or `postgres://…` and migrates its tables to this program's version. Throws a DatabaseError with a
 * one-line message for the person who starts the program.
 */
export async function openDatabase(
  url: string,
  steps: readonly MigrationStep[] = migrations,
  { limits = {}, directUrl, poolSize = 10, responseTimeout, report = () => {}, goBack }: Opening = {},
): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const addresses = { url, directUrl, poolSize, responseTimeout }
    return openPostgres(addresses, steps, new RowCounts(limits, 'postgres'), report)
  }
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
  if (path === undefined || path.startsWith(':')) {
    throw new DatabaseError('The database has to be sqlite:<path of a file> or postgres://<host>/<name>')
  }
  return openSqlite(path, steps, new RowCounts(limits, 'sqlite'), { report, goBack })
}

export interface Opening {
  /** Limits on the rows per user that replace the declared ones. */
  limits?: RowLimits
  /** PostgreSQL only: the address of the same database without a pooler. */
  directUrl?: string | undefined
  /** PostgreSQL only: how many connections this process opens, besides the one for LISTEN. */
  poolSize?: number
  /** PostgreSQL only: how many milliseconds to wait for a statement's response. */
  responseTimeout?: number
  /** Receives the progress of an update of the tables. */
  report?: ReportProgress
  /**
   * SQLite only. If a newer program has updated the file, it is set aside with this ending, and the copy kept from before the
   * update takes its place.
   */
  goBack?: string | undefined
}
