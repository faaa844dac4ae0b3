import { type Kysely, sql, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import { DatabaseRefusal } from './database-refusal.ts'
import type { Engine, MigrationStep } from './migrations/migration-step.ts'

/** The names of the migrations that the database has had, in order. */
export async function appliedMigrations(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return applied.rows.map((row) => row.name)
}

export function refuseNewer(applied: readonly string[], steps: readonly MigrationStep[]): void {
  const unknown = applied.find((name) => !steps.some((step) => step.name === name))
  if (unknown === undefined) return
  throw new DatabaseRefusal(
    `The database is newer than this program: it has had the migration ${unknown}, which this version does not know. Start the version that last used it`,
  )
}

/** Runs what is pending in the transaction that it is handed: all of it, or nothing. */
export async function migrate(
  tx: Transaction<unknown>,
  engine: Engine,
  steps: readonly MigrationStep[],
): Promise<void> {
  const named = Object.fromEntries(
    steps.map((step) => [step.name, { up: (db: Kysely<unknown>) => step.up(db, engine) }]),
  )
  const migrator = new Migrator({ db: tx, provider: { getMigrations: async () => named } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
