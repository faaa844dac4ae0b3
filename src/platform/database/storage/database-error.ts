/** The reason why the database was not opened, in one line for the person who starts the program. Nothing was changed. */
export class DatabaseError extends Error {
  override name = 'DatabaseError'
}

/** A DatabaseError whose message already names the wrong setting. */
export class DatabaseSettingError extends DatabaseError {
  override name = 'DatabaseSettingError'
}

/** Thrown when a newer program has migrated the database. */
export class NewerDatabaseError extends DatabaseError {
  override name = 'NewerDatabaseError'

  constructor(migration: string) {
    super(
      `The database is newer than this program: it has had the migration ${migration}, which this version does not know. Start the version that last used it`,
    )
  }
}

/**
 * The message of an error. If a connection to several addresses is refused, the error has no message of its own and contains one
 * error per address.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
