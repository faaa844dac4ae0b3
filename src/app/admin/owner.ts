import { statSync } from 'node:fs'

/**
 * Why this process had better leave the file alone, if so: what SQLite makes beside it would belong to whoever made it, and
 * the server could not open it any more.
 */
export function problemOfOwner(file: string, user = process.getuid?.()): string | undefined {
  const owner = statSync(file, { throwIfNoEntry: false })?.uid
  if (user === undefined || owner === undefined || owner === user) return undefined
  return `${file} belongs to user ${owner}, and this runs as user ${user}: run it as that user.`
}
