import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import type { Instant } from '#platform/calendar/day.ts'
import { type Device, type InTurn, inTurns } from './device.ts'
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
}

const everything = ['accounts', 'entries', 'lists', 'notices', 'values'] as const
type Change = IDBPTransaction<Schema, typeof everything, 'readwrite'>

/** Keeps everything in IndexedDB. Rejects where the browser has none or refuses it. */
export async function openIndexedDevice(name = 'daymark'): Promise<Device> {
  let tellOutdated = () => {}
  const outdated = new Promise<void>((resolve) => {
    tellOutdated = resolve
  })
  let database = await open()
  let closed = false

  function open() {
    return openDB<Schema>(name, 2, {
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
      // A newer build in another tab changes the shape: this tab lets it, and says of later writes that they are not kept.
      blocking() {
        database.close()
        closed = true
        tellOutdated()
      },
      terminated() {
        closed = true
      },
    })
  }

  async function connection(): Promise<IDBPDatabase<Schema>> {
    if (closed) {
      database = await open()
      closed = false
    }
    return database
  }

  /** `work` in one transaction, given the next tick of the account's clock; undefined where this life is over. */
  async function change<Result>(
    account: string,
    life: string,
    durability: 'strict' | 'relaxed',
    work: (tx: Change, tick: number, record: Account) => Promise<Result>,
  ): Promise<Result | undefined> {
    const tx = (await connection()).transaction(everything, 'readwrite', { durability })
    return finish(tx, async () => {
      const record = await tx.objectStore('accounts').get(account)
      if (record?.life !== life) return undefined
      const tick = record.tick + 1
      await tx.objectStore('accounts').put({ ...record, tick })
      return work(tx, tick, record)
    })
  }

  return {
    durable: true,
    outdated,

    async open(account) {
      const tx = (await connection()).transaction(everything, 'readwrite', { durability: 'strict' })
      return finish(tx, async () => {
        const record = await tx.objectStore('accounts').get(account)
        const life = record?.life ?? randomId()
        if (!record) await tx.objectStore('accounts').put({ account, life, tick: 0, reads: {} })
        return {
          life,
          entries: await tx.objectStore('entries').getAll(allOf(account)),
          notices: await tx.objectStore('notices').getAll(allOf(account)),
          lists: await tx.objectStore('lists').getAll(allOf(account)),
          values: byName(await tx.objectStore('values').getAll(allOf(account))),
        }
      })
    },

    async reread(account, life, since) {
      const tx = (await connection()).transaction(everything)
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
    },

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

    acknowledge: (account, life, seq) =>
      change(account, life, 'relaxed', async (tx, tick) => {
        const entry = await tx.objectStore('entries').get([account, seq])
        if (entry) await tx.objectStore('entries').put({ ...entry, acknowledged: tick })
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

    async dismiss(account, notice) {
      await (await connection()).delete('notices', [account, notice])
    },

    async wipe(account) {
      const stores = [...everything, 'turns'] as const
      const tx = (await connection()).transaction(stores, 'readwrite', { durability: 'strict' })
      await finish(tx, async () => {
        await tx.objectStore('accounts').delete(account)
        for (const inTurn of inTurns) await tx.objectStore('turns').delete(turnKey(account, inTurn))
        await tx.objectStore('entries').delete(allOf(account))
        await tx.objectStore('lists').delete(allOf(account))
        await tx.objectStore('notices').delete(allOf(account))
        await tx.objectStore('values').delete(allOf(account))
      })
    },

    async takeTurn(account, inTurn, holder, now, until) {
      const tx = (await connection()).transaction(['accounts', 'turns'], 'readwrite')
      const key = turnKey(account, inTurn)
      const turn = await tx.objectStore('turns').get(key)
      const lives = (await tx.objectStore('accounts').getKey(account)) !== undefined
      const free = lives && (!turn || turn.holder === holder || turn.until <= now)
      if (free) await tx.objectStore('turns').put({ account: key, holder, until })
      await tx.done
      return free
    },
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

function byName(kept: readonly { name: string; value: unknown }[]): Map<string, unknown> {
  return new Map(kept.map(({ name, value }) => [name, value]))
}

/** Of the first builds on, the turn to send stands under the account alone. */
function turnKey(account: string, inTurn: InTurn): string {
  return inTurn === 'send' ? account : `${inTurn} ${account}`
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
