import type * as LateStore from './late-store.ts'
import { type LocalStore, leaderRoles } from './local-store.ts'
import { allStores, rowStores, type Transact, type Transaction } from './object-stores.ts'
import { unsentOf } from './queued-write.ts'
import { randomId } from './random-id.ts'
import { appendWrites, type Change, changeKey, leaseKey, ownOf, recordRead, stateOf } from './stored-state.ts'

/** The methods of every local store, whatever holds its object stores. `fetchLate`: fetches those that no first screen needs. */
export function createTransactionalStore(
  transact: Transact,
  fetchLate: () => Promise<typeof LateStore>,
): Omit<LocalStore, 'durable' | 'outdated' | 'onClosed'> {
  /** For each incarnation (see `LocalStore`), the id of the store in which this tab found it. */
  const storeIdOf = new Map<string, string>()

  const change: Change = (account, incarnation, durability, work) =>
    transact(allStores, durability, async (tx) => {
      const record = await tx.get('accounts', account)
      if (record?.life !== incarnation) return undefined
      const tick = record.tick + 1
      await tx.put('accounts', { ...record, tick })
      return work(tx, tick, record)
    })

  const late = async () => (await fetchLate()).lateMethods({ transact, change, storeIdOf, idOfStore })

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

    revive: async (...of) => (await late()).revive(...of),

    reread: async (account, incarnation, since, tags) => {
      const state = await transact(allStores, undefined, async (tx) => {
        const record = await tx.get('accounts', account)
        if (record?.life !== incarnation) return undefined
        const isSame = Object.entries(record.reads).every(([name, tick]) => tick <= (since.get(name) ?? 0))
        return isSame ? { ...(await ownOf(tx, account)), responses: [] } : 'another tab has read'
      })
      if (typeof state !== 'string') return state
      return (await late()).reread(account, incarnation, since, tags)
    },

    add: (account, incarnation, writes, retried) =>
      change(account, incarnation, 'strict', async (tx, tick, record) => {
        const added = await appendWrites(tx, writes, tick, record)
        if (retried !== undefined) await tx.delete('notices', [account, retried])
        return added
      }),

    changeValue: async (...of) => (await late()).changeValue(...of),

    addTimestamps: async (...of) => (await late()).addTimestamps(...of),

    acknowledge: async (...of) => (await late()).acknowledge(...of),

    remove: async (...of) => (await late()).remove(...of),

    report: async (...of) => (await late()).report(...of),

    startRead: (account, incarnation) => change(account, incarnation, 'relaxed', async (_tx, tick) => tick),

    storeResponse: (account, incarnation, collection, response, tick, tag) =>
      change(account, incarnation, 'relaxed', async (tx, now, record) => {
        if ((record.reads[collection] ?? 0) > tick) return false
        await tx.put('lists', { account, list: collection, answer: response, tick, tag })
        for (let place = record.states?.[collection]?.changes ?? 0; place > 0; place--)
          await tx.delete('lists', [account, changeKey(collection, place)])
        return recordRead(tx, { ...record, tick: now }, collection, { tick, tag, changes: 0 })
      }),

    storeChange: async (...of) => (await late()).storeChange(...of),

    dismiss: (account, failedWriteId) =>
      transact(['notices'], 'default', async (tx) => tx.delete('notices', [account, failedWriteId])),

    wipe: (account) =>
      transact(allStores, 'strict', async (tx) => {
        await tx.delete('accounts', account)
        for (const role of leaderRoles) await tx.delete('turns', leaseKey(account, role))
        for (const store of rowStores) await tx.deleteAll(store, account)
      }),

    claimLeadership: async (...of) => (await late()).claimLeadership(...of),
  }
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
