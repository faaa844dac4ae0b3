/** Why the database was not opened, in one line for the person who starts the program. Nothing was changed. */
export class DatabaseRefusal extends Error {
  override name = 'DatabaseRefusal'
}

/** A refusal whose message already names the wrong setting. */
export class DatabaseSettingRefusal extends DatabaseRefusal {
  override name = 'DatabaseSettingRefusal'
}

/** When a connection to several addresses is refused, the reasons are inside the error, which has no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
