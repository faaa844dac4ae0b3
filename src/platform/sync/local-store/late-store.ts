import type { LocalStore } from './local-store.ts'
import {
  type Account,
  allStores,
  type ReadTransaction,
  type Transact,
  type Transaction,
} from './object-stores.ts'
import {
  type FailedWrite,
  failedWriteOf,
  type NewerResponse,
  type NewQueuedWrite,
  type StoredChange,
  type WriteFailure,
  withFollowers,
} from './queued-write.ts'
import { restore, unsentIn } from './revived-account.ts'
import { appendWrites, type Change, changeKey, leaseKey, ownOf, recordRead, stateOf } from './stored-state.ts'

/** After so many changes, a whole response takes their place: each start of a page reads them all. */
const mostChanges = 200

interface LateMethodsParts {
  transact: Transact
  change: Change
  storeIdOf: Map<string, string>
  idOfStore(tx: Transaction): Promise<string>
}

/** The methods of every local store that no first screen needs. They come in a file of their own. */
export function lateMethods({
  transact,
  change,
  storeIdOf,
  idOfStore,
}: LateMethodsParts): Pick<
  LocalStore,
  | 'revive'
  | 'reread'
  | 'changeValue'
  | 'addTimestamps'
  | 'acknowledge'
  | 'remove'
  | 'report'
  | 'storeChange'
  | 'claimLeadership'
> {
  return {
    revive: async (account, incarnation, remembered) => {
      return transact(allStores, 'strict', async (tx) => {
        const store = await idOfStore(tx)
        if (storeIdOf.get(incarnation) === store) return undefined
        const continued = await restore(tx, account, incarnation, remembered)
        storeIdOf.set(continued, store)
        const state = await stateOf(tx, account)
        return { ...state, incarnation: continued, unsent: unsentIn(state.writes, remembered) }
      })
    },

    reread: (account, incarnation, since, tags) =>
      transact(allStores, undefined, async (tx) => {
        const record = await tx.get('accounts', account)
        if (record?.life !== incarnation) return undefined
        const responses: NewerResponse[] = []
        for (const [collection, tick] of Object.entries(record.reads)) {
          const newer =
            tick > (since.get(collection) ?? 0) &&
            (await newerThan(tx, record, collection, tags?.get(collection)))
          if (newer) responses.push(newer)
        }
        return { ...(await ownOf(tx, account)), responses }
      }),

    changeValue: (account, incarnation, name, step, collection) =>
      change(account, incarnation, 'strict', async (tx, tick, record) => {
        const stored = await tx.get('values', [account, name])
        const response = collection === undefined ? undefined : await currentResponse(tx, record, collection)
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

    storeChange: (account, incarnation, collection, { since, tick, tag, answer, isCarried }) =>
      change(account, incarnation, 'relaxed', async (tx, now, record) => {
        const read = record.reads[collection]
        const before = record.states?.[collection]
        if (read === undefined || read > tick) return false
        if (before?.tick !== read || before.tag === undefined) return false
        const next = { ...record, tick: now }
        const upTo = isCarried ? read : tick
        // Nothing has changed, or another tab has stored the same.
        if (before.tag === tag) return recordRead(tx, next, collection, { ...before, tick }, upTo)
        const changes = before.changes + 1
        if (before.tag !== since || !answer || changes > mostChanges) return false
        const key = changeKey(collection, changes)
        await tx.put('lists', { account, list: key, of: collection, since, answer, tick, tag })
        return recordRead(tx, next, collection, { tick, tag, changes }, upTo)
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

/**
 * The latest response of a collection; undefined while the collection has a write that the response may not include, or if changes
 * are stored behind it.
 */
async function currentResponse(
  tx: ReadTransaction,
  { account, states }: Account,
  collection: string,
): Promise<unknown> {
  if (states?.[collection]?.changes) return undefined
  const writes = await tx.getAll('entries', account)
  if (writes.some((write) => write.list === collection)) return undefined
  return (await tx.get('lists', [account, collection]))?.answer
}

/** What is stored of a collection; of rows with the tag `known`, only what has changed since. */
async function newerThan(
  tx: ReadTransaction,
  { account, reads, states }: Account,
  collection: string,
  known: string | undefined,
): Promise<NewerResponse | undefined> {
  const state = states?.[collection]
  const tick = reads[collection] ?? 0
  const changes: StoredChange[] = []
  let since = state?.tick === tick ? state.tag : undefined
  const newer = { account, list: collection, tick, tag: since, changes }
  for (let place = state?.changes ?? 0; since !== undefined && since !== known && place > 0; place--) {
    const change = await tx.get('lists', [account, changeKey(collection, place)])
    if (!change || !('of' in change)) break
    changes.unshift(change)
    since = change.since
  }
  if (since !== undefined && since === known) return { ...newer, since }
  const whole = await tx.get('lists', [account, collection])
  return whole && { ...newer, answer: whole.answer, since: whole.tag }
}
