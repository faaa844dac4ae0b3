import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import type { Instant } from '#platform/calendar/day.ts'
import { type Device, type InTurn, inTurns, latestTick, type Remembered } from './device.ts'
import {
  type Entry,
  type KeptList,
  type NewEntry,
  type Notice,
  noticeOf,
  seenBy,
  withFollowers,
} from './entry.ts'
import { datedAfter, datedLate, isUndated } from './made-at.ts'
import { randomId } from './random-id.ts'

interface Schema extends DBSchema {
  accounts: { key: string; value: Account }
  entries: { key: [account: string, seq: number]; value: Entry }
  lists: { key: [account: string, list: string]; value: KeptList }
  notices: { key: [account: string, id: number]; value: Notice }
  values: { key: [account: string, name: string]; value: { account: string; name: string; value: unknown } }
  turns: { key: string; value: { account: string; holder: string; until: number } }
}

interface Account {
  account: string
  life: string
  tick: number
  /** For each list, the tick of the read that is kept: a re-read then fetches only the rows that are new to it. */
  reads: Record<string, number>
  /** Of the change that was dated last. */
  at?: Instant | undefined
  /** The life that the browser took away before this one, and the ids of the writes that tabs have put back since. */
  after?: { life: string; entries: string[] } | undefined
}

const everything = ['accounts', 'entries', 'lists', 'notices', 'values', 'turns'] as const
type Change = IDBPTransaction<Schema, typeof everything, 'readwrite'>

