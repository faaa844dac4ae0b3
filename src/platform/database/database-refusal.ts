/** Why the database was not opened, in one line for the person who starts the program. Nothing was changed. */
export class DatabaseRefusal extends Error {
  override name = 'DatabaseRefusal'
}
