import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { formerNames } from '#platform/database/schema/former-names.ts'
import { refuseUnknown } from '#platform/database/schema/migrate.ts'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import type { SchemaState } from '#platform/database/schema/schema-watch.ts'
import { NewerDatabaseError } from '#platform/database/storage/database-error.ts'

/**
 * Returns a function that tells, through one connection, whether a newer program has changed the tables. It usually reads only
 * the number of applied migrations. Inside a writing transaction the result stays valid, since nobody can apply a migration
 * meanwhile.
 */
export function schemaLook(database: DatabaseSync, steps: readonly MigrationStep[]): () => SchemaState {
  // Prepared on first use: a database without any migration has no table `kysely_migration` yet.
  let countApplied: StatementSync | undefined
  // How many migrations were applied when their names were last checked; undefined before the first check.
  let seen: number | undefined
  return () => {
    countApplied ??= database.prepare('select count(*) as applied from kysely_migration')
    const now = Number(countApplied.get()?.applied)
    if (now === seen) return 'current'
    const names = database.prepare('select name from kysely_migration')
    const applied = names.all().map(({ name }) => formerNames[String(name)] ?? String(name))
    try {
      refuseUnknown(applied, steps)
    } catch (error) {
      if (error instanceof NewerDatabaseError) return 'newer'
      throw error
    }
    seen = now
    return 'current'
  }
}
