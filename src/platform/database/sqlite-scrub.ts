import { Worker } from 'node:worker_threads'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

// What is deleted stays in the file until its place is needed: in free pages, in the gaps of pages that rows moved out of
// (where `secure_delete` leaves it too, as was seen), and in the write-ahead log. Only a file that is written anew has
// none of it. That is done on a thread of its own, during which the file can be read.

/** Part of the transaction that deletes, so that neither a kill nor a full disk lets the file keep it for good. */
export async function markForScrubbing(tx: Transaction<Tables>): Promise<void> {
  await sql`pragma user_version = 1`.execute(tx)
}

export async function isMarkedForScrubbing(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  return rows[0]?.user_version !== 0
}

/** Writes a marked file anew, without what was deleted from it. Nobody may write meanwhile. */
export async function scrubFile(path: string): Promise<void> {
  const worker = new Worker(new URL('./sqlite-scrub-thread.ts', import.meta.url), { workerData: path })
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', resolve)
  })
}
