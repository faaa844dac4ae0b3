import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import { BackupError } from './backup-error.ts'

/** The file in a backup's folder that describes the other files. */
export const aboutFile = 'backup.json'
export const secretFile = 'auth-secret'
export const dataFiles = { sqlite: 'daymark.db', postgres: 'daymark.dump' } as const

const format = 1
// The most bytes that a backup's description may have. A list of tables and three files is far smaller.
const largestAbout = 1_000_000

const part = z.object({ bytes: z.int().check(z.gte(0)), sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) })
const aboutSchema = z.object({
  format: z.literal(format),
  /** The version of Daymark that made the backup. */
  daymark: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  made_at: z.string(),
  /** The last migration of the database. */
  migration: z.string(),
  rows: z.record(z.string(), z.int()),
  parts: z.partialRecord(z.enum([dataFiles.sqlite, dataFiles.postgres, secretFile]), part),
})
export type About = z.infer<typeof aboutSchema>
export type Part = z.infer<typeof part>
export type PartName = keyof About['parts']

export function aboutAsText(about: Omit<About, 'format'>): string {
  return `${JSON.stringify({ format, ...about }, null, 2)}\n`
}

export async function readAbout(folder: string): Promise<About> {
  const file = join(folder, aboutFile)
  const stats = await stat(file).catch(() => undefined)
  if (!stats?.isFile()) throw new BackupError(`${folder} is no backup: it has no ${aboutFile}.`)
  if (stats.size > largestAbout) throw new BackupError(`${file} is too large to be of a backup.`)
  const parsed = parse(await readFile(file, 'utf8'))
  const newer = z.object({ format: z.int().check(z.gt(format)) }).safeParse(parsed)
  if (newer.success) throw new BackupError(`${folder} was made by a newer Daymark than this one.`)
  const about = aboutSchema.safeParse(parsed)
  if (!about.success) throw new BackupError(`The backup is damaged: ${aboutFile} cannot be understood.`)
  return about.data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export async function partOf(file: string): Promise<Part> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}
