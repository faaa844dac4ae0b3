import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { formerNames } from '#platform/database/schema/former-names.ts'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import type { UpdateProgress } from '#platform/database/schema/update-progress.ts'
import { DatabaseError } from '#platform/database/storage/database-error.ts'
import { minFreeBytes } from '#platform/database/storage/storage.ts'
import { SqliteThread } from '../connection/thread.ts'
import { freeBytesOf } from './free-bytes.ts'

const copiesKept = 2
const megabyte = 1_000_000

/** The path of the copy that is kept of a database. `version`: the name of its last migration. */
export function copyPath(path: string, version: string): string {
  return `${path}.at-${version}.copy`
}

/**
 * Before a migration changes the file, keeps a verified copy of its committed contents beside it, and at most one older copy. To
 * go back: stop the program, replace the file with the copy, and remove the file's `-wal` and `-shm`. Throws a DatabaseError
 * before it writes anything if there is no room for the copy.
 */
export async function keepCopy(
  path: string,
  version: string,
  steps: readonly MigrationStep[],
  progress: UpdateProgress,
): Promise<void> {
  const kept = copyPath(path, version)
  const unfinished = `${kept}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    await copyInto(unfinished, path, kept, progress)
    progress.begin(() => 'checking the copy')
    const damage = await findDamage(unfinished)
    if (damage !== undefined) {
      throw new DatabaseError(`The database ${path} is damaged, and was left as it is: ${damage}`)
    }
    flush(unfinished)
    renameSync(unfinished, kept)
  } finally {
    rmSync(unfinished, { force: true })
  }
  await removeOlder(path, kept, steps, progress)
}

async function copyInto(copy: string, path: string, kept: string, progress: UpdateProgress): Promise<void> {
  const original = new SqliteThread({ path, readOnly: true })
  try {
    // Free pages are not copied, so the copy may end up a little smaller.
    const { rows } = await original.run<{ bytes: number }>(
      `select (page_count - freelist_count) * page_size as bytes
       from pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )
    const all = rows[0]?.bytes ?? 0
    announce(path, kept, all, progress)
    closeSync(openSync(copy, 'wx', 0o600))
    progress.begin(() => `copying ${inMegabytes(statSync(copy).size)} of ${inMegabytes(all)} MB`)
    await original.run('vacuum into ?', [copy])
  } finally {
    await original.close()
  }
}

function announce(path: string, kept: string, bytes: number, { report }: UpdateProgress): void {
  const free = freeBytesOf(kept)
  if (free === undefined) {
    report(`Before the update, a copy of the database is made: ${kept}, ${roundedUp(bytes)} MB`)
    return
  }
  const isFree = `${Math.floor(free / megabyte).toLocaleString('en')} MB are free`
  if (free < bytes + minFreeBytes) {
    throw new DatabaseError(
      `The database ${path} was left as it is: before the update, a copy of it is made beside it, which needs ${roundedUp(bytes + minFreeBytes)} MB, and ${isFree}`,
    )
  }
  report(`Before the update, a copy of the database is made: ${kept}, ${roundedUp(bytes)} MB (${isFree})`)
}

function roundedUp(bytes: number): string {
  return Math.ceil(bytes / megabyte).toLocaleString('en')
}

function inMegabytes(bytes: number): string {
  return Math.round(bytes / megabyte).toLocaleString('en')
}

/** The first damage that SQLite finds in a file, if any. */
export async function findDamage(copy: string): Promise<string | undefined> {
  const thread = new SqliteThread({ path: copy, readOnly: true })
  try {
    const { rows } = await thread.run<{ integrity_check: string }>('pragma integrity_check(1)')
    const verdict = rows[0]?.integrity_check
    return verdict === 'ok' ? undefined : String(verdict)
  } finally {
    await thread.close()
  }
}

export function flush(copy: string): void {
  const file = openSync(copy, 'r+')
  fsyncSync(file)
  closeSync(file)
}

/** Removes older copies that an update made. A copy that a person renamed belongs to them and stays. */
async function removeOlder(
  path: string,
  newest: string,
  steps: readonly MigrationStep[],
  { report }: UpdateProgress,
): Promise<void> {
  const versions = [...steps.map((step) => step.name), ...Object.keys(formerNames)]
  const named = new Set(versions.map((version) => basename(copyPath(path, version))))
  const found = (await readdir(dirname(path))).filter((name) => named.has(name) && name !== basename(newest))
  const older = await Promise.all(
    found.map(async (name) => {
      const copy = join(dirname(path), name)
      return { copy, madeAt: (await stat(copy)).mtimeMs }
    }),
  )
  for (const { copy } of older.toSorted((a, b) => b.madeAt - a.madeAt).slice(copiesKept - 1)) {
    await rm(copy, { force: true }).catch((error) =>
      report(`An older copy could not be removed: ${error.message}`),
    )
  }
}
