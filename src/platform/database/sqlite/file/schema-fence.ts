import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { formerNames } from '#platform/database/schema/former-names.ts'
import { refuseUnknown } from '#platform/database/schema/migrate.ts'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import type { SchemaState } from '#platform/database/schema/schema-watch.ts'
import { NewerDatabaseError } from '#platform/database/storage/database-error.ts'

/**
 * Finds out whether a newer program has changed the tables, or what is in them, through one connection. In nearly every
 * case, the number of migrations that were applied is all that is read. In a transaction that writes, nobody can apply
 * another one.
 */
export function schemaLook(database: DatabaseSync, steps: readonly MigrationStep[]): () => SchemaState {
  // Not before it is needed: a database without any step has no such table.
  let countApplied: StatementSync | undefined
  // Undefined: their names have not been read yet.
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
