import { timestampsInOrder } from './change-timestamp.ts'
import type { LeaderRole, LocalState } from './local-store.ts'
import type { Account, ReadTransaction, StoredState, Transaction } from './object-stores.ts'
import { type NewerResponse, type NewQueuedWrite, type QueuedWrite, seenBy } from './queued-write.ts'

/** Runs `work` in one transaction with the next tick of the account's clock. Returns undefined if this incarnation has ended. */
export type Change = <Result>(
  account: string,
  incarnation: string,
  durability: 'strict' | 'relaxed',
  work: (tx: Transaction, tick: number, record: Account) => Promise<Result>,
) => Promise<Result | undefined>

/** Everything stored about an account. */
export async function stateOf(tx: ReadTransaction, account: string): Promise<LocalState> {
  const [record, own, lists] = await Promise.all([
    tx.get('accounts', account),
    ownOf(tx, account),
    tx.getAll('lists', account),
  ])
  const changes = lists.filter((stored) => 'of' in stored)
  const responses: NewerResponse[] = lists
    .filter((stored) => !('of' in stored))
    .map((stored) => {
      const now = record?.states?.[stored.list]
      // A read that found nothing changed has stored no more than its tick.
      const tick = record?.reads[stored.list] ?? stored.tick
      const newer = { ...stored, since: stored.tag, tick }
      if (!now?.changes || now.tick !== tick) return newer
      return { ...newer, tag: now.tag, changes: changes.filter(({ of }) => of === stored.list) }
    })
  return { ...own, responses }
}

/** What was made on this device: everything but the responses. */
export async function ownOf(tx: ReadTransaction, account: string): Promise<Omit<LocalState, 'responses'>> {
  // In parallel: each request costs one turn of the page's event loop and one of the browser's.
  const [values, writes, failedWrites] = await Promise.all([
    tx.getAll('values', account),
    tx.getAll('entries', account),
    tx.getAll('notices', account),
  ])
  return { writes, failedWrites, values: new Map(values.map(({ name, value }) => [name, value])) }
}

/** Appends writes in order and moves the account's clock past them. */
export async function appendWrites(
  tx: Transaction,
  writes: readonly NewQueuedWrite[],
  tick: number,
  record: Account,
): Promise<QueuedWrite[]> {
  const stamped = timestampsInOrder(record.at, writes)
  const added = stamped.writes.map((write, index) => ({ ...write, seq: tick + index }))
  for (const write of added) await tx.add('entries', write)
  await tx.put('accounts', { ...record, tick: tick + writes.length, at: stamped.last })
  return added
}

/** The key of a stored change. Sorts by the change's place, from 1 on. */
export function changeKey(collection: string, place: number): string {
  return `${collection} ${String(place).padStart(3, '0')}`
}

/** Records the state of what is stored after a read, and drops the writes that were accepted before the tick `upTo`. */
export async function recordRead(
  tx: Transaction,
  record: Account,
  collection: string,
  state: StoredState,
  upTo = state.tick,
): Promise<true> {
  const { account, reads, states } = record
  await tx.put('accounts', {
    ...record,
    reads: { ...reads, [collection]: state.tick },
    states: { ...states, [collection]: state },
  })
  const seen = seenBy(await tx.getAll('entries', account), collection, upTo)
  for (const { seq } of seen) await tx.delete('entries', [account, seq])
  return true
}

/** The key of a lease. Tabs of the previous version look for the lease for sending under the account alone. */
export function leaseKey(account: string, role: LeaderRole): string {
  return role === 'send' ? account : `${role} ${account}`
}
