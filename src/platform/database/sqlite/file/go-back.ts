import { copyFile, link, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import type { ReportProgress } from '#platform/database/schema/update-progress.ts'
import { DatabaseError, type NewerDatabaseError } from '#platform/database/storage/database-error.ts'
import { foldIntoOneFile } from './backup.ts'
import { copyPath, findDamage, flush } from './copy.ts'
import { readMigrations } from './update.ts'

/**
 * Undoes what a newer program did to a file. Sets the file aside under its name plus `ending`, with everything written since the
 * update, and puts the newest copy that this program can open in its place. Throws a DatabaseError, and changes nothing, if there
 * is no copy to open.
 */
export async function goBackToCopy(
  path: string,
  steps: readonly MigrationStep[],
  ending: string,
  newer: NewerDatabaseError,
  report: ReportProgress,
): Promise<void> {
  const newest = await newestCopy(path, steps)
  if (newest === undefined)
    throw new DatabaseError(`${newer.message}. No copy from before its update is beside it: restore a backup`)
  const { copy, madeAt } = newest
  const damage = await findDamage(copy)
  if (damage !== undefined) throw new DatabaseError(`The copy ${copy} is damaged: ${damage}`)
  const aside = `${path}${ending}`
  const drafts = { back: `${path}.going-back`, aside: `${aside}.unfinished` }
  try {
    await copyFile(copy, drafts.back)
    flush(drafts.back)
    // The rest is quick, so that hardly any process can open the file in between: it would write to the file that is set aside.
    if (!foldIntoOneFile(path))
      throw new DatabaseError(`Another process has ${path} open: end it before going back`)
    // Linked, not renamed: if this process were killed in between, the next start would find no database and create a new one.
    await link(path, aside).catch(async () => {
      await copyFile(path, drafts.aside)
      flush(drafts.aside)
      await rename(drafts.aside, aside)
    })
    await rename(drafts.back, path)
  } finally {
    for (const draft of Object.values(drafts)) await rm(draft, { force: true })
  }
  report(
    `Went back to the copy ${copy}, made at ${new Date(madeAt).toISOString()}. What the newer version had is in ${aside}`,
  )
}

/**
 * The newest copy that this program can open. Each copy is opened to find out, since a newer program names its copies after
 * migrations that only it knows.
 */
async function newestCopy(
  path: string,
  steps: readonly MigrationStep[],
): Promise<{ copy: string; madeAt: number } | undefined> {
  const [before = '', after = ''] = basename(copyPath(path, '\0')).split('\0')
  const names = (await readdir(dirname(path))).filter(
    (name) => name.startsWith(before) && name.endsWith(after),
  )
  const copies = await Promise.all(
    names.map(async (name) => {
      const copy = join(dirname(path), name)
      return { copy, madeAt: (await stat(copy)).mtimeMs }
    }),
  )
  for (const each of copies.toSorted((a, b) => b.madeAt - a.madeAt)) {
    const isKnown = await readMigrations(each.copy, steps).then(
      (applied) => applied.length > 0,
      () => false,
    )
    if (isKnown) return each
  }
  return undefined
}
