import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseRefusal } from './database-refusal.ts'

/** Where the copy of a database is kept that had got as far as `version`, the name of its last migration. */
export function copyPath(path: string, version: string): string {
  return `${path}.at-${version}.copy`
}

/**
 * Keeps a verified copy of what is committed in the file, beside it, before a migration changes it. To go back: stop the
 * program, put the copy in the file's place and remove the file's `-wal` and `-shm`.
 */
export function keepCopy(path: string, version: string): void {
  const kept = copyPath(path, version)
  const unfinished = `${kept}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    closeSync(openSync(unfinished, 'wx', 0o600))
    copyInto(unfinished, path)
    const damage = findDamage(unfinished)
    if (damage !== undefined) {
      throw new DatabaseRefusal(`The database ${path} is damaged, and was left as it is: ${damage}`)
    }
    flush(unfinished)
    renameSync(unfinished, kept)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

function copyInto(copy: string, path: string): void {
  const original = new DatabaseSync(path, { readOnly: true })
  try {
    original.prepare('vacuum into ?').run(copy)
  } finally {
    original.close()
  }
}

function findDamage(copy: string): string | undefined {
  const database = new DatabaseSync(copy, { readOnly: true })
  try {
    const verdict = database.prepare('pragma integrity_check(1)').get()?.integrity_check
    return verdict === 'ok' ? undefined : String(verdict)
  } finally {
    database.close()
  }
}

function flush(copy: string): void {
  const file = openSync(copy, 'r+')
  fsyncSync(file)
  closeSync(file)
}
