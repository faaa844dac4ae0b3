import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Contents, differenceBetween } from '#platform/database/contents.ts'
import { refuseNewer } from '#platform/database/migrate.ts'
import { migrations } from '#platform/database/migrations/migrations.ts'
import {
  connectionsOfDaymark,
  countDump,
  countPostgres,
  requireTools,
  restoreDump,
} from '#platform/database/postgres-backup.ts'
import {
  countSqlite,
  endLinksInSqlite,
  foldIntoOneFile,
  inspectSqlite,
} from '#platform/database/sqlite-backup.ts'
import { type About, aboutFile, dataFiles, type PartName, partOf, readAbout, secretFile } from './about.ts'
import { compactInstant } from './backup-name.ts'
import { BackupRefusal } from './backup-refusal.ts'
import type { DatabasePlace } from './backup-settings.ts'
import { inRows } from './words.ts'

/** Asks the person, in one question, whether to go on. */
export type Confirm = (question: string) => Promise<boolean>

interface Backup {
  words: string
  file: string
  secret: string | undefined
  /** What it says of itself; a mere file of SQLite says nothing. */
  about: About | undefined
}

const unchanged = 'Nothing was changed.'

/**
 * Puts a backup, or a file of SQLite, in the place of what is in the database. It is looked through first; whatever is wrong
 * with it, or in the way, is a refusal that has changed nothing. Answers what is to be said, or undefined when the person
 * does not want to.
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
    throw new BackupRefusal(
      `${given} is of ${nameOf[engine]}, and DATABASE_URL is ${nameOf[database.engine]}. An account moves between them by its export: Settings, Your data. ${unchanged}`,
    )
  }
  return database.engine === 'sqlite'
    ? restoreSqlite(database, backup, now, confirm)
    : restorePostgres(database, backup, confirm)
}

const nameOf = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

async function openBackup(given: string): Promise<Backup> {
  const known = await stat(given).catch(() => undefined)
  if (!known) throw new BackupRefusal(`There is no ${given}. ${unchanged}`)
  if (known.isFile() && basename(given) !== aboutFile) return openFile(given)
  const folder = known.isFile() ? dirname(given) : given
  const about = await readAbout(folder)
  refuseNewer([about.migration], migrations)
  const data = dataFiles[about.engine]
  if (!about.parts[data]) throw new BackupRefusal(`${folder} holds no ${data}. ${unchanged}`)
  for (const [name, expected] of Object.entries(about.parts)) {
    const found = await partOf(join(folder, name)).catch(() => undefined)
    if (found?.sha256 !== expected?.sha256 || found?.bytes !== expected?.bytes)
      throw new BackupRefusal(`The backup is damaged: ${name} does not match its checksum. ${unchanged}`)
  }
  const has = (name: PartName) => (about.parts[name] ? join(folder, name) : undefined)
  const words = `${folder} of ${inWords(about.made_at)}, Daymark ${about.daymark}`
  return { words, file: join(folder, data), secret: has(secretFile), about }
}

const headerOfSqlite = 'SQLite format 3\0'

async function openFile(given: string): Promise<Backup> {
  const file = await open(given)
  try {
    const { buffer } = await file.read(Buffer.alloc(headerOfSqlite.length), 0, headerOfSqlite.length, 0)
    if (buffer.toString('latin1') !== headerOfSqlite)
      throw new BackupRefusal(`${given} is neither the folder of a backup nor a file of SQLite. ${unchanged}`)
  } finally {
    await file.close()
  }
  return { words: given, file: given, secret: undefined, about: undefined }
}

/** Such as `22 November 2026 03:00 UTC`. */
function inWords(instant: string): string {
  const at = new Date(instant)
  const day = at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
  return `${day} ${at.toISOString().slice(11, 16)} UTC`
}

async function restoreSqlite(
  { path, secretFile: ownSecret }: DatabasePlace & { engine: 'sqlite' },
  { words, file, secret, about }: Backup,
  now: number,
  confirm: Confirm,
): Promise<string[] | undefined> {
  const draft = `${path}.restoring`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await copyFile(file, draft)
    await chmod(draft, 0o600)
    foldIntoOneFile(draft)
    const contents = await lookThrough(draft, file, about)
    requireNobodyIn(path)
    const question = `${words}: ${inRows(contents.rows)}. It replaces what is in ${path} (${await inFile(path)}). Type yes to go on: `
    if (!(await confirm(question))) return undefined
    await endLinksInSqlite(draft, contents)
    // Once more: somebody may have started it while the question stood.
    requireNobodyIn(path)
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

async function lookThrough(draft: string, file: string, about: About | undefined): Promise<Contents> {
  const contents = await inspectSqlite(draft).catch((error) => {
    throw new BackupRefusal(
      `${file} cannot be restored: ${error.message.replaceAll(draft, 'it')}. ${unchanged}`,
    )
  })
  refuseNewer([contents.migration], migrations)
  const difference = about && differenceBetween(contents.rows, about.rows)
  if (difference !== undefined) throw new BackupRefusal(`The backup is damaged: ${difference}. ${unchanged}`)
  return contents
}

function requireNobodyIn(path: string): void {
  if (!existsSync(path) || isFree(path)) return
  throw new BackupRefusal(`Daymark is running on ${path}. End it first. ${unchanged}`)
}

/** What is too damaged to be opened is what a backup is for. */
function isFree(path: string): boolean {
  try {
    return foldIntoOneFile(path)
  } catch {
    return true
  }
}

async function inFile(path: string): Promise<string> {
  if (!existsSync(path)) return 'nothing yet'
  return countSqlite(path).then(
    ({ rows }) => inRows(rows),
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
  { words, file, about }: Backup,
  confirm: Confirm,
): Promise<string[] | undefined> {
  if (!about) throw new BackupRefusal(`${file} is a file of SQLite. ${unchanged}`)
  await requireTools(directUrl, ['pg_restore', 'psql'])
  const difference = differenceBetween(await countDump(file), about.rows)
  if (difference !== undefined) throw new BackupRefusal(`The backup is damaged: ${difference}. ${unchanged}`)
  await requireNobodyOn(directUrl)
  const before = await countPostgres(directUrl)
  const question = `${words}: ${inRows(about.rows)}. It replaces what is in the database (${before ? inRows(before.rows) : 'nothing yet'}). Type yes to go on: `
  if (!(await confirm(question))) return undefined
  await requireNobodyOn(directUrl)
  await restoreDump(directUrl, file, about)
  return [`Restored. What was there before is gone. ${signedInAgain}`]
}

async function requireNobodyOn(url: string): Promise<void> {
  const there = await connectionsOfDaymark(url)
  if (there > 0) throw new BackupRefusal(`Daymark is running on this database. End it first. ${unchanged}`)
}
