import type { DatabaseSync } from 'node:sqlite'
import { NewerDatabaseError } from '../database-error.ts'
import { refuseUnknown } from '../migrate.ts'
import { formerNames } from '../migrations/former-names.ts'
import type { MigrationStep } from '../migrations/migration-step.ts'
import type { SchemaState } from '../schema-watch.ts'

/**
 * Finds out whether a newer program has changed the tables, or what is in them, through one connection. In nearly every
 * case, the number of migrations that were applied is all that is read. In a transaction that writes, nobody can apply
 * another one.
 */
export function schemaLook(database: DatabaseSync, steps: readonly MigrationStep[]): () => SchemaState {
  const countApplied = database.prepare('select count(*) as applied from kysely_migration')
  const readNames = database.prepare('select name from kysely_migration')
  // Undefined: their names have not been read yet.
  let seen: number | undefined
  return () => {
    const now = Number(countApplied.get()?.applied)
    if (now === seen) return 'current'
    const applied = readNames.all().map(({ name }) => formerNames[String(name)] ?? String(name))
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
