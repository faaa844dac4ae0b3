import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { describe, expect, it, vi } from 'vitest'
import type { Instant } from '#platform/calendar/day.ts'
import { addLateTimestamps } from '../outbox/late-timestamps.ts'
import { openIndexedDbStore } from './indexed-db-store.ts'
import type { LocalStore } from './local-store.ts'
import { createMemoryStore } from './memory-store.ts'
import type { NewQueuedWrite, QueuedWrite } from './queued-write.ts'

let names = 0
const ahead = (by: number) => (last: Instant | undefined, waiting: readonly QueuedWrite[]) =>
  addLateTimestamps(last, waiting, { aheadOf: () => by, moved: ({ vars }) => vars })
const stores: [string, () => Promise<LocalStore>][] = [
  ['IndexedDB', () => openIndexedDbStore(`test-${++names}`)],
  ['memory', async () => createMemoryStore()],
]
const nothingRead = new Map<string, number>()

function newWrite(subject: string, account = 'ann', list = 'notes'): NewQueuedWrite {
  return {
    id: `${subject}-${Math.random()}`,
    account,
    list,
    write: 'notes.put',
    version: 1,
    vars: { text: subject },
    subject,
    refusal: 'Failed to keep note',
    text: subject,
  }
}

describe.each(stores)('a local store in %s', (_name, openStore) => {
  async function begin() {
    const store = await openStore()
    const { incarnation } = await store.open('ann')
    const add = async (...writes: NewQueuedWrite[]) => (await store.add('ann', incarnation, writes)) ?? []
    const state = async () => {
      const found = await store.reread('ann', incarnation, nothingRead)
      if (!found) throw new Error("Ann's incarnation has ended")
      return found
    }
    return { store, incarnation, add, state }
  }

  it('returns writes in the order in which they were made', async () => {
    const { add, state } = await begin()
    await add(newWrite('a'), newWrite('b'))
    await add(newWrite('a'))
    expect((await state()).writes.map(({ subject }) => subject)).toEqual(['a', 'b', 'a'])
  })

  it('counts what the server has not accepted', async () => {
    const { store, incarnation, add } = await begin()
    const [first, second] = await add(newWrite('a'), newWrite('b'), newWrite('c'))
    if (!first || !second) throw new Error('Nothing was added')
    await store.acknowledge('ann', incarnation, [first.seq])
    await store.remove('ann', incarnation, second, { reason: 'No.', retriable: false })
    expect(await store.countUnsent('ann')).toBe(2)
    await store.wipe('ann')
    expect(await store.countUnsent('ann')).toBe(0)
  })

  it('keeps the changes of a device in order even if the server’s time was known less precisely for a later one', async () => {
    const { add } = await begin()
    const [first] = await add({ ...newWrite('a'), at: 10_000 })
    const [second, third] = await add({ ...newWrite('a'), at: 9_200 }, { ...newWrite('b'), at: 9_300 })
    expect([first?.at, second?.at, third?.at]).toEqual([10_000, 10_001, 10_002])
    // A retried write keeps the time at which it was made.
    expect(await add({ ...newWrite('c'), at: 1_000 })).toMatchObject([{ at: 1_000 }])
  })

  it('adds timestamps only to what was made before the server’s time was known', async () => {
    const { store, incarnation, add, state } = await begin()
    const dated = { ...newWrite('a'), vars: { at: '2026-11-20T09:30:00.000Z' } }
    await add(dated, newWrite('without an instant'), { ...dated, at: 7 })
    expect(await store.addTimestamps('ann', incarnation, ahead(1_000))).toBe(1)
    expect(await store.addTimestamps('ann', incarnation, ahead(5_000))).toBe(0)
    const { writes } = await state()
    expect(writes.map(({ at }) => at)).toEqual([Date.parse('2026-11-20T09:30:01.000Z'), undefined, 7])
    expect(await store.addTimestamps('ann', 'another incarnation', ahead(1_000))).toBeUndefined()
  })

  it('keeps changes in order, whether or not the server’s time was known for them', async () => {
    const { store, incarnation, add, state } = await begin()
    const by = (at: string) => ({ ...newWrite('a'), vars: { at: `2026-11-20T09:30:0${at}Z` } })
    const dated = Date.parse('2026-11-20T09:30:01.000Z')
    const [first] = await add({ ...by('0.000'), at: dated })
    await add(by('0.001'))
    await store.addTimestamps('ann', incarnation, ahead(900))
    const dates = async () => (await state()).writes.map(({ at }) => at)
    expect(await dates()).toEqual([dated, dated + 1])
    // The earlier one may have been sent and read by then.
    await store.remove('ann', incarnation, { ...newWrite('a'), seq: first?.seq ?? 0 })
    const [undated] = await add(by('0.002'))
    await store.addTimestamps('ann', incarnation, ahead(900))
    expect((await dates()).at(-1)).toBe(dated + 2)
    expect(undated?.at).toBeUndefined()
    // And the next change comes after it.
    expect(await add({ ...by('0.003'), at: dated })).toMatchObject([{ at: dated + 3 }])
  })

  it('keeps the accounts apart', async () => {
    const { store, add, state } = await begin()
    await add(newWrite('a'))
    const { incarnation, writes } = await store.open('bob')
    expect(writes).toEqual([])
    await store.add('bob', incarnation, [newWrite('b', 'bob')])
    await store.wipe('bob')
    expect((await state()).writes).toHaveLength(1)
  })

  it('removes the later writes to the same row together with a refused one, and reports all of them', async () => {
    const { store, incarnation, add, state } = await begin()
    const [first, , refused] = await add(
      newWrite('a'),
      newWrite('b'),
      newWrite('a'),
      newWrite('b'),
      newWrite('a', 'ann', 'other'),
    )
    await add({ ...newWrite('a'), text: 'a, later' })
    if (!refused || !first) throw new Error('Nothing was added')
    await store.remove('ann', incarnation, refused, { reason: 'No.', retriable: false })
    const { writes, failedWrites } = await state()
    expect(writes.map(({ list, subject }) => `${list} ${subject}`)).toEqual([
      'notes a',
      'notes b',
      'notes b',
      'other a',
    ])
    expect(failedWrites).toMatchObject([
      { title: 'Failed to keep note', reason: 'No.', texts: ['a', 'a, later'], again: [] },
    ])
  })

  it('queues all of them again from the failed write, which is then gone', async () => {
    const { store, incarnation, add, state } = await begin()
    const [refused] = await add(newWrite('a'), newWrite('a'))
    if (!refused) throw new Error('Nothing was added')
    const removed = await store.remove('ann', incarnation, refused, { reason: 'No.', retriable: true })
    await store.add('ann', incarnation, removed?.failedWrite?.again ?? [], removed?.failedWrite?.id)
    expect(await state()).toMatchObject({ writes: [{ subject: 'a' }, { subject: 'a' }], failedWrites: [] })
  })

  it('drops an acknowledged write only for a read that started later', async () => {
    const { store, incarnation, add, state } = await begin()
    const [first, second] = await add(newWrite('a'), newWrite('b'))
    if (!first || !second) throw new Error('Nothing was added')
    const early = await store.startRead('ann', incarnation)
    await store.acknowledge('ann', incarnation, [first.seq])
    const late = await store.startRead('ann', incarnation)
    await store.acknowledge('ann', incarnation, [second.seq])
    await store.storeResponse('ann', incarnation, 'notes', 'early', early ?? 0)
    expect((await state()).writes).toHaveLength(2)
    await store.storeResponse('ann', incarnation, 'notes', 'late', late ?? 0)
    expect((await state()).writes).toMatchObject([{ subject: 'b' }])
  })

  it('never replaces a later read with an earlier one', async () => {
    const { store, incarnation, state } = await begin()
    const early = (await store.startRead('ann', incarnation)) ?? 0
    const late = (await store.startRead('ann', incarnation)) ?? 0
    await store.storeResponse('ann', incarnation, 'notes', 'late', late)
    const stored = await store.storeResponse('ann', incarnation, 'notes', 'early', early)
    expect(stored).toBe(false)
    expect((await state()).responses).toMatchObject([{ answer: 'late' }])
  })

  it('returns only the responses that are new to a re-read', async () => {
    const { store, incarnation } = await begin()
    const tick = (await store.startRead('ann', incarnation)) ?? 0
    await store.storeResponse('ann', incarnation, 'notes', 'rows', tick)
    expect(await store.reread('ann', incarnation, new Map([['notes', tick]]))).toMatchObject({
      responses: [],
    })
    expect(await store.reread('ann', incarnation, nothingRead)).toMatchObject({
      responses: [{ list: 'notes' }],
    })
  })

  it('lets a slow tab bring nothing back after a wipe, even if the person has signed in again', async () => {
    const { store, incarnation, add } = await begin()
    const [written] = await add(newWrite('a'))
    if (!written) throw new Error('Nothing was added')
    const tick = (await store.startRead('ann', incarnation)) ?? 0
    await store.wipe('ann')
    const anew = await store.open('ann')
    expect(anew).toMatchObject({ writes: [], failedWrites: [], responses: [] })
    expect(await store.add('ann', incarnation, [newWrite('b')])).toBeUndefined()
    expect(await store.storeResponse('ann', incarnation, 'notes', 'rows', tick)).toBeUndefined()
    expect(await store.acknowledge('ann', incarnation, [written.seq])).toBeUndefined()
    expect(
      await store.remove('ann', incarnation, written, { reason: 'No.', retriable: false }),
    ).toBeUndefined()
    expect(await store.startRead('ann', incarnation)).toBeUndefined()
    expect(await store.reread('ann', incarnation, nothingRead)).toBeUndefined()
    expect(
      await store.changeValue('ann', incarnation, 'timer', () => ({ value: 1, writes: [] })),
    ).toBeUndefined()
    expect(await store.reread('ann', anew.incarnation, nothingRead)).toEqual({
      writes: [],
      failedWrites: [],
      responses: [],
      values: new Map(),
    })
  })

  it('changes a device value from its latest state, whichever tab changed it last', async () => {
    const { store, incarnation, state } = await begin()
    const count = (stored: unknown) => ({ value: Number(stored ?? 0) + 1, writes: [] })
    await Promise.all([1, 2, 3].map(() => store.changeValue('ann', incarnation, 'count', count)))
    expect((await state()).values).toEqual(new Map([['count', 3]]))
    const bob = await store.open('bob')
    expect(bob.values).toEqual(new Map())
  })

  it('stores a device value and the write that belongs to it together, in the order of all writes', async () => {
    const { store, incarnation, add, state } = await begin()
    await add(newWrite('before'))
    const changed = await store.changeValue('ann', incarnation, 'timer', () => ({
      value: 'idle',
      writes: [newWrite('session')],
    }))
    await add(newWrite('after'))
    expect(changed).toMatchObject({ value: 'idle', added: [{ subject: 'session' }] })
    const { writes, values } = await state()
    expect(writes.map(({ subject }) => subject)).toEqual(['before', 'session', 'after'])
    expect(values).toEqual(new Map([['timer', 'idle']]))
  })

  it('passes the latest response to a change of a device value, unless it does not include every write', async () => {
    const { store, incarnation, add, state } = await begin()
    const responseSeen = async (collection?: string) => {
      let seen: unknown = 'not passed'
      const step = (_stored: unknown, response: unknown) => {
        seen = response
        return { value: 1, writes: [] }
      }
      await store.changeValue('ann', incarnation, 'timer', step, collection)
      return seen
    }
    const read = async (response: string) => {
      const tick = (await store.startRead('ann', incarnation)) ?? 0
      await store.storeResponse('ann', incarnation, 'notes', response, tick)
    }
    expect(await responseSeen('notes')).toBeUndefined()
    await read('first')
    expect([await responseSeen('notes'), await responseSeen('others'), await responseSeen()]).toEqual([
      'first',
      undefined,
      undefined,
    ])
    const [added] = await add(newWrite('a'))
    expect(await responseSeen('notes')).toBeUndefined()
    await store.acknowledge('ann', incarnation, [added?.seq ?? 0])
    expect(await responseSeen('notes')).toBeUndefined()
    await read('second')
    expect((await state()).writes).toEqual([])
    expect(await responseSeen('notes')).toBe('second')
  })

  it('erases a device value with the account', async () => {
    const { store, incarnation } = await begin()
    await store.changeValue('ann', incarnation, 'timer', () => ({ value: 'running', writes: [] }))
    await store.wipe('ann')
    expect((await store.open('ann')).values).toEqual(new Map())
  })

  it('deletes a dismissed failed write', async () => {
    const { store, incarnation, add, state } = await begin()
    const [refused] = await add(newWrite('a'))
    if (!refused) throw new Error('Nothing was added')
    const removed = await store.remove('ann', incarnation, refused, { reason: 'No.', retriable: false })
    await store.dismiss('ann', removed?.failedWrite?.id ?? 0)
    expect((await state()).failedWrites).toEqual([])
  })

  it('makes one tab the leader, and another one when the lease was not renewed', async () => {
    const store = await openStore()
    for (const account of ['ann', 'bob']) await store.open(account)
    expect(await store.claimLeadership('ann', 'send', 'first', 0, 10)).toBe(true)
    expect(await store.claimLeadership('ann', 'send', 'second', 5, 15)).toBe(false)
    expect(await store.claimLeadership('ann', 'live', 'second', 5, 15)).toBe(true)
    expect(await store.claimLeadership('ann', 'send', 'first', 9, 19)).toBe(true)
    expect(await store.claimLeadership('bob', 'send', 'second', 9, 19)).toBe(true)
    expect(await store.claimLeadership('ann', 'send', 'second', 19, 29)).toBe(true)
  })

  it('brings nothing back of an account that was erased here', async () => {
    const { store, incarnation, add } = await begin()
    const writes = await add(newWrite('a'))
    await store.wipe('ann')
    const remembered = { writes, failedWrites: [], values: new Map(), reads: nothingRead }
    expect(await store.revive('ann', incarnation, remembered)).toBeUndefined()
    expect((await store.open('ann')).writes).toEqual([])
  })

  it('continues what a tab remembers of a store that is gone, and restores it only once', async () => {
    const { incarnation, add } = await begin()
    const [write, other] = await add(newWrite('a'), newWrite('b'))
    if (!write || !other) throw new Error('Nothing was added')
    const another = await openStore()
    const remembered = {
      writes: [{ ...write, acknowledged: other.seq }, other],
      failedWrites: [],
      values: new Map([['timer', 'running']]),
      reads: nothingRead,
    }
    const revived = await another.revive('ann', incarnation, remembered)
    expect(revived).toMatchObject({ unsent: 1, writes: remembered.writes, responses: [] })
    expect(revived?.values).toEqual(remembered.values)
    await another.acknowledge('ann', revived?.incarnation ?? '', [other.seq])
    const read = (await another.startRead('ann', revived?.incarnation ?? '')) ?? 0
    await another.storeResponse('ann', revived?.incarnation ?? '', 'notes', 'rows', read)
    expect(await another.revive('ann', incarnation, remembered)).toMatchObject({
      incarnation: revived?.incarnation,
      unsent: 0,
      writes: [],
    })
  })

  it('changes nothing if a change fails in the middle', async () => {
    const { store, incarnation, add, state } = await begin()
    await store.changeValue('ann', incarnation, 'timer', () => ({ value: 'kept', writes: [] }))
    const unreadable = {
      ...newWrite('b'),
      get vars() {
        throw new Error('It cannot be read')
      },
    }
    const failing = store.changeValue('ann', incarnation, 'timer', () => ({
      value: 'lost',
      writes: [unreadable],
    }))
    const next = add(newWrite('a'))
    await expect(failing).rejects.toThrow('It cannot be read')
    await next
    expect((await state()).writes).toMatchObject([{ subject: 'a' }])
    expect((await state()).values).toEqual(new Map([['timer', 'kept']]))
  })
})

