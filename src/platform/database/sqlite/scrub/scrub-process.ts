import { DatabaseSync } from 'node:sqlite'
import type { ScrubStep } from './scrub.ts'
import { marks } from './scrub-marks.ts'

// The process that rewrites a SQLite file, one step at a time as `scrub.ts` requests. It can be killed at any moment: uncommitted
// work is discarded.

// Milliseconds to wait for another program that reads or writes. Short, because our own writes wait meanwhile, and a step that
// times out is retried anyway.
const busyTimeout = 1_000

const database = new DatabaseSync(process.argv[2] ?? '', { timeout: busyTimeout })
// No automatic checkpoints: the step `move` moves the changes from the log into the file, without blocking writers.
database.exec('pragma synchronous = full; pragma wal_autocheckpoint = 0')

const steps: Record<ScrubStep, () => void> = {
  rewrite() {
    // Any other mark means that the file is rewritten already: by another process, or by one that was killed after this step.
    if (mark() !== marks.erased) return
    database.exec(`vacuum; pragma user_version = ${marks.rewritten}`)
  },
  move() {
    database.exec('pragma wal_checkpoint(passive)')
  },
  empty() {
    if (mark() === marks.none) return
    const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() ?? {}
    if (busy !== 0) throw new Error('The write-ahead log could not be emptied while somebody reads from it')
    // If more was erased meanwhile, the file is marked `erased` again and keeps that mark.
    if (mark() === marks.rewritten) database.exec(`pragma user_version = ${marks.none}`)
  },
}

process.on('message', (step: ScrubStep) => {
  try {
    steps[step]()
    process.send?.({})
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) })
  }
})
process.once('disconnect', () => process.exit())

function mark(): unknown {
  return database.prepare('pragma user_version').get()?.user_version
}
