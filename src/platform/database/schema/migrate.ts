import { type Kysely, type QueryExecutorProvider, sql, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import { NewerDatabaseError } from '../storage/database-error.ts'
import { formerNames } from './former-names.ts'
import type { Engine, MigrationStep } from './migration-step.ts'
import { onlyAdds } from './only-adds.ts'
import type { UpdateProgress } from './update-progress.ts'

const tableOfMigrations = {
  sqlite: sql`select name from sqlite_master where name = 'kysely_migration'`,
  postgres: sql`select where to_regclass('kysely_migration') is not null`,
}

/** The migrations applied to the database, by today's names and in order. */
export async function appliedMigrations(db: QueryExecutorProvider, engine: Engine): Promise<string[]> {
  const table = await tableOfMigrations[engine].execute(db)
  if (table.rows.length === 0) return []
  const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return applied.rows.map(({ name }) => formerNames[name] ?? name).toSorted()
}

/**
 * Throws a NewerDatabaseError if a copy has had migrations that this program does not know: it may hold data that this program
 * cannot handle.
 */
export function refuseNewer(applied: readonly string[], steps: readonly MigrationStep[]): void {
  const [unknown] = unknownSteps(applied, steps)
  if (unknown !== undefined) throw new NewerDatabaseError(unknown)
}

/**
 * Throws a NewerDatabaseError if this program may not work on a database. Unknown steps are accepted only if they are additions.
 */
export function refuseUnknown(applied: readonly string[], steps: readonly MigrationStep[]): void {
  const unknown = unknownSteps(applied, steps)
  // If each side has steps that the other does not know, no order of the steps is certain, so even an addition is refused.
  const refused = isBehind(applied, steps) ? unknown[0] : unknown.find((name) => !onlyAdds(name))
  if (refused !== undefined) throw new NewerDatabaseError(refused)
}

function unknownSteps(applied: readonly string[], steps: readonly MigrationStep[]): string[] {
  return applied.filter((name) => !steps.some((step) => step.name === name))
}

export function isBehind(applied: readonly string[], steps: readonly MigrationStep[]): boolean {
  return steps.some((step) => !applied.includes(step.name))
}

/** Runs the pending steps in the given transaction: all of them, or none. Returns how many steps it ran; 0 for a new database. */
export async function migrate(
  tx: Transaction<unknown>,
  engine: Engine,
  steps: readonly MigrationStep[],
  progress: UpdateProgress,
): Promise<number> {
  const applied = await appliedMigrations(tx, engine)
  const isNew = applied.length === 0
  if (!isNew) await takeTodaysNames(tx)
  const pending = steps.filter((step) => !applied.includes(step.name))
  const named = Object.fromEntries(
    steps.map((step) => {
      const up = async (db: Kysely<unknown>) => {
        const number = pending.indexOf(step) + 1
        if (!isNew) progress.begin(() => `step ${number} of ${pending.length}, ${step.name}`)
        await step.up(db, engine)
      }
      return [step.name, { up }]
    }),
  )
  const migrator = new Migrator({
    db: tx,
    provider: { getMigrations: async () => named },
    // Steps need not run in order: a step that repairs an edited one must also run in a database that has had later steps.
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return isNew ? 0 : pending.length
}

async function takeTodaysNames(tx: Transaction<unknown>): Promise<void> {
  for (const [former, name] of Object.entries(formerNames)) {
    await sql`update kysely_migration set name = ${name} where name = ${former}`.execute(tx)
  }
}
