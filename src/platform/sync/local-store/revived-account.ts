import { type QueuedWrite, unsentOf } from '../outbox/queued-write.ts'
import type { Account, Transaction } from './indexed-db-schema.ts'
import { latestTick, type TabState } from './local-store.ts'
import { randomId } from './random-id.ts'

/**
 * The record of an account that continues after the browser cleared its storage. `sameOrder`: the remembered sequence
 * numbers are still valid, because there is no other record yet or the one there continues the same incarnation.
 */
export function revivedRecord(
  account: string,
  incarnation: string,
  found: Account | undefined,
  remembered: TabState,
): { record: Account; sameOrder: boolean; missing: QueuedWrite[] } {
  const earlier = found?.after?.life === incarnation ? found.after : undefined
  const restored = new Set(earlier?.entries)
  const missing = remembered.writes.filter(({ id }) => !restored.has(id))
  const after = { life: incarnation, entries: [...restored, ...missing.map(({ id }) => id)] }
  if (found && earlier) return { record: { ...found, after }, sameOrder: true, missing }
  const tick = Math.max(found?.tick ?? 0, latestTick(remembered)) + ticksSkipped
  const at = Math.max(...remembered.writes.map((write) => write.at ?? 0), found?.at ?? 0) || undefined
  const record = { account, life: found?.life ?? randomId(), reads: found?.reads ?? {}, tick, at, after }
  return { record, sameOrder: !found, missing }
}

/** Restores what a tab remembers and the store does not have, and moves the account's clock past it. */
export async function restore(
  tx: Transaction,
  { record, sameOrder, missing }: ReturnType<typeof revivedRecord>,
  { failedWrites, values }: TabState,
): Promise<void> {
  const { account } = record
  // What another clock has acknowledged is in the next response anyway.
  const writes = sameOrder ? missing : unsentOf(missing)
  for (const write of writes) {
    await tx.objectStore('entries').put(sameOrder ? write : { ...write, seq: ++record.tick })
  }
  for (const failedWrite of failedWrites) {
    await tx.objectStore('notices').put(sameOrder ? failedWrite : { ...failedWrite, id: ++record.tick })
  }
  for (const [name, value] of values) {
    const stored = await tx.objectStore('values').getKey([account, name])
    if (stored === undefined) await tx.objectStore('values').put({ account, name, value })
  }
}

/** How far an account's clock jumps ahead, to be past whatever other tabs have counted since. */
const ticksSkipped = 1_000_000
