import { latestTick, type TabState } from './local-store.ts'
import type { Account, Transaction } from './object-stores.ts'
import { type QueuedWrite, unsentOf } from './queued-write.ts'
import { randomId } from './random-id.ts'

/**
 * Restores what a tab remembers and the store lacks, and moves the account's clock past it. Returns the incarnation that
 * continues.
 */
export async function restore(
  tx: Transaction,
  account: string,
  incarnation: string,
  remembered: TabState,
): Promise<string> {
  const found = await tx.get('accounts', account)
  const { record, sameOrder, missing } = revivedRecord(account, incarnation, found, remembered)
  // Under another clock, acknowledged writes are not restored: the next response includes them anyway.
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
 * The account's record after the browser cleared its storage. `sameOrder`: the remembered sequence numbers are still valid,
 * because there is no other record yet or the one there continues the same incarnation.
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
  const record = { account, life: found?.life ?? randomId(), reads: found?.reads ?? {}, tick, at, after }
  return { record, sameOrder: !found, missing }
}

/** How far an account's clock jumps, to be past the ticks that other tabs have counted since. */
const ticksSkipped = 1_000_000
