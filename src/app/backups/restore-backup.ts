import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { migrations } from '#platform/database/migrations/migrations.ts'
import {
  connectionsOfDaymark,
  countDump,
  countPostgres,
  requireTools,
  restoreDump,
} from '#platform/database/postgres/backup.ts'
import { refuseNewer } from '#platform/database/schema/migrate.ts'
import {
  countSqlite,
  deleteLinksInSqlite,
  foldIntoOneFile,
  inspectSqlite,
} from '#platform/database/sqlite/file/backup.ts'
import { foreignPartIn } from '#platform/database/sqlite/file/known-schema.ts'
import { type Contents, differenceBetween } from '#platform/database/storage/contents.ts'
import type { DatabasePlace } from '../settings/backup-settings.ts'
import { type About, aboutFile, dataFiles, type PartName, partOf, readAbout, secretFile } from './about.ts'
import { BackupError } from './backup-error.ts'
import { compactInstant } from './backup-name.ts'
import { formatRows } from './format.ts'

/** Asks the person a question, and resolves with whether to go on. */
export type Confirm = (question: string) => Promise<boolean>

interface Backup {
  description: string
  file: string
  secret: string | undefined
  /** The backup's own description; a bare SQLite file has none. */
  about: About | undefined
}

const unchanged = 'Nothing was changed.'

/**
 * Replaces the contents of the database with a backup or an SQLite file. Verifies everything first: if the backup is damaged
 * or something is in the way, it throws a refusal and nothing has changed. Returns lines to show the person, or undefined if
 * they did not confirm.
 */
export async function restoreBackup(
  database: DatabasePlace,
  given: string,
  now: number,
  confirm: Confirm,
): Promise<string[] | undefined> {
  const backup = await openBackup(given)
  const engine = backup.about?.engine ?? 'sqlite'
  if (engine !== database.engine) {
    throw new BackupError(
      `${given} is of ${nameOf[engine]}, and DATABASE_URL is ${nameOf[database.engine]}. An account moves between them by its export: Settings, Your data. ${unchanged}`,
    )
  }
  return database.engine === 'sqlite'
    ? restoreSqlite(database, backup, now, confirm)
    : restorePostgres(database, backup, confirm)
}

const nameOf = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

async function openBackup(given: string): Promise<Backup> {
  const stats = await stat(given).catch(() => undefined)
  if (!stats) throw new BackupError(`There is no ${given}. ${unchanged}`)
  if (stats.isFile() && basename(given) !== aboutFile) return openFile(given)
  const folder = stats.isFile() ? dirname(given) : given
  const about = await readAbout(folder)
  refuseNewer([about.migration], migrations)
  const data = dataFiles[about.engine]
  if (!about.parts[data]) throw new BackupError(`${folder} holds no ${data}. ${unchanged}`)
  for (const [name, expected] of Object.entries(about.parts)) {
    const found = await partOf(join(folder, name)).catch(() => undefined)
    if (found?.sha256 !== expected?.sha256 || found?.bytes !== expected?.bytes)
      throw new BackupError(`The backup is damaged: ${name} does not match its checksum. ${unchanged}`)
  }
  const has = (name: PartName) => (about.parts[name] ? join(folder, name) : undefined)
  const description = `${folder} of ${formatInstant(about.made_at)}, Daymark ${about.daymark}`
  return { description, file: join(folder, data), secret: has(secretFile), about }
}

const sqliteHeader = 'SQLite format 3\0'

async function openFile(given: string): Promise<Backup> {
  const file = await open(given)
  try {
    const { buffer } = await file.read(Buffer.alloc(sqliteHeader.length), 0, sqliteHeader.length, 0)
    if (buffer.toString('latin1') !== sqliteHeader)
      throw new BackupError(`${given} is neither the folder of a backup nor a file of SQLite. ${unchanged}`)
  } finally {
    await file.close()
  }
  return { description: given, file: given, secret: undefined, about: undefined }
}

/** An instant such as `22 November 2026 03:00 UTC`. */
function formatInstant(instant: string): string {
  const at = new Date(instant)
  const day = at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return `${day} ${at.toISOString().slice(11, 16)} UTC`
}

