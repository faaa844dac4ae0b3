import { hasId } from '../collections/edited-rows.ts'
import { findDeclaredWrite } from '../collections/overlay.ts'
import {
  type FailedWrite,
  type NewQueuedWrite,
  newQueuedWrite,
  type QueuedWrite,
} from '../local-store/queued-write.ts'
import { queueAgain, removeWrite } from '../outbox/failed-writes.ts'
import type { AccountSync } from './account-sync.ts'

export interface Retry {
  /** The text of the button. */
  label: string
  /** Makes the write after all. `at`: when the person pressed the button, by this device's clock, in wire format. */
  run(at: string): Promise<void>
}

/** How a failed write can be made after all; undefined if it can't. */
export function retryOf(sync: AccountSync, failedWrite: FailedWrite): Retry | undefined {
  const { gone, late, again } = failedWrite
  const restoration = restorationOf(sync, failedWrite)
  // A write that was made before its row was deleted needs the row back first.
  if (again.length === 0 || (gone === 'later' && !restoration)) return undefined
  return {
    label: gone ? 'Bring back' : late ? 'Do it anyway' : 'Try again',
    run: async (at) => {
      if ((await restoration?.(at)) === false) return
      await tryAgain(
        sync,
        failedWrite,
        late ? again.map((write) => madeAt(sync, write, { at, late })) : again,
      )
    },
  }
}

/** Queues a failed write again. `again`: the writes to queue instead, such as the same writes made at another instant. */
export async function tryAgain(
  sync: AccountSync,
  failedWrite: FailedWrite,
  again = failedWrite.again,
): Promise<void> {
  await queueAgain(sync.outbox, failedWrite, again)
  sync.wake()
}

/** Removes a write that this build cannot send, together with the writes that build on it. */
export async function discard(sync: AccountSync, write: QueuedWrite): Promise<void> {
  await removeWrite(sync.outbox, write)
  sync.wake()
}

/** Returns a function that brings back the deleted row of a failed write; undefined if too little is known of the row. */
function restorationOf(
  sync: AccountSync,
  { gone, row, again }: FailedWrite,
): ((at: string) => Promise<boolean>) | undefined {
  if (!gone || !row || again.length === 0) return undefined
  const write = [...sync.writes.values()].find(
    ({ collection, restores }) => collection.name === row.list && restores !== undefined,
  )
  if (!write?.restores) return undefined
  const { list, subject } = row
  const last =
    sync.serverRowsOf(write.collection).find((known) => hasId(known, subject)) ??
    sync.edited.lastSeen(list, subject)
  if (last === undefined) return undefined
  const { restores } = write
  return (at) => sync.queue(write, restores(last, at))
}

/** A copy of the write, made at the instant `at`. If the write changes several fields, the copy changes only the `late` ones. */
function madeAt(
  sync: AccountSync,
  queued: NewQueuedWrite,
  { at, late }: { at: string; late: readonly string[] },
): NewQueuedWrite {
  const write = findDeclaredWrite(sync.writes, queued)
  const { vars } = queued
  if (!write || typeof vars !== 'object' || vars === null) return queued
  const changes = 'changes' in vars && typeof vars.changes === 'object' ? { ...vars.changes } : {}
  const left = Object.entries(changes).filter(([name]) => late.includes(name))
  const narrowed = left.length > 0 && { changes: Object.fromEntries(left) }
  const made = newQueuedWrite(sync.account, sync.describe(write, { ...vars, ...narrowed, at }))
  // Undo now has to reverse this copy instead of the original write.
  for (const own of sync.changes.own()) if (own.made.id === queued.id) own.made = made
  return made
}
