import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Free bytes on the disk of an existing or future file; undefined if unknown. */
export function freeBytesOf(path: string): number | undefined {
  try {
    const { bsize, bavail, bfree } = statfsSync(dirname(path))
    // Only root may use a disk's reserved space.
    return bsize * (process.getuid?.() === 0 ? bfree : bavail)
  } catch {
    return undefined
  }
}
