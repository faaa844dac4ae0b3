import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

// A disk that is really full, for a program under test: a small file system of its own, which goes with it. Linux gives one
// in a name space of mounts, to root and mostly to others too; many containers give none.

const unshare = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m']
const megabytes = 8

/** Why there is none here; undefined where there is. */
export function whyNoSmallDisk(): string | undefined {
  const tried = spawnSync('unshare', [...unshare, 'sh', '-c', 'mount -t tmpfs -o size=1m none /tmp'])
  return tried.status === 0 ? undefined : 'this machine gives no file system to tests'
}

/** Runs a program that alone sees a small disk, empty, in `folder`. */
export function spawnOnSmallDisk(folder: string, command: readonly string[], options: SpawnOptions) {
  const script = `mount -t tmpfs -o size=${megabytes}m none "$0" && exec "$@"`
  const child = spawn('unshare', [...unshare, 'sh', '-c', script, folder, ...command], options)
  // `unshare` and `sh` become the program, so that what they see is what it sees.
  const ballast = () => join(`/proc/${child.pid}/root`, folder, 'ballast')
  return {
    child,
    /** Leaves no room on it. */
    fill() {
      const block = Buffer.alloc(4096)
      try {
        writeFileSync(ballast(), '')
        for (;;) writeFileSync(ballast(), block, { flag: 'a' })
      } catch {
        // There is no room any more.
      }
    },
    makeRoom: () => rm(ballast()),
  }
}
