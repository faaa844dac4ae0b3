import type { DatabaseSync } from 'node:sqlite'
import { NewerDatabaseError } from '../database-error.ts'
import { refuseUnknown } from '../migrate.ts'
import { formerNames } from '../migrations/former-names.ts'
import type { MigrationStep } from '../migrations/migration-step.ts'
import type { SchemaState } from '../schema-watch.ts'

/**
 * Finds out whether a newer program has changed the tables, through one connection. SQLite counts the changes of its
 * schema, so that in nearly every case one number of the file is all that is read. In a transaction that writes, nobody
 * can change them any more.
 */
export function schemaLook(database: DatabaseSync, steps: readonly MigrationStep[]): () => SchemaState {
  const countChanges = database.prepare('pragma schema_version')
  const readNames = database.prepare('select name from kysely_migration')
  const count = () => Number(countChanges.get()?.schema_version)
  // Undefined: they have not been read yet.
  let seen: number | undefined
  return () => {
    const now = count()
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
