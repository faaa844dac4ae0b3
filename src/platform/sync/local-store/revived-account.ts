import type { TabState } from './local-store.ts'
import type { Account, Transaction } from './object-stores.ts'
import { type QueuedWrite, unsentOf } from './queued-write.ts'
import { randomId } from './random-id.ts'

/**
 * Restores the data that a tab remembers and the store lacks, and moves the account's clock past it. Returns the incarnation (see
 * `LocalStore`) that continues.
 */
export async function restore(
  tx: Transaction,
  account: string,
  incarnation: string,
  remembered: TabState,
): Promise<string> {
  const found = await tx.get('accounts', account)
  const { record, sameOrder, missing } = revivedRecord(account, incarnation, found, remembered)
  // If another tab has started a new clock, acknowledged writes are not restored: the next response includes them anyway.
  const writes = sameOrder ? missing : unsentOf(missing)
  for (const write of writes) {
    await tx.put('entries', sameOrder ? write : { ...write, seq: ++record.tick })
  }
  for (const failedWrite of remembered.failedWrites) {
    await tx.put('notices', sameOrder ? failedWrite : { ...failedWrite, id: ++record.tick })
  }
  for (const [name, value] of remembered.values) {
    const stored = await tx.get('values', [account, name])
    if (!stored) await tx.put('values', { account, name, value })
  }
  await tx.put('accounts', record)
  return record.life
}

/** How many of the writes that a tab remembers are stored and unsent. */
export function unsentIn(stored: readonly QueuedWrite[], { writes }: TabState): number {
  const ids = new Set(writes.map(({ id }) => id))
  return unsentOf(stored).filter(({ id }) => ids.has(id)).length
}

/**
 * The account's record after the browser cleared its storage. `sameOrder`: whether the remembered sequence numbers are still
 * valid. They are if no record exists yet, or if the existing record continues the same incarnation.
 */
function revivedRecord(
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
  const { life = randomId(), reads = {}, states } = found ?? {}
  const record = { account, life, reads, states, tick, at, after }
  return { record, sameOrder: !found, missing }
}

/** The latest tick of the account's clock that a tab remembers. */
function latestTick({ writes, failedWrites, reads }: TabState): number {
  return Math.max(
    0,
    ...writes.map(({ seq, acknowledged = 0 }) => Math.max(seq, acknowledged)),
    ...failedWrites.map(({ id }) => id),
    ...reads.values(),
  )
}

/** Ticks by which a restored account's clock jumps ahead, to be past all that other tabs have counted since. */
const ticksSkipped = 1_000_000