/** Keeps everything in IndexedDB. Rejects where the browser has none or refuses it. */
export async function openIndexedDevice(name = 'daymark'): Promise<Device> {
  let tellOutdated = () => {}
  const outdated = new Promise<void>((resolve) => {
    tellOutdated = resolve
  })
  const closedListeners = new Set<() => void>()
  /** The store in which each life was found. */
  const storeOf = new Map<string, string>()
  let connecting: Promise<IDBPDatabase<Schema>> | undefined
  await connection()

  function connection(): Promise<IDBPDatabase<Schema>> {
    connecting ??= open().catch((refusal: unknown) => {
      connecting = undefined
      throw refusal
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
      blocking(_own, wanted) {
        database.close()
        // Somebody deletes the database: it is opened anew, empty.
        if (wanted === null) return closed()
        // A newer build in another tab changes the shape: this tab lets it, and says of later writes that they are not kept.
        connecting = undefined
        tellOutdated()
      },
      terminated: closed,
    })
    return database
  }

  /** Has `work` done once more where the browser took the connection away, and what was under way on it with that. */
  async function connected<Result>(
    work: (database: IDBPDatabase<Schema>) => Promise<Result>,
  ): Promise<Result> {
    const before = connection()
    try {
      return await work(await before)
    } catch (failure) {
      // The browser may say that the connection is closed only after the first that it refuses on it.
      if (connecting === before && !isClosed(failure)) throw failure
      if (connecting === before) connecting = undefined
      return work(await connection())
    }
  }

  /** `work` in one transaction, given the next tick of the account's clock; undefined where this life is over. */
  function change<Result>(
    account: string,
    life: string,
    durability: 'strict' | 'relaxed',
    work: (tx: Change, tick: number, record: Account) => Promise<Result>,
  ): Promise<Result | undefined> {
    return connected((database) => {
      const tx = database.transaction(everything, 'readwrite', { durability })
      return finish(tx, async () => {
        const record = await tx.objectStore('accounts').get(account)
        if (record?.life !== life) return undefined
        const tick = record.tick + 1
        await tx.objectStore('accounts').put({ ...record, tick })
        return work(tx, tick, record)
      })
    })
  }

  return {
    durable: true,
    outdated,
    whenClosed(listener) {
      closedListeners.add(listener)
    },

    open: (account) =>
      connected((database) => {
        const tx = database.transaction(everything, 'readwrite', { durability: 'strict' })
        return finish(tx, async () => {
          const record = await tx.objectStore('accounts').get(account)
          const life = record?.life ?? randomId()
          if (!record) await tx.objectStore('accounts').put({ account, life, tick: 0, reads: {} })
          storeOf.set(life, await nameOfStore(tx))
          return { life, ...(await everythingOf(tx, account)) }
        })
      }),

    revive: (account, life, remembered) =>
      connected((database) => {
        const tx = database.transaction(everything, 'readwrite', { durability: 'strict' })
        return finish(tx, async () => {
          const store = await nameOfStore(tx)
          if (storeOf.get(life) === store) return undefined
          const record = await tx.objectStore('accounts').get(account)
          const revived = revivedRecord(account, life, record, remembered)
          storeOf.set(revived.record.life, store)
          await putBack(tx, revived, remembered)
          await tx.objectStore('accounts').put(revived.record)
          const known = await everythingOf(tx, account)
          const ids = new Set(remembered.entries.map(({ id }) => id))
          const unsent = known.entries.filter(
            ({ id, acknowledged }) => acknowledged === undefined && ids.has(id),
          )
          return { life: revived.record.life, unsent: unsent.length, ...known }
        })
      }),

    reread: (account, life, since) =>
      connected(async (database) => {
        const tx = database.transaction(everything)
        const record = await tx.objectStore('accounts').get(account)
        if (record?.life !== life) return undefined
        const lists: KeptList[] = []
        for (const [list, tick] of Object.entries(record.reads)) {
          const kept = tick > (since.get(list) ?? 0) && (await tx.objectStore('lists').get([account, list]))
          if (kept) lists.push(kept)
        }
        return {
          entries: await tx.objectStore('entries').getAll(allOf(account)),
          notices: await tx.objectStore('notices').getAll(allOf(account)),
          lists,
          values: byName(await tx.objectStore('values').getAll(allOf(account))),
        }
      }),

    add: (account, life, entries, instead) =>
      change(account, life, 'strict', async (tx, tick, record) => {
        const placed = await place(tx, entries, tick, record)
        if (instead !== undefined) await tx.objectStore('notices').delete([account, instead])
        return placed
      }),

    change: (account, life, name, step, list) =>
      change(account, life, 'strict', async (tx, tick, record) => {
        const stored = await tx.objectStore('values').get([account, name])
        const answer = list === undefined ? undefined : await wholeAnswer(tx, account, list)
        const { value, entries } = step(stored?.value, answer)
        await tx.objectStore('values').put({ account, name, value })
        return { value, placed: await place(tx, entries, tick, record) }
      }),

    date: (account, life, ahead) =>
      change(account, life, 'strict', async (tx, tick, record) => {
        const waiting = await tx.objectStore('entries').getAll(allOf(account))
        const undated = waiting.filter(isUndated).length
        if (undated === 0) return 0
        const dated = datedLate(record.at, waiting, ahead)
        for (const entry of dated.entries) await tx.objectStore('entries').put(entry)
        await tx.objectStore('accounts').put({ ...record, tick, at: dated.last })
        return undated
      }),

    acknowledge: (account, life, seqs) =>
      change(account, life, 'relaxed', async (tx, tick) => {
        const entries = tx.objectStore('entries')
        const found = await Promise.all(seqs.map((seq) => entries.get([account, seq])))
        await Promise.all(found.map((entry) => entry && entries.put({ ...entry, acknowledged: tick })))
        return tick
      }),

    takeOut: (account, life, entry, told) =>
      change(account, life, 'strict', async (tx, tick) => {
        const gone = withFollowers(await tx.objectStore('entries').getAll(allOf(account)), entry)
        for (const { seq } of gone) await tx.objectStore('entries').delete([account, seq])
        const words = told && noticeOf(gone, told.reason, told.retriable)
        const notice = words && { ...words, id: tick }
        if (notice) await tx.objectStore('notices').add(notice)
        return { gone, notice }
      }),

    startRead: (account, life) => change(account, life, 'relaxed', async (_tx, tick) => tick),

    keepRead: (account, life, list, answer, tick) =>
      change(account, life, 'relaxed', async (tx, now, record) => {
        const known = await tx.objectStore('lists').get([account, list])
        if (known && known.tick > tick) return known
        const kept = { account, list, answer, tick }
        await tx.objectStore('lists').put(kept)
        const reads = { ...record.reads, [list]: tick }
        await tx.objectStore('accounts').put({ ...record, tick: now, reads })
        const seen = seenBy(await tx.objectStore('entries').getAll(allOf(account)), list, tick)
        for (const { seq } of seen) await tx.objectStore('entries').delete([account, seq])
        return kept
      }),

    dismiss: (account, notice) => connected((database) => database.delete('notices', [account, notice])),

    wipe: (account) =>
      connected((database) => {
        const tx = database.transaction(everything, 'readwrite', { durability: 'strict' })
        return finish(tx, async () => {
          await tx.objectStore('accounts').delete(account)
          for (const inTurn of inTurns) await tx.objectStore('turns').delete(turnKey(account, inTurn))
          await tx.objectStore('entries').delete(allOf(account))
          await tx.objectStore('lists').delete(allOf(account))
          await tx.objectStore('notices').delete(allOf(account))
          await tx.objectStore('values').delete(allOf(account))
        })
      }),

    takeTurn: (account, inTurn, holder, now, until) =>
      connected(async (database) => {
        const tx = database.transaction(['accounts', 'turns'], 'readwrite')
        const key = turnKey(account, inTurn)
        const turn = await tx.objectStore('turns').get(key)
        const lives = (await tx.objectStore('accounts').getKey(account)) !== undefined
        const free = lives && (!turn || turn.holder === holder || turn.until <= now)
        if (free) await tx.objectStore('turns').put({ account: key, holder, until })
        await tx.done
        return free
      }),
  }
}

