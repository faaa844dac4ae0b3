import { hasId } from '../collections/edited-rows.ts'
import { findDeclaredWrite } from '../collections/overlay.ts'
import {
  type FailedWrite,
  type NewQueuedWrite,
  newQueuedWrite,
  type QueuedWrite,
} from '../local-store/queued-write.ts'
import type { AccountSync } from './account-sync.ts'

export interface Retry {
  /** As a button says it. */
  label: string
  /** `at`: when its person pressed it, by this device's clock, as on the wire. */
  run(at: string): Promise<void>
}

/** How a failed write can be made after all; undefined if it can't. */
export function retryOf(sync: AccountSync, failedWrite: FailedWrite): Retry | undefined {
  const { gone, late, again } = failedWrite
  const restoration = restorationOf(sync, failedWrite)
  // One that was made before its row was deleted needs that back first.
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

/** `again`: its writes, perhaps as they are made now. */
export async function tryAgain(
  sync: AccountSync,
  failedWrite: FailedWrite,
  again = failedWrite.again,
): Promise<void> {
  await sync.outbox.tryAgain(failedWrite, again)
  sync.wake()
}

/** Gives up a held write and those that build on it. */
export async function discard(sync: AccountSync, write: QueuedWrite): Promise<void> {
  await sync.outbox.remove(write)
  sync.wake()
}

/** What brings back the row of a failed write, together with what was typed; undefined if too little is known of it. */
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

/** The same write, made at another instant. Of several changes it makes only those that came too late. */
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
  // Whoever undoes it undoes what is made now.
  for (const own of sync.changes.own()) if (own.made.id === queued.id) own.made = made
  return made
}
