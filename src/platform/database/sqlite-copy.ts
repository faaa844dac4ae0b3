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
  closeSync(openSync(unfinished, 'wx', 0o600))

  const original = new DatabaseSync(path, { readOnly: true })
  try {
    original.prepare('vacuum into ?').run(unfinished)
  } finally {
    original.close()
  }
  verify(unfinished, path)
  renameSync(unfinished, kept)
}

function verify(copy: string, path: string): void {
  const database = new DatabaseSync(copy, { readOnly: true })
  try {
    const verdict = database.prepare('pragma integrity_check').all()
    if (verdict.length !== 1 || verdict[0]?.integrity_check !== 'ok') {
      throw new DatabaseRefusal(
        `The copy of ${path} to keep before its tables are changed is damaged: ${copy}`,
      )
    }
  } finally {
    database.close()
  }
  const file = openSync(copy, 'r+')
  fsyncSync(file)
  closeSync(file)
}