async function restoreSqlite(
  { path, secretFile: ownSecret }: DatabasePlace & { engine: 'sqlite' },
  { description, file, secret, about }: Backup,
  now: number,
  confirm: Confirm,
): Promise<string[] | undefined> {
  const draft = `${path}.restoring`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await copyFile(file, draft)
    await chmod(draft, 0o600)
    foldIntoOneFile(draft)
    const contents = await verify(draft, file, about)
    requireNotRunning(path)
    const question = `${description}: ${formatRows(contents.rows)}. It replaces what is in ${path} (${await describeContents(path)}). Type yes to go on: `
    if (!(await confirm(question))) return undefined
    await deleteLinksInSqlite(draft, contents)
    // Checked again, since somebody may have started Daymark while the question was open.
    requireNotRunning(path)
    const aside = `.before-restore-${compactInstant(now)}`
    for (const suffix of ['', '-wal', '-shm']) await setAside(`${path}${suffix}`, `${path}${aside}${suffix}`)
    await rename(draft, path)
    if (secret !== undefined && ownSecret !== undefined) {
      await setAside(ownSecret, `${ownSecret}${aside}`)
      await copyFile(secret, ownSecret)
      await chmod(ownSecret, 0o600)
    }
    await flush(dirname(path))
    const before = existsSync(`${path}${aside}`)
    return [
      `Restored.${before ? ` What was there before is in ${path}${aside}.` : ''} ${signedInAgain}`,
      ...(secret !== undefined && ownSecret === undefined
        ? ['AUTH_SECRET is set, so the secret of the backup was not put back.']
        : []),
    ]
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(`${draft}${suffix}`, { force: true })
  }
}

const signedInAgain =
  'Everybody who was signed in then is signed in again; npm run admin -- sessions end --all ends that.'

async function verify(draft: string, file: string, about: About | undefined): Promise<Contents> {
  const contents = await inspectOwn(draft).catch((error) => {
    throw new BackupError(
      `${file} cannot be restored: ${error.message.replaceAll(draft, 'it')}. ${unchanged}`,
    )
  })
  refuseNewer([contents.migration], migrations)
  const difference = about && differenceBetween(contents.rows, about.rows)
  if (difference !== undefined) throw new BackupError(`The backup is damaged: ${difference}. ${unchanged}`)
  return contents
}

/**
 * Refuses foreign parts: a trigger that somebody added would run with our next write, or with the first write after the
 * restore.
 */
async function inspectOwn(draft: string): Promise<Contents> {
  const foreign = await foreignPartIn(draft, migrations)
  if (foreign !== undefined) throw new BackupError(foreign)
  return inspectSqlite(draft)
}

function requireNotRunning(path: string): void {
  if (!existsSync(path) || isFree(path)) return
  throw new BackupError(`Daymark is running on ${path}. End it first. ${unchanged}`)
}

/**
 * Whether no process uses the database. A database that is too damaged to open counts as free, because a restore is meant for
 * exactly that case.
 */
function isFree(path: string): boolean {
  try {
    return foldIntoOneFile(path)
  } catch {
    return true
  }
}

async function describeContents(path: string): Promise<string> {
  if (!existsSync(path)) return 'nothing yet'
  return countSqlite(path).then(
    ({ rows }) => formatRows(rows),
    () => 'which cannot be read',
  )
}

async function setAside(path: string, aside: string): Promise<void> {
  if (existsSync(path)) await rename(path, aside)
}

async function flush(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

async function restorePostgres(
  { directUrl }: DatabasePlace & { engine: 'postgres' },
  { description, file, about }: Backup,
  confirm: Confirm,
): Promise<string[] | undefined> {
  if (!about) throw new BackupError(`${file} is a file of SQLite. ${unchanged}`)
  await requireTools(directUrl, ['pg_restore', 'psql'])
  const difference = differenceBetween(await countDump(file), about.rows)
  if (difference !== undefined) throw new BackupError(`The backup is damaged: ${difference}. ${unchanged}`)
  await requireNoConnections(directUrl)
  const before = await countPostgres(directUrl)
  const question = `${description}: ${formatRows(about.rows)}. It replaces what is in the database (${before ? formatRows(before.rows) : 'nothing yet'}). Type yes to go on: `
  if (!(await confirm(question))) return undefined
  await requireNoConnections(directUrl)
  await restoreDump(directUrl, file, about)
  return [`Restored. What was there before is gone. ${signedInAgain}`]
}

async function requireNoConnections(url: string): Promise<void> {
  const connections = await connectionsOfDaymark(url)
  if (connections > 0)
    throw new BackupError(`Daymark is running on this database. End it first. ${unchanged}`)
}
