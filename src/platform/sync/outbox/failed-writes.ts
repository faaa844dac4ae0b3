import {
  type FailedWrite,
  newQueuedWrite,
  type QueuedWrite,
  type WriteFailure,
} from '../local-store/queued-write.ts'
import type { Outbox } from './outbox.ts'

// What happens to queued writes that fail. Functions that store something reject if the local store fails.

/** Removes a write and the later writes that build on it. Reports them as failed, unless the person discarded them. */
export async function removeWrite(
  { replica }: Outbox,
  write: QueuedWrite,
  failure?: WriteFailure,
): Promise<void> {
  const result = await replica.run((store, account, incarnation) =>
    store.remove(account, incarnation, write, failure),
  )
  if (!result) return
  const { removed, failedWrite } = result
  const removedSeqs = new Set(removed.map(({ seq }) => seq))
  replica.changed({
    writes: replica.writes.filter(({ seq }) => !removedSeqs.has(seq)),
    failedWrites: [...replica.failedWrites, ...(failedWrite ? [failedWrite] : [])],
  })
}

/** Reports a write that the server accepted although a later change wins. The write stays queued until it is acknowledged. */
export async function reportLate(outbox: Outbox, write: QueuedWrite, failure: WriteFailure): Promise<void> {
  // A page that was closed before it could acknowledge the write may have reported it already.
  const isTold = outbox.replica.failedWrites.some(({ again }) => again.some(({ id }) => id === write.id))
  if (!isTold) await outbox.report([write], failure)
}

/** Queues the writes of a failed write again. `again`: the writes to queue instead, such as copies made at another instant. */
export async function queueAgain(
  outbox: Outbox,
  failedWrite: FailedWrite,
  again = failedWrite.again,
): Promise<void> {
  const { replica } = outbox
  if (failedWrite.id < 0) {
    await outbox.dismiss(failedWrite)
    await Promise.all(again.map((write) => outbox.queue(newQueuedWrite(replica.account, write))))
    return
  }
  const added = await replica.run((store, account, incarnation) =>
    store.add(account, incarnation, again, failedWrite.id),
  )
  if (!added) return
  await replica.reread()
  replica.changed()
}
