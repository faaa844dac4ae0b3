import { timestampsInOrder } from './change-timestamp.ts'
import { type LeaderRole, type LocalState, type LocalStore, leaderRoles } from './local-store.ts'
import {
  type Account,
  allStores,
  type ReadTransaction,
  rowStores,
  type Transact,
  type Transaction,
} from './object-stores.ts'
import {
  type FailedWrite,
  failedWriteOf,
  type NewQueuedWrite,
  type QueuedWrite,
  type StoredResponse,
  seenBy,
  unsentOf,
  type WriteFailure,
  withFollowers,
} from './queued-write.ts'
import { randomId } from './random-id.ts'
import type * as Revival from './revived-account.ts'

/**
 * The methods of every local store, whatever holds its object stores. `fetchRevival`: fetches the code that restores an account
 * after the browser cleared the store.
 */
export function createTransactionalStore(
  transact: Transact,
  fetchRevival: () => Promise<typeof Revival>,
): Omit<LocalStore, 'durable' | 'outdated' | 'onClosed'> {
  /** For each incarnation (see `LocalStore`), the id of the store in which this tab found it. */
  const storeIdOf = new Map<string, string>()

  /**
   * Runs `work` in one transaction with the next tick of the account's clock. Returns undefined if this incarnation has ended.
   */
  function change<Result>(
    account: string,
    incarnation: string,
    durability: 'strict' | 'relaxed',
    work: (tx: Transaction, tick: number, record: Account) => Promise<Result>,
  ): Promise<Result | undefined> {
    return transact(allStores, durability, async (tx) => {
      const record = await tx.get('accounts', account)
      if (record?.life !== incarnation) return undefined
      const tick = record.tick + 1
      await tx.put('accounts', { ...record, tick })
      return work(tx, tick, record)
    })
  }

  return {
    open: async (account) => {
      // Try a read-only transaction first, because it is faster: the account nearly always exists already.
      const known = await transact(allStores, undefined, async (tx) => {
        const [record, store, state] = await Promise.all([
          tx.get('accounts', account),
          tx.get('turns', storeIdKey),
          stateOf(tx, account),
        ])
        return record && store && { incarnation: record.life, store: store.holder, state }
      })
      if (known) {
        storeIdOf.set(known.incarnation, known.store)
        return { ...known.state, incarnation: known.incarnation }
      }
      return transact(allStores, 'strict', async (tx) => {
        const record = await tx.get('accounts', account)
        const incarnation = record?.life ?? randomId()
        if (!record) await tx.put('accounts', { account, life: incarnation, tick: 0, reads: {} })
        storeIdOf.set(incarnation, await idOfStore(tx))
        return { ...(await stateOf(tx, account)), incarnation }
      })
    },

    countUnsent: (account) =>
      transact(['entries', 'notices'], undefined, async (tx) => {
        const writes = await tx.getAll('entries', account)
        return unsentOf(writes).length + (await tx.getAll('notices', account)).length
      }),

    revive: async (account, incarnation, remembered) => {
      const { restore, unsentIn } = await fetchRevival()
      return transact(allStores, 'strict', async (tx) => {
        const store = await idOfStore(tx)
        if (storeIdOf.get(incarnation) === store) return undefined
        const continued = await restore(tx, account, incarnation, remembered)
        storeIdOf.set(continued, store)
        const state = await stateOf(tx, account)
        return { ...state, incarnation: continued, unsent: unsentIn(state.writes, remembered) }
      })
    },

    reread: (account, incarnation, since) =>
      transact(allStores, undefined, async (tx) => {
        const record = await tx.get('accounts', account)
        if (record?.life !== incarnation) return undefined
        const responses: StoredResponse[] = []
        for (const [collection, tick] of Object.entries(record.reads)) {
          const stored = tick > (since.get(collection) ?? 0) && (await tx.get('lists', [account, collection]))
          if (stored) responses.push(stored)
        }
        return { ...(await ownOf(tx, account)), responses }
      }),

    add: (account, incarnation, writes, retried) =>
      change(account, incarnation, 'strict', async (tx, tick, record) => {
        const added = await appendWrites(tx, writes, tick, record)
        if (retried !== undefined) await tx.delete('notices', [account, retried])
        return added
      }),

    changeValue: (account, incarnation, name, step, collection) =>
      change(account, incarnation, 'strict', async (tx, tick, record) => {
        const stored = await tx.get('values', [account, name])
        const response = collection === undefined ? undefined : await currentResponse(tx, account, collection)
        const { value, writes } = step(stored?.value, response)
        await tx.put('values', { account, name, value })
        return { value, added: await appendWrites(tx, writes, tick, record) }
      }),

    addTimestamps: (account, incarnation, stamp) =>
      change(account, incarnation, 'strict', async (tx, tick, record) => {
        const waiting = await tx.getAll('entries', account)
        const { added, writes, last } = stamp(record.at, waiting)
        if (added === 0) return 0
        for (const write of writes) await tx.put('entries', write)
        await tx.put('accounts', { ...record, tick, at: last })
        return added
      }),

    acknowledge: (account, incarnation, seqs) =>
      change(account, incarnation, 'relaxed', async (tx, tick) => {
        const found = await Promise.all(seqs.map((seq) => tx.get('entries', [account, seq])))
        await Promise.all(found.map((write) => write && tx.put('entries', { ...write, acknowledged: tick })))
        return tick
      }),

    remove: (account, incarnation, write, failure) =>
      change(account, incarnation, 'strict', async (tx, tick) => {
        const queued = await tx.getAll('entries', account)
        const removed = withFollowers(queued, write, failure?.last)
        for (const { seq } of removed) await tx.delete('entries', [account, seq])
        return { removed, failedWrite: failure && (await addFailedWrite(tx, removed, failure, tick)) }
      }),

    report: (account, incarnation, writes, failure) =>
      change(account, incarnation, 'strict', async (tx, tick) => {
        const failedWrite = await addFailedWrite(tx, writes, failure, tick)
        return failedWrite ? [failedWrite] : []
      }),

    startRead: (account, incarnation) => change(account, incarnation, 'relaxed', async (_tx, tick) => tick),

    storeResponse: (account, incarnation, collection, response, tick) =>
      change(account, incarnation, 'relaxed', async (tx, now, record) => {
        const current = await tx.get('lists', [account, collection])
        if (current && current.tick > tick) return current
        const stored = { account, list: collection, answer: response, tick }
        await tx.put('lists', stored)
        const reads = { ...record.reads, [collection]: tick }
        await tx.put('accounts', { ...record, tick: now, reads })
        const seen = seenBy(await tx.getAll('entries', account), collection, tick)
        for (const { seq } of seen) await tx.delete('entries', [account, seq])
        return stored
      }),

    dismiss: (account, failedWriteId) =>
      transact(['notices'], 'default', async (tx) => tx.delete('notices', [account, failedWriteId])),

    wipe: (account) =>
      transact(allStores, 'strict', async (tx) => {
        await tx.delete('accounts', account)
        for (const role of leaderRoles) await tx.delete('turns', leaseKey(account, role))
        for (const store of rowStores) await tx.deleteAll(store, account)
      }),

    claimLeadership: (account, role, tabId, now, until) =>
      transact(['accounts', 'turns'], 'default', async (tx) => {
        const key = leaseKey(account, role)
        const lease = await tx.get('turns', key)
        const exists = (await tx.get('accounts', account)) !== undefined
        // A lease whose end is too far in the future was claimed before the clock was set back.
        const isOver = !lease || lease.until <= now || lease.until > Math.max(now, until)
        const free = exists && (isOver || lease.holder === tabId)
        if (free) await tx.put('turns', { account: key, holder: tabId, until })
        return free
      }),
  }
}

