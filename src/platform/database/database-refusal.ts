/** Why the database was not opened, in one line for the person who starts the program. Nothing was changed. */
export class DatabaseRefusal extends Error {
  override name = 'DatabaseRefusal'
}

/** One that says by itself which setting is wrong. */
export class DatabaseSettingRefusal extends DatabaseRefusal {
  override name = 'DatabaseSettingRefusal'
}

/** A refused connection to several addresses has its reasons inside, and no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
