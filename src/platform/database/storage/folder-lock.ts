import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Locks a folder and returns the function that unlocks it; undefined if another process has the lock. The lock also ends with
 * this process, however it ends. Node has no file locks but SQLite does, so an empty SQLite file in the folder is locked.
 */
export function lockFolder(folder: string): (() => void) | undefined {
  const file = new DatabaseSync(join(folder, '.lock'), { timeout: 0 })
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return undefined
    throw error
  }
  return () => file.close()
}
