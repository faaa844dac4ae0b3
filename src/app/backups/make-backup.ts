import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { countDump, dumpPostgres, requireTools } from '#platform/database/postgres/backup.ts'
import { copySqlite, inspectSqlite, sizeOfCopy } from '#platform/database/sqlite/file/backup.ts'
import { differenceBetween } from '#platform/database/storage/contents.ts'
import { lockFolder } from '#platform/database/storage/folder-lock.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { BackupSettings, DatabasePlace } from '../settings/backup-settings.ts'
import { type About, aboutAsText, aboutFile, dataFiles, type Part, partOf, secretFile } from './about.ts'
import { BackupError } from './backup-error.ts'
import { nameAt, parseName } from './backup-name.ts'
import { formatBytes } from './format.ts'
import { backupsToRemove } from './keep.ts'

export interface MadeBackup {
  folder: string
  bytes: number
  rows: About['rows']
  /** Names of older backups that were removed afterwards. */
  removed: string[]
}

const unfinished = '.arriving-'

/** Writes a backup to a folder that must not exist yet. Leaves nothing behind if it fails. */
export async function makeBackup(
  database: DatabasePlace,
  folder: string,
  now: number,
  signal?: AbortSignal,
): Promise<MadeBackup> {
  if (existsSync(folder)) throw new BackupError(`${folder} already exists. Name one that does not.`)
  const draft = join(dirname(folder), `${unfinished}${basename(folder)}`)
  await rm(draft, { recursive: true, force: true })
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    const about = await fill(draft, database, now, signal)
    signal?.throwIfAborted()
    await flushFolder(draft)
    await rename(draft, folder)
    await flushFolder(dirname(folder))
    const bytes = Object.values(about.parts).reduce((sum, part) => sum + (part?.bytes ?? 0), 0)
    return { folder, bytes, rows: about.rows, removed: [] }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function fill(
  draft: string,
  database: DatabasePlace,
  now: number,
  signal: AbortSignal | undefined,
): Promise<Omit<About, 'format'>> {
  const parts: Partial<Record<keyof About['parts'], Part>> = {}
  // The secret is copied before the data. With it, everybody who was signed in stays signed in after a restore.
  if (database.secretFile !== undefined && existsSync(database.secretFile)) {
    const copy = join(draft, secretFile)
    await copyFile(database.secretFile, copy)
    await chmod(copy, 0o600)
    await flushFile(copy)
    parts[secretFile] = await partOf(copy)
  }
  const name = dataFiles[database.engine]
  const data = join(draft, name)
  const contents =
    database.engine === 'sqlite'
      ? await copyOf(database.path, data)
      : await dumpOf(database.directUrl, data, signal)
  parts[name] = await partOf(data)
  const about = {
    daymark: packageJson.version,
    engine: database.engine,
    made_at: new Date(now).toISOString(),
    ...contents,
    parts,
  }
  await writeFile(join(draft, aboutFile), aboutAsText(about), { mode: 0o600, flush: true })
  return about
}

async function copyOf(path: string, copy: string) {
  if (!existsSync(path)) throw new BackupError(`There is no database ${path}.`)
  const [needed, { bavail, bsize }] = [await sizeOfCopy(path), await statfs(dirname(copy))]
  if (bavail * bsize < needed)
    throw new BackupError(
      `${formatBytes(bavail * bsize)} are free for it, and it needs ${formatBytes(needed)}.`,
    )
  await copySqlite(path, copy)
  return inspectSqlite(copy)
}

async function dumpOf(url: string, dump: string, signal: AbortSignal | undefined) {
  await requireTools(url, ['pg_dump', 'pg_restore'])
  // Created here, so that the file is as private as the other files whatever the umask is.
  await writeFile(dump, '', { mode: 0o600, flag: 'wx' })
  const contents = await dumpPostgres(url, dump, signal)
  const difference = differenceBetween(await countDump(dump, signal), contents.rows)
  if (difference !== undefined)
    throw new BackupError(`The dump is not what is in the database: ${difference}.`)
  await flushFile(dump)
  return contents
}

/**
 * Makes the next scheduled backup, named by its instant, and then removes older ones that need not be kept. Returns `busy`
 * if another process is making one, `fresh` if the newest is younger than `every`.
 */
export async function makeNextBackup(
  database: DatabasePlace,
  { to, keep }: Pick<BackupSettings, 'to' | 'keep'>,
  now: number,
  { every = 0, signal }: { every?: number; signal?: AbortSignal } = {},
): Promise<MadeBackup | 'busy' | 'fresh'> {
  await requireWritable(to)
  const unlock = lockFolder(to)
  if (!unlock) return 'busy'
  try {
    // This process holds the lock, so nobody else is working on unfinished backups.
    for (const name of await readdir(to)) {
      if (name.startsWith(`${unfinished}daymark-`)) await rm(join(to, name), { recursive: true, force: true })
    }
    const newest = await newestBackup(to, now)
    if (newest && now - newest.madeAt < every) return 'fresh'
    const made = await makeBackup(database, join(to, nameAt(now)), now, signal)
    const removed = backupsToRemove(await backupsIn(to), keep, now)
    for (const name of removed) await rm(join(to, name), { recursive: true, force: true })
    return { ...made, removed }
  } finally {
    unlock()
  }
}

/** Throws a readable refusal if backups are impossible, so that the operator learns of it at startup rather than at night. */
export async function requireBackups(database: DatabasePlace, { to }: BackupSettings): Promise<void> {
  await requireWritable(to)
  if (database.engine === 'sqlite') return
  await requireTools(database.directUrl, ['pg_dump', 'pg_restore']).catch((error) => {
    throw new BackupError(`BACKUP_EVERY is set, but ${error.message}`)
  })
}

async function requireWritable(to: string): Promise<void> {
  const probe = join(to, `.probe-${process.pid}`)
  try {
    await mkdir(to, { recursive: true, mode: 0o700 })
    await mkdir(probe)
    await rm(probe, { recursive: true })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    throw new BackupError(`BACKUP_TO ${resolve(to)} cannot be written to by this user (${code}).`)
  }
}

/**
 * The newest backup in the folder, going by the names, since copying changes file dates. A backup from after `now` was made while
 * the clock was ahead and does not count, because it would prevent the next backups.
 */
export async function newestBackup(
  to: string,
  now = Number.POSITIVE_INFINITY,
): Promise<{ folder: string; madeAt: number } | undefined> {
  const made = (await backupsIn(to)).map((name) => ({ folder: join(to, name), madeAt: parseName(name) ?? 0 }))
  return made.filter(({ madeAt }) => madeAt <= now).toSorted((a, b) => b.madeAt - a.madeAt)[0]
}

async function backupsIn(to: string): Promise<string[]> {
  const entries = await readdir(to, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory() && parseName(entry.name) !== undefined)
    .map(({ name }) => name)
}

async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

/** Makes the names in the folder durable, too. Windows has no operation for that. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
