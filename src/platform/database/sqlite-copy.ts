import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseRefusal } from './database-refusal.ts'
import { formerNames } from './migrations/former-names.ts'
import type { MigrationStep } from './migrations/migration-step.ts'
import { SqliteThread } from './sqlite-thread.ts'
import type { UpdateProgress } from './update-progress.ts'

const copiesKept = 2
const megabyte = 1_000_000

/** Where the copy of a database is kept that had got as far as `version`, the name of its last migration. */
export function copyPath(path: string, version: string): string {
  return `${path}.at-${version}.copy`
}

/**
 * Keeps a verified copy of what is committed in the file, beside it, before a migration changes it, and no more than one
 * from before. To go back: stop the program, put the copy in the file's place and remove the file's `-wal` and `-shm`.
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
    closeSync(openSync(unfinished, 'wx', 0o600))
    await copyInto(unfinished, path, progress)
    progress.begin(() => 'checking the copy')
    const damage = await findDamage(unfinished)
    if (damage !== undefined) {
      throw new DatabaseRefusal(`The database ${path} is damaged, and was left as it is: ${damage}`)
    }
    flush(unfinished)
    renameSync(unfinished, kept)
  } finally {
    rmSync(unfinished, { force: true })
  }
  await removeOlder(path, kept, steps, progress)
}

async function copyInto(copy: string, path: string, progress: UpdateProgress): Promise<void> {
  const original = new SqliteThread({ path, readOnly: true })
  try {
    // Free pages are not copied, so that it may end a little sooner.
    const { rows } = await original.run<{ bytes: number }>(
      `select (page_count - freelist_count) * page_size as bytes
       from pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )
    const all = rows[0]?.bytes ?? 0
    progress.begin(() => `copying ${inMegabytes(statSync(copy).size)} of ${inMegabytes(all)} MB`)
    await original.run('vacuum into ?', [copy])
  } finally {
    await original.close()
  }
}

function inMegabytes(bytes: number): string {
  return Math.round(bytes / megabyte).toLocaleString('en')
}

/** What SQLite finds wrong in a file first, if so. */
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

/** Only those that an update made: what a person called otherwise is theirs. */
async function removeOlder(
  path: string,
  newest: string,
  steps: readonly MigrationStep[],
  { tell }: UpdateProgress,
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
      tell(`An older copy could not be removed: ${error.message}`),
    )
  }
}
