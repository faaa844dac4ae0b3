import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { wordFor } from '#platform/format/words.ts'

/** The message says in one line why there is no secret, for the person who starts the program. */
export class SecretError extends Error {}

const shortest = 32
// Fewest different characters in a secret. Of random strings of 32 hexadecimal digits, one in twenty million has fewer.
const fewest = 8

/** Why this secret is too weak; undefined if it is fine. The text continues a sentence that starts with the secret's name. */
export function problemOfSecret(secret: string): string | undefined {
  if (secret.length < shortest) return `must have at least ${shortest} characters, not ${secret.length}`
  const different = new Set(secret).size
  if (different >= fewest) return undefined
  return `is too easy to guess: it has only ${different} different ${wordFor(different, 'character')}`
}

/**
 * The secret that signs the cookies, created at the first start and stored beside the data. Losing it signs everyone out.
 * Throws a SecretError when it can be neither read nor created.
 */
export async function storedSecret(file: string): Promise<string> {
  const secret = await readOrCreate(file)
  const problem = problemOfSecret(secret)
  if (problem === undefined) return secret
  throw new SecretError(
    `The secret of the sign-in cookies in ${file} ${problem}; delete the file to get a new one, which signs everybody out`,
  )
}

/** The secret from an earlier start; undefined if there is none. */
export async function existingSecret(file: string): Promise<string | undefined> {
  return read(file)
}

async function readOrCreate(file: string): Promise<string> {
  try {
    return (await read(file)) ?? (await create(file))
  } catch (error) {
    throw new SecretError(`The secret of the sign-in cookies cannot be kept in ${file}: ${reasonOf(error)}`)
  }
}

async function read(file: string): Promise<string | undefined> {
  const found = await stat(file).catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!found) return undefined
  if ((found.mode & 0o077) !== 0) await chmod(file, 0o600)
  return (await readFile(file, 'utf8')).trim()
}

// Atomic even when two processes create the secret at once: the first to link its file wins, and both read that file.
async function create(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(48).toString('base64url')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, file)
    await unlink(draft)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'EEXIST') await unlink(draft)
    // Some file systems have no hard links, so rename instead.
    else await rename(draft, file)
  }
  return (await readFile(file, 'utf8')).trim()
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
