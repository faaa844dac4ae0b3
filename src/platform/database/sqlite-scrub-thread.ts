import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'

// How long another program that reads or writes is waited for; our own writes wait behind it. It is tried again anyway.
const busyTimeout = 1_000

const database = new DatabaseSync(String(workerData), { timeout: busyTimeout })
try {
  scrub()
} finally {
  database.close()
}

function scrub(): void {
  // Another process was first.
  if (database.prepare('pragma user_version').get()?.user_version === 0) return
  database.exec('pragma synchronous = full; vacuum')
  const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() ?? {}
  if (busy !== 0) throw new Error('The write-ahead log could not be emptied while somebody reads from it')
  database.exec('pragma user_version = 0')
}
