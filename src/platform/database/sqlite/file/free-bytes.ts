import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Free bytes where a file is, or is to be; undefined if unknown. */
export function freeBytesOf(path: string): number | undefined {
  try {
    const { bsize, bavail, bfree } = statfsSync(dirname(path))
    // A disk's reserved space is for root alone.
    return bsize * (process.getuid?.() === 0 ? bfree : bavail)
  } catch {
    return undefined
  }
}
