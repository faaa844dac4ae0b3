import { DatabaseSync } from 'node:sqlite'
import type { ScrubStep } from './sqlite-scrub.ts'
import { marks } from './sqlite-scrub-marks.ts'

// The process that writes a file of SQLite anew, one step at a time as it is told by `sqlite-scrub.ts`. It can be killed at
// any moment: what was not committed by then was never there.

// How long another program that reads or writes is waited for; our own writes wait behind it. It is tried again anyway.
const busyTimeout = 1_000

const database = new DatabaseSync(process.argv[2] ?? '', { timeout: busyTimeout })
// What it has written is moved from the log into the file in a step of its own, which keeps nobody from writing.
database.exec('pragma synchronous = full; pragma wal_autocheckpoint = 0')

const steps: Record<ScrubStep, () => void> = {
  rewrite() {
    // Another process was first, or an earlier one was killed after this step.
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
    // Where more was erased meanwhile, that mark stays.
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
