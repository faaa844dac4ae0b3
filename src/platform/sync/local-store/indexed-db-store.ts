import { type IDBPDatabase, openDB } from 'idb'
import { duringActivity } from '#platform/browser/activity.ts'
import { timestampsInOrder } from '../outbox/change-timestamp.ts'
import {
  failedWriteOf,
  type NewQueuedWrite,
  type QueuedWrite,
  type StoredResponse,
  seenBy,
  unsentOf,
  withFollowers,
} from '../outbox/queued-write.ts'
import { type Account, allStores, type Schema, type Transaction } from './indexed-db-schema.ts'
import { type LeaderRole, type LocalStore, leaderRoles } from './local-store.ts'
import { randomId } from './random-id.ts'

/** Stores everything in IndexedDB. Rejects if the browser has none or denies access. */
export async function openIndexedDbStore(name = 'daymark'): Promise<LocalStore> {
  let resolveOutdated = () => {}
  const outdated = new Promise<void>((resolve) => {
    resolveOutdated = resolve
  })
  const closedListeners = new Set<() => void>()
  /** The id of the store in which each incarnation was found. */
  const storeIdOf = new Map<string, string>()
  let connecting: Promise<IDBPDatabase<Schema>> | undefined
  await connection()
  // Fetched while it can be: a browser that clears its storage may be without a connection then.
  void fetchRevival().catch(() => {})

  function connection(): Promise<IDBPDatabase<Schema>> {
    connecting ??= open().catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }

  function closed(): void {
    connecting = undefined
    for (const listener of closedListeners) listener()
  }

  async function open(): Promise<IDBPDatabase<Schema>> {
    const database = await openDB<Schema>(name, 2, {
      upgrade(store, version) {
        if (version < 1) {
          store.createObjectStore('accounts', { keyPath: 'account' })
          store.createObjectStore('entries', { keyPath: ['account', 'seq'] })
          store.createObjectStore('lists', { keyPath: ['account', 'list'] })
          store.createObjectStore('notices', { keyPath: ['account', 'id'] })
          store.createObjectStore('turns', { keyPath: 'account' })
        }
        if (version < 2) store.createObjectStore('values', { keyPath: ['account', 'name'] })
      },
      blocking(_own, newVersion) {
        database.close()
        // The database is being deleted: it is reopened empty.
        if (newVersion === null) return closed()
        // A newer build in another tab upgrades the schema: let it, and report later writes as not stored.
        connecting = undefined
        resolveOutdated()
      },
      terminated: closed,
    })
    return database
  }

  /** Runs `work`, and once more if the browser closed the connection and aborted what was in progress. */
  function connected<Result>(work: (database: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result> {
    return duringActivity(reconnecting(work))
  }

  async function reconnecting<Result>(
    work: (database: IDBPDatabase<Schema>) => Promise<Result>,
  ): Promise<Result> {
    const before = connection()
    try {
      return await work(await before)
    } catch (error) {
      // The browser may report a closed connection only after it has refused the first request on it.
      if (connecting === before && !isClosed(error)) throw error
      if (connecting === before) connecting = undefined
      return work(await connection())
    }
  }

  /** Runs `work` in one transaction with the next tick of the account's clock; undefined if this incarnation has ended. */
  function change<Result>(
    account: string,
    incarnation: string,
    durability: 'strict' | 'relaxed',
    work: (tx: Transaction, tick: number, record: Account) => Promise<Result>,
  ): Promise<Result | undefined> {
    return connected((database) => {
      const tx = database.transaction(allStores, 'readwrite', { durability })
      return finish(tx, async () => {
        const record = await tx.objectStore('accounts').get(account)
        if (record?.life !== incarnation) return undefined
        const tick = record.tick + 1
        await tx.objectStore('accounts').put({ ...record, tick })
        return work(tx, tick, record)
      })
    })
  }

  return {
    durable: true,
    outdated,
    onClosed(listener) {
      closedListeners.add(listener)
    },

    open: (account) =>
      connected((database) => {
        const tx = database.transaction(allStores, 'readwrite', { durability: 'strict' })
        return finish(tx, async () => {
          const record = await tx.objectStore('accounts').get(account)
          const incarnation = record?.life ?? randomId()
          if (!record)
            await tx.objectStore('accounts').put({ account, life: incarnation, tick: 0, reads: {} })
          storeIdOf.set(incarnation, await idOfStore(tx))
          return { incarnation, ...(await stateOf(tx, account)) }
        })
      }),

    countUnsent: (account) =>
      connected((database) => {
        const tx = database.transaction(['entries', 'notices'])
        return finish(tx, async () => {
          const writes = await tx.objectStore('entries').getAll(allOf(account))
          return unsentOf(writes).length + (await tx.objectStore('notices').count(allOf(account)))
        })
      }),

    revive: async (account, incarnation, remembered) => {
      const { revivedRecord, restore } = await fetchRevival()
      return connected((database) => {
        const tx = database.transaction(allStores, 'readwrite', { durability: 'strict' })
        return finish(tx, async () => {
          const store = await idOfStore(tx)
          if (storeIdOf.get(incarnation) === store) return undefined
          const record = await tx.objectStore('accounts').get(account)
          const revived = revivedRecord(account, incarnation, record, remembered)
          storeIdOf.set(revived.record.life, store)
          await restore(tx, revived, remembered)
          await tx.objectStore('accounts').put(revived.record)
          const state = await stateOf(tx, account)
          const ids = new Set(remembered.writes.map(({ id }) => id))
          const unsent = unsentOf(state.writes).filter(({ id }) => ids.has(id))
          return { incarnation: revived.record.life, unsent: unsent.length, ...state }
        })
      })
    },

    reread: (account, incarnation, since) =>
      connected((database) => {
        const tx = database.transaction(allStores)
        return finish(tx, async () => {
          const record = await tx.objectStore('accounts').get(account)
          if (record?.life !== incarnation) return undefined
          const responses: StoredResponse[] = []
          for (const [collection, tick] of Object.entries(record.reads)) {
            const stored =
              tick > (since.get(collection) ?? 0) &&
              (await tx.objectStore('lists').get([account, collection]))
            if (stored) responses.push(stored)
          }
          return {
            writes: await tx.objectStore('entries').getAll(allOf(account)),
            failedWrites: await tx.objectStore('notices').getAll(allOf(account)),
            responses,
            values: byName(await tx.objectStore('values').getAll(allOf(account))),
          }
        })
      }),

    add: (account, incarnation, writes, retried) =>
      change(account, incarnation, 'strict', async (tx, tick, record) => {
        const added = await appendWrites(tx, writes, tick, record)
        if (retried !== undefined) await tx.objectStore('notices').delete([account, retried])
        return added
      }),

    changeValue: (account, incarnation, name, step, collection) =>
      change(account, incarnation, 'strict', async (tx, tick, record) => {
        const stored = await tx.objectStore('values').get([account, name])
        const response = collection === undefined ? undefined : await currentResponse(tx, account, collection)
        const { value, writes } = step(stored?.value, response)
        await tx.objectStore('values').put({ account, name, value })
        return { value, added: await appendWrites(tx, writes, tick, record) }
      }),

    addTimestamps: (account, incarnation, stamp) =>
      change(account, incarnation, 'strict', async (tx, tick, record) => {
        const waiting = await tx.objectStore('entries').getAll(allOf(account))
        const { added, writes, last } = stamp(record.at, waiting)
        if (added === 0) return 0
        for (const write of writes) await tx.objectStore('entries').put(write)
        await tx.objectStore('accounts').put({ ...record, tick, at: last })
        return added
      }),

    acknowledge: (account, incarnation, seqs) =>
      change(account, incarnation, 'relaxed', async (tx, tick) => {
        const entries = tx.objectStore('entries')
        const found = await Promise.all(seqs.map((seq) => entries.get([account, seq])))
        await Promise.all(found.map((write) => write && entries.put({ ...write, acknowledged: tick })))
        return tick
      }),

    remove: (account, incarnation, write, failure) =>
      change(account, incarnation, 'strict', async (tx, tick) => {
        const queued = await tx.objectStore('entries').getAll(allOf(account))
        const removed = withFollowers(queued, write, failure?.last)
        for (const { seq } of removed) await tx.objectStore('entries').delete([account, seq])
        const withoutId = failure && failedWriteOf(removed, failure)
        const failedWrite = withoutId && { ...withoutId, id: tick }
        if (failedWrite) await tx.objectStore('notices').add(failedWrite)
        return { removed, failedWrite }
      }),

    report: (account, incarnation, writes, failure) =>
      change(account, incarnation, 'strict', async (tx, tick) => {
        const failed = failedWriteOf(writes, failure)
        if (!failed) return []
        await tx.objectStore('notices').add({ ...failed, id: tick })
        return [{ ...failed, id: tick }]
      }),

    startRead: (account, incarnation) => change(account, incarnation, 'relaxed', async (_tx, tick) => tick),

    storeResponse: (account, incarnation, collection, response, tick) =>
      change(account, incarnation, 'relaxed', async (tx, now, record) => {
        const current = await tx.objectStore('lists').get([account, collection])
        if (current && current.tick > tick) return current
        const stored = { account, list: collection, answer: response, tick }
        await tx.objectStore('lists').put(stored)
        const reads = { ...record.reads, [collection]: tick }
        await tx.objectStore('accounts').put({ ...record, tick: now, reads })
        const seen = seenBy(await tx.objectStore('entries').getAll(allOf(account)), collection, tick)
        for (const { seq } of seen) await tx.objectStore('entries').delete([account, seq])
        return stored
      }),

    dismiss: (account, failedWriteId) =>
      connected((database) => database.delete('notices', [account, failedWriteId])),

    wipe: (account) =>
      connected((database) => {
        const tx = database.transaction(allStores, 'readwrite', { durability: 'strict' })
        return finish(tx, async () => {
          await tx.objectStore('accounts').delete(account)
          for (const role of leaderRoles) await tx.objectStore('turns').delete(leaseKey(account, role))
          await tx.objectStore('entries').delete(allOf(account))
          await tx.objectStore('lists').delete(allOf(account))
          await tx.objectStore('notices').delete(allOf(account))
          await tx.objectStore('values').delete(allOf(account))
        })
      }),

    claimLeadership: (account, role, tabId, now, until) =>
      connected((database) => {
        const tx = database.transaction(['accounts', 'turns'], 'readwrite')
        return finish(tx, async () => {
          const key = leaseKey(account, role)
          const lease = await tx.objectStore('turns').get(key)
          const exists = (await tx.objectStore('accounts').getKey(account)) !== undefined
          // One that lasts longer than any can was claimed before the clock was set back.
          const isOver = !lease || lease.until <= now || lease.until > Math.max(now, until)
          const free = exists && (isOver || lease.holder === tabId)
          if (free) await tx.objectStore('turns').put({ account: key, holder: tabId, until })
          return free
        })
      }),
  }
}

/** In a part of its own: nearly no browser clears its storage under an open page. */
function fetchRevival() {
  return import('./revived-account.ts')
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
  for (const write of added) await tx.objectStore('entries').add(write)
  await tx.objectStore('accounts').put({ ...record, tick: tick + writes.length, at: stamped.last })
  return added
}

/** The latest response of a collection; undefined if a write to it is still queued or not yet included. */
async function currentResponse(tx: Transaction, account: string, collection: string): Promise<unknown> {
  const writes = await tx.objectStore('entries').getAll(allOf(account))
  if (writes.some((write) => write.list === collection)) return undefined
  return (await tx.objectStore('lists').get([account, collection]))?.answer
}

async function stateOf(tx: Transaction, account: string) {
  return {
    writes: await tx.objectStore('entries').getAll(allOf(account)),
    failedWrites: await tx.objectStore('notices').getAll(allOf(account)),
    responses: await tx.objectStore('lists').getAll(allOf(account)),
    values: byName(await tx.objectStore('values').getAll(allOf(account))),
  }
}

function byName(stored: readonly { name: string; value: unknown }[]): Map<string, unknown> {
  return new Map(stored.map(({ name, value }) => [name, value]))
}

/** The first builds stored the lease for sending under the account alone, so it stays there. */
function leaseKey(account: string, role: LeaderRole): string {
  return role === 'send' ? account : `${role} ${account}`
}

/** The key of the store's own id, which belongs to no account. If the id has changed, the browser had cleared the store. */
const storeIdKey = 'store'

async function idOfStore(tx: Transaction): Promise<string> {
  const known = await tx.objectStore('turns').get(storeIdKey)
  if (known) return known.holder
  const id = randomId()
  await tx.objectStore('turns').put({ account: storeIdKey, holder: id, until: 0 })
  return id
}

function isClosed(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'InvalidStateError'
}

function allOf(account: string) {
  return IDBKeyRange.bound([account], [account, []])
}

/** Returns the result of `work` once the transaction is done; rolls everything back if either fails. */
async function finish<Result>(
  tx: { done: Promise<void>; abort(): void },
  work: () => Promise<Result>,
): Promise<Result> {
  // `done` rejects with the same error, and may do so while `work` is between two requests.
  tx.done.catch(() => {})
  try {
    const result = await work()
    await tx.done
    return result
  } catch (error) {
    // Aborting a finished transaction throws.
    try {
      tx.abort()
    } catch {}
    throw error
  }
}
