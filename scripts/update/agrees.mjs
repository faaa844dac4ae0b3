import { createInterface } from 'node:readline/promises'

export const whatGoingBackCosts = `If the newer version has changed the tables of a SQLite database, the copy from before takes its place, and what was
written since is set aside.`

export const hintForPostgres =
  'On PostgreSQL, no copy from before is kept: if the newer version has changed the tables, restore a backup first (docs/hosting.md).'

/**
 * @param {string} question
 * @returns {Promise<boolean>} whether somebody typed yes
 */
export async function agrees(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // Closing the input is not a yes.
  const closed = new Promise((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(`${question}\nType yes to go back: `), closed])
  terminal.close()
  return String(answer).trim().toLowerCase() === 'yes'
}