/** Ticks by which an account's clock is put forward: past whatever other tabs have counted since. */
const unknownTicks = 1_000_000

/**
 * The record of an account that goes on after the browser took its storage away. `same`: what is remembered still has its
 * place in this clock's order, since there is no other order yet, or one that goes on from the same life.
 */
function revivedRecord(
  account: string,
  life: string,
  found: Account | undefined,
  remembered: Remembered,
): { record: Account; same: boolean; missing: Entry[] } {
  const alike = found?.after?.life === life ? found.after : undefined
  const back = new Set(alike?.entries)
  const missing = remembered.entries.filter(({ id }) => !back.has(id))
  const after = { life, entries: [...back, ...missing.map(({ id }) => id)] }
  if (found && alike) return { record: { ...found, after }, same: true, missing }
  const tick = Math.max(found?.tick ?? 0, latestTick(remembered)) + unknownTicks
  const at = Math.max(...remembered.entries.map((entry) => entry.at ?? 0), found?.at ?? 0) || undefined
  const record = { account, life: found?.life ?? randomId(), reads: found?.reads ?? {}, tick, at, after }
  return { record, same: !found, missing }
}

/** Puts back what a tab remembers and the device does not have, and moves the account's clock past it. */
async function putBack(
  tx: Change,
  { record, same, missing }: ReturnType<typeof revivedRecord>,
  { notices, values }: Remembered,
): Promise<void> {
  const { account } = record
  // What was acknowledged by another clock is in the next answer anyway.
  const entries = same ? missing : missing.filter(({ acknowledged }) => acknowledged === undefined)
  for (const entry of entries) {
    await tx.objectStore('entries').put(same ? entry : { ...entry, seq: ++record.tick })
  }
  for (const notice of notices) {
    await tx.objectStore('notices').put(same ? notice : { ...notice, id: ++record.tick })
  }
  for (const [name, value] of values) {
    const kept = await tx.objectStore('values').getKey([account, name])
    if (kept === undefined) await tx.objectStore('values').put({ account, name, value })
  }
}

/** Adds writes in their order, and moves the account's clock past them. */
async function place(
  tx: Change,
  entries: readonly NewEntry[],
  tick: number,
  record: Account,
): Promise<Entry[]> {
  const dated = datedAfter(record.at, entries)
  const placed = dated.entries.map((entry, index) => ({ ...entry, seq: tick + index }))
  for (const entry of placed) await tx.objectStore('entries').add(entry)
  await tx.objectStore('accounts').put({ ...record, tick: tick + entries.length, at: dated.last })
  return placed
}

/** What the server last answered of a list; undefined where a write to it waits, or was not seen by that yet. */
async function wholeAnswer(tx: Change, account: string, list: string): Promise<unknown> {
  const entries = await tx.objectStore('entries').getAll(allOf(account))
  if (entries.some((entry) => entry.list === list)) return undefined
  return (await tx.objectStore('lists').get([account, list]))?.answer
}

async function everythingOf(tx: Change, account: string) {
  return {
    entries: await tx.objectStore('entries').getAll(allOf(account)),
    notices: await tx.objectStore('notices').getAll(allOf(account)),
    lists: await tx.objectStore('lists').getAll(allOf(account)),
    values: byName(await tx.objectStore('values').getAll(allOf(account))),
  }
}

function byName(kept: readonly { name: string; value: unknown }[]): Map<string, unknown> {
  return new Map(kept.map(({ name, value }) => [name, value]))
}

/** Of the first builds on, the turn to send stands under the account alone. */
function turnKey(account: string, inTurn: InTurn): string {
  return inTurn === 'send' ? account : `${inTurn} ${account}`
}

/** Under which the store names itself, in no account's name: a store that is called otherwise was emptied by the browser. */
const storeKey = 'store'

async function nameOfStore(tx: Change): Promise<string> {
  const known = await tx.objectStore('turns').get(storeKey)
  if (known) return known.holder
  const name = randomId()
  await tx.objectStore('turns').put({ account: storeKey, holder: name, until: 0 })
  return name
}

function isClosed(failure: unknown): boolean {
  return failure instanceof DOMException && failure.name === 'InvalidStateError'
}

function allOf(account: string) {
  return IDBKeyRange.bound([account], [account, []])
}

/** What `work` answers, once the transaction is done; all of it is undone when either of them fails. */
async function finish<Result>(
  tx: { done: Promise<void>; abort(): void },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work()
    await tx.done
    return result
  } catch (error) {
    // Its own rejection says the same again; and aborting what has already ended throws.
    tx.done.catch(() => {})
    try {
      tx.abort()
    } catch {}
    throw error
  }
}
