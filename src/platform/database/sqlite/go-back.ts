import { copyFile, link, rename, rm, stat } from 'node:fs/promises'
import { DatabaseError, type NewerDatabaseError } from '../database-error.ts'
import { formerNames } from '../migrations/former-names.ts'
import type { MigrationStep } from '../migrations/migration-step.ts'
import type { ReportProgress } from '../update-progress.ts'
import { foldIntoOneFile } from './backup.ts'
import { copyPath, findDamage, flush } from './copy.ts'

/**
 * Undoes what a newer program did to a file: sets it aside under `ending`, with all that was written since, and puts the
 * copy in its place that was kept before. Throws a DatabaseError, and changes nothing, if there is no such copy.
 */
export async function goBackToCopy(
  path: string,
  steps: readonly MigrationStep[],
  ending: string,
  newer: NewerDatabaseError,
  report: ReportProgress,
): Promise<void> {
  const copy = await newestCopy(path, steps)
  if (copy === undefined)
    throw new DatabaseError(`${newer.message}. No copy from before its update is beside it: restore a backup`)
  const damage = await findDamage(copy)
  if (damage !== undefined) throw new DatabaseError(`The copy ${copy} is damaged: ${damage}`)
  if (!foldIntoOneFile(path))
    throw new DatabaseError(`Another process has ${path} open: end it before going back`)
  const aside = `${path}${ending}`
  const draft = `${path}.going-back`
  try {
    await copyFile(copy, draft)
    flush(draft)
    // Not renamed: killed in between, a start would find no database, and make a new one.
    await link(path, aside).catch(() => copyFile(path, aside))
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  report(`Went back to the copy ${copy}. What the newer version had is in ${aside}`)
}

async function newestCopy(path: string, steps: readonly MigrationStep[]): Promise<string | undefined> {
  const versions = [...steps.map(({ name }) => name), ...Object.keys(formerNames)]
  const copies = await Promise.all(
    versions.map(async (version) => {
      const copy = copyPath(path, version)
      return {
        copy,
        madeAt: await stat(copy).then(
          ({ mtimeMs }) => mtimeMs,
          () => undefined,
        ),
      }
    }),
  )
  const [newest] = copies
    .filter(({ madeAt }) => madeAt !== undefined)
    .toSorted((a, b) => (b.madeAt ?? 0) - (a.madeAt ?? 0))
  return newest?.copy
}