describe('a local store in IndexedDB', () => {
  it('keeps nothing of an erased account, not even who its leader is', async () => {
    const name = `test-${++names}`
    const store = await openIndexedDbStore(name)
    await store.open('ann')
    for (const role of ['send', 'live'] as const) await store.claimLeadership('ann', role, 'first', 0, 10)
    await store.wipe('ann')
    // A tab that does not know yet renews its lease or releases it.
    for (const role of ['send', 'live'] as const) {
      expect(await store.claimLeadership('ann', role, 'first', 9, 19)).toBe(false)
    }
    const database = await openDB(name)
    for (const objectStore of database.objectStoreNames) {
      const rows = await database.getAll(objectStore)
      // The store's own random id distinguishes it from one that the browser cleared.
      expect(rows.filter(({ account }) => account !== 'store')).toEqual([])
    }
    database.close()
  })

  it.each<[string, (store: LocalStore, incarnation: string) => Promise<unknown>]>([
    ['it is read', (store, incarnation) => store.reread('ann', incarnation, nothingRead)],
    ['a leader is chosen', (store) => store.claimLeadership('ann', 'send', 'first', 0, 10)],
    ['something is added', (store, incarnation) => store.add('ann', incarnation, [newWrite('a')])],
  ])('what the browser aborts while %s is told to the caller, and to nobody else', async (_name, use) => {
    const store = await openIndexedDbStore(`test-${++names}`)
    const { incarnation } = await store.open('ann')
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const begin = IDBDatabase.prototype.transaction
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(function (
      this: IDBDatabase,
      ...options
    ) {
      const tx = begin.apply(this, options)
      queueMicrotask(() => tx.abort())
      return tx
    })
    await expect(use(store, incarnation)).rejects.toThrow('aborted')
    await new Promise((resolve) => setTimeout(resolve))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('keeps no trace of an account by counting what it has', async () => {
    const name = `test-${++names}`
    const store = await openIndexedDbStore(name)
    expect(await store.countUnsent('ann')).toBe(0)
    const database = await openDB(name)
    expect(await database.getAll('accounts')).toEqual([])
    database.close()
  })

  it('finds everything again after a restart', async () => {
    const name = `test-${++names}`
    const before = await openIndexedDbStore(name)
    const { incarnation } = await before.open('ann')
    await before.add('ann', incarnation, [newWrite('a')])
    await before.changeValue('ann', incarnation, 'timer', () => ({ value: 'running', writes: [] }))
    const after = await (await openIndexedDbStore(name)).open('ann')
    expect(after).toMatchObject({ incarnation, writes: [{ subject: 'a', vars: { text: 'a' } }] })
    expect(after.values).toEqual(new Map([['timer', 'running']]))
  })

  it('opens what the version before stored', async () => {
    const name = `test-${++names}`
    const before = await openDB(name, 2, {
      upgrade(store) {
        store.createObjectStore('accounts', { keyPath: 'account' })
        store.createObjectStore('entries', { keyPath: ['account', 'seq'] })
        store.createObjectStore('lists', { keyPath: ['account', 'list'] })
        store.createObjectStore('notices', { keyPath: ['account', 'id'] })
        store.createObjectStore('turns', { keyPath: 'account' })
        store.createObjectStore('values', { keyPath: ['account', 'name'] })
      },
    })
    await before.put('accounts', { account: 'ann', life: 'first', tick: 4, reads: { notes: 2 }, at: 7 })
    await before.put('entries', { ...newWrite('sent'), seq: 1, at: 6, acknowledged: 3 })
    await before.put('entries', { ...newWrite('waits'), seq: 2, typed: true, at: 7 })
    await before.put('lists', { account: 'ann', list: 'notes', answer: 'rows', tick: 2 })
    const failed = { title: 'No.', reason: 'Full.', texts: ['a'], again: [newWrite('again')] }
    await before.put('notices', { account: 'ann', id: 4, ...failed })
    await before.put('turns', { account: 'store', holder: 'this store', until: 0 })
    await before.put('turns', { account: 'ann', holder: 'its tab', until: 10 })
    await before.put('values', { account: 'ann', name: 'timer', value: 'running' })
    before.close()
    const store = await openIndexedDbStore(name)
    expect(await store.open('ann')).toMatchObject({
      incarnation: 'first',
      writes: [{ subject: 'sent' }, { subject: 'waits', at: 7 }],
      failedWrites: [{ id: 4, ...failed }],
      responses: [{ list: 'notes', answer: 'rows' }],
      values: new Map([['timer', 'running']]),
    })
    expect(await store.countUnsent('ann')).toBe(2)
    expect(await store.claimLeadership('ann', 'send', 'this tab', 9, 19)).toBe(false)
    expect(await store.add('ann', 'first', [newWrite('b')])).toMatchObject([{ seq: 5 }])
  })

  it('says that it is outdated when a newer build upgrades the store, and does not block that', async () => {
    const name = `test-${++names}`
    const store = await openIndexedDbStore(name)
    const newer = await openDB(name, 99)
    await store.outdated
    newer.close()
  })

  it.each([
    ['deleted', (name: string) => deleteDB(name)],
    ['emptied', emptied],
  ])('restores what a tab remembers of a store that was %s, only once', async (_how, clear) => {
    const name = `test-${++names}`
    const [one, other] = [await openIndexedDbStore(name), await openIndexedDbStore(name)]
    const { incarnation } = await one.open('ann')
    await other.open('ann')
    const first = await one.add('ann', incarnation, [newWrite('a'), newWrite('b')])
    const [late] = (await other.add('ann', incarnation, [newWrite('c')])) ?? []
    await one.changeValue('ann', incarnation, 'timer', () => ({ value: 'running', writes: [] }))
    const read = (await one.startRead('ann', incarnation)) ?? 0
    const remembered = {
      writes: first ?? [],
      failedWrites: [],
      values: new Map([['timer', 'running']]),
      reads: nothingRead,
    }
    await clear(name)
    expect(await one.add('ann', incarnation, [newWrite('d')])).toBeUndefined()
    const revived = await one.revive('ann', incarnation, remembered)
    expect(revived).toMatchObject({ unsent: 2, writes: [{ subject: 'a' }, { subject: 'b' }] })
    expect(revived?.values).toEqual(new Map([['timer', 'running']]))
    const revivedIncarnation = revived?.incarnation ?? ''
    // When the next tab finds out, what was sent meanwhile does not come back, but what only that tab knew does.
    await one.remove('ann', revivedIncarnation, first?.[0] ?? never())
    const again = await other.revive('ann', incarnation, {
      ...remembered,
      writes: [...(first ?? []), late ?? never()],
    })
    expect(again).toMatchObject({
      incarnation: revivedIncarnation,
      unsent: 2,
      writes: [{ subject: 'b' }, { subject: 'c' }],
    })
    // A read that started before does not include what is acknowledged from now on.
    expect(await one.acknowledge('ann', revivedIncarnation, [first?.[1]?.seq ?? 0])).toBeGreaterThan(
      read + 1_000,
    )
  })

  it('adds what a tab remembers to what the same person has since started in another tab', async () => {
    const name = `test-${++names}`
    const one = await openIndexedDbStore(name)
    const { incarnation } = await one.open('ann')
    const writes = (await one.add('ann', incarnation, [newWrite('a')])) ?? []
    await deleteDB(name)
    const other = await openIndexedDbStore(name)
    const begun = await other.open('ann')
    await other.add('ann', begun.incarnation, [newWrite('b')])
    const revived = await one.revive('ann', incarnation, {
      writes,
      failedWrites: [],
      values: new Map(),
      reads: nothingRead,
    })
    expect(revived).toMatchObject({
      incarnation: begun.incarnation,
      unsent: 1,
      writes: [{ subject: 'b' }, { subject: 'a' }],
    })
  })

  it('says when the store is deleted, and reopens it', async () => {
    const name = `test-${++names}`
    const store = await openIndexedDbStore(name)
    const onClosed = vi.fn()
    store.onClosed(onClosed)
    await deleteDB(name)
    expect(onClosed).toHaveBeenCalledOnce()
    expect((await store.open('ann')).writes).toEqual([])
  })

  it('stores neither the value nor its write if the change fails', async () => {
    const store = await openIndexedDbStore(`test-${++names}`)
    const { incarnation } = await store.open('ann')
    const write = newWrite('a')
    await store.changeValue('ann', incarnation, 'timer', () => ({ value: 'kept', writes: [] }))
    const unstorable = store.changeValue('ann', incarnation, 'timer', () => ({
      value: 'lost',
      writes: [write, { ...write, vars: () => 'no device keeps a function' }],
    }))
    await expect(unstorable).rejects.toThrow()
    const { writes, values } = await store.open('ann')
    expect(writes).toEqual([])
    expect(values).toEqual(new Map([['timer', 'kept']]))
  })
})

async function emptied(name: string): Promise<void> {
  const database = await openDB(name)
  for (const objectStore of database.objectStoreNames) await database.clear(objectStore)
  database.close()
}

function never(): never {
  throw new Error('It was added')
}