/** Appends writes in order and moves the account's clock past them. */
async function appendWrites(
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

/** Stores a failed write; returns undefined if `writes` is empty. */
async function addFailedWrite(
  tx: Transaction,
  writes: readonly NewQueuedWrite[],
  failure: WriteFailure,
  id: number,
): Promise<FailedWrite | undefined> {
  const failed = failedWriteOf(writes, failure)
  const failedWrite = failed && { ...failed, id }
  if (failedWrite) await tx.add('notices', failedWrite)
  return failedWrite
}

/** The latest response of a collection; undefined while the collection has a write that the response may not include. */
async function currentResponse(tx: ReadTransaction, account: string, collection: string): Promise<unknown> {
  const writes = await tx.getAll('entries', account)
  if (writes.some((write) => write.list === collection)) return undefined
  return (await tx.get('lists', [account, collection]))?.answer
}

async function stateOf(tx: ReadTransaction, account: string): Promise<LocalState> {
  const [own, responses] = await Promise.all([ownOf(tx, account), tx.getAll('lists', account)])
  return { ...own, responses }
}

/** What was made on this device: everything but the responses. */
async function ownOf(tx: ReadTransaction, account: string): Promise<Omit<LocalState, 'responses'>> {
  // In parallel: each request costs one turn of the page's event loop and one of the browser's.
  const [values, writes, failedWrites] = await Promise.all([
    tx.getAll('values', account),
    tx.getAll('entries', account),
    tx.getAll('notices', account),
  ])
  return { writes, failedWrites, values: new Map(values.map(({ name, value }) => [name, value])) }
}

/** The key of a lease. Tabs of the previous version look for the lease for sending under the account alone. */
function leaseKey(account: string, role: LeaderRole): string {
  return role === 'send' ? account : `${role} ${account}`
}

/** The key of the store's own id, which belongs to no account. A changed id means that the browser has cleared the store. */
const storeIdKey = 'store'

async function idOfStore(tx: Transaction): Promise<string> {
  const known = await tx.get('turns', storeIdKey)
  if (known) return known.holder
  const id = randomId()
  await tx.put('turns', { account: storeIdKey, holder: id, until: 0 })
  return id
}
