// Updates the tables of the database that DATABASE_URL names, a copy, as this version's server would at its start. It serves
// nobody and sends nothing: the people in the copy are real.
import { openDatabase } from '../../src/platform/database/opening/open-database.ts'

try {
  const report = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)
  const database = await openDatabase(String(process.env.DATABASE_URL), undefined, { report })
  await database.close()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
