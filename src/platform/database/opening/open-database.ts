import type { Database } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { RowCounts, type RowLimits } from '../row-limits.ts'
import type { MigrationStep } from '../schema/migration-step.ts'
import type { ReportProgress } from '../schema/update-progress.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { DatabaseError } from '../storage/database-error.ts'

/**
 * Opens `sqlite:<path>` or `postgres://…` and migrates its tables to this program's version; `report` receives the
 * progress. Throws a DatabaseError, whose message is one line for the person who starts the program.
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
  /** Of rows that one user may have, where others are to hold than those that are declared. */
  limits?: RowLimits
  /** PostgreSQL only: the same database, reached directly instead of through a pooler. */
  directUrl?: string | undefined
  /** PostgreSQL only: how many connections this process opens besides the one that it listens on. */
  poolSize?: number
  /** PostgreSQL only: how many milliseconds a statement waits for its response. */
  responseTimeout?: number
  /** Receives the progress of an update of the tables. */
  report?: ReportProgress
  /**
   * SQLite only: where a newer program has updated the file, it is set aside with this ending, and the copy that was
   * kept before takes its place.
   */
  goBack?: string | undefined
}
