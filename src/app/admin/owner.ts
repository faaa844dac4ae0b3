import { statSync } from 'node:fs'

/**
 * Why this process should leave the database file alone; undefined if it may use the file. Files that SQLite creates beside it
 * would belong to this process's user, and the server could no longer open them.
 */
export function ownerProblem(file: string, user = process.getuid?.()): string | undefined {
  const owner = statSync(file, { throwIfNoEntry: false })?.uid
  if (user === undefined || owner === undefined || owner === user) return undefined
  return `${file} belongs to user ${owner}, and this runs as user ${user}: run it as that user.`
}
