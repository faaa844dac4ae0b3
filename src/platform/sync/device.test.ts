import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { describe, expect, it, vi } from 'vitest'
import type { Device } from './device.ts'
import type { NewEntry } from './entry.ts'
import { openIndexedDevice } from './indexed-device.ts'
import { createMemoryDevice } from './memory-device.ts'

let names = 0
const devices: [string, () => Promise<Device>][] = [
  ['IndexedDB', () => openIndexedDevice(`test-${++names}`)],
  ['memory', async () => createMemoryDevice()],
]
const nothingRead = new Map<string, number>()

function entry(subject: string, account = 'ann', list = 'notes'): NewEntry {
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

describe.each(devices)('a device that keeps it in %s', (_name, openDevice) => {
  async function begin() {
    const device = await openDevice()
    const { life } = await device.open('ann')
    const add = async (...entries: NewEntry[]) => (await device.add('ann', life, entries)) ?? []
    const known = async () => {
      const found = await device.reread('ann', life, nothingRead)
      if (!found) throw new Error('The life of ann is over')
      return found
    }
    return { device, life, add, known }
  }

  it('keeps writes in the order in which they were made', async () => {
    const { add, known } = await begin()
    await add(entry('a'), entry('b'))
    await add(entry('a'))
    expect((await known()).entries.map(({ subject }) => subject)).toEqual(['a', 'b', 'a'])
  })

  it('keeps the changes of a device in their order where the server’s time was known less well for the later one', async () => {
    const { add } = await begin()
    const [first] = await add({ ...entry('a'), at: 10_000 })
    const [second, third] = await add({ ...entry('a'), at: 9_200 }, { ...entry('b'), at: 9_300 })
    expect([first?.at, second?.at, third?.at]).toEqual([10_000, 10_001, 10_002])
    // What is tried again was made when it was made.
    expect(await add({ ...entry('c'), at: 1_000 })).toMatchObject([{ at: 1_000 }])
  })

  it('dates what was made before the server’s time was known, and nothing else', async () => {
    const { device, life, add, known } = await begin()
    const said = { ...entry('a'), vars: { at: '2026-11-20T09:30:00.000Z' } }
    await add(said, entry('says nothing'), { ...said, at: 7 })
    expect(await device.date('ann', life, 1_000)).toBe(1)
    expect(await device.date('ann', life, 5_000)).toBe(0)
    const { entries } = await known()
    expect(entries.map(({ at }) => at)).toEqual([Date.parse('2026-11-20T09:30:01.000Z'), undefined, 7])
    expect(await device.date('ann', 'another life', 1_000)).toBeUndefined()
  })

  it('keeps in their order what was made with and without knowing the server’s time', async () => {
    const { device, life, add, known } = await begin()
    const by = (at: string) => ({ ...entry('a'), vars: { at: `2026-11-20T09:30:0${at}Z` } })
    const dated = Date.parse('2026-11-20T09:30:01.000Z')
    const [first] = await add({ ...by('0.000'), at: dated })
    await add(by('0.001'))
    await device.date('ann', life, 900)
    const dates = async () => (await known()).entries.map(({ at }) => at)
    expect(await dates()).toEqual([dated, dated + 1])
    // The one before may have been sent and read by then.
    await device.takeOut('ann', life, { ...entry('a'), seq: first?.seq ?? 0 })
    const [undated] = await add(by('0.002'))
    await device.date('ann', life, 900)
    expect((await dates()).at(-1)).toBe(dated + 2)
    expect(undated?.at).toBeUndefined()
    // And what is made next comes after it.
    expect(await add({ ...by('0.003'), at: dated })).toMatchObject([{ at: dated + 3 }])
  })

  it('keeps the accounts apart', async () => {
    const { device, add, known } = await begin()
    await add(entry('a'))
    const { life, entries } = await device.open('bob')
    expect(entries).toEqual([])
    await device.add('bob', life, [entry('b', 'bob')])
    await device.wipe('bob')
    expect((await known()).entries).toHaveLength(1)
  })

  it('takes the later writes to the same row out with a refused one, and tells of all of them', async () => {
    const { device, life, add, known } = await begin()
    const [first, , refused] = await add(
      entry('a'),
      entry('b'),
      entry('a'),
      entry('b'),
      entry('a', 'ann', 'other'),
    )
    await add({ ...entry('a'), text: 'a, later' })
    if (!refused || !first) throw new Error('Nothing was added')
    await device.takeOut('ann', life, refused, { reason: 'No.', retriable: false })
    const { entries, notices } = await known()
    expect(entries.map(({ list, subject }) => `${list} ${subject}`)).toEqual([
      'notes a',
      'notes b',
      'notes b',
      'other a',
    ])
    expect(notices).toMatchObject([
      { title: 'Failed to keep note', reason: 'No.', texts: ['a', 'a, later'], again: [] },
    ])
  })

  it('queues all of them again from the notice, which is gone then', async () => {
    const { device, life, add, known } = await begin()
    const [refused] = await add(entry('a'), entry('a'))
    if (!refused) throw new Error('Nothing was added')
    const taken = await device.takeOut('ann', life, refused, { reason: 'No.', retriable: true })
    await device.add('ann', life, taken?.notice?.again ?? [], taken?.notice?.id)
    expect(await known()).toMatchObject({ entries: [{ subject: 'a' }, { subject: 'a' }], notices: [] })
  })

  it('drops an acknowledged write only with a read that started later', async () => {
    const { device, life, add, known } = await begin()
    const [first, second] = await add(entry('a'), entry('b'))
    if (!first || !second) throw new Error('Nothing was added')
    const early = await device.startRead('ann', life)
    await device.acknowledge('ann', life, [first.seq])
    const late = await device.startRead('ann', life)
    await device.acknowledge('ann', life, [second.seq])
    await device.keepRead('ann', life, 'notes', 'early', early ?? 0)
    expect((await known()).entries).toHaveLength(2)
    await device.keepRead('ann', life, 'notes', 'late', late ?? 0)
    expect((await known()).entries).toMatchObject([{ subject: 'b' }])
  })

  it('never puts an earlier read in the place of a later one', async () => {
    const { device, life, known } = await begin()
    const early = (await device.startRead('ann', life)) ?? 0
    const late = (await device.startRead('ann', life)) ?? 0
    await device.keepRead('ann', life, 'notes', 'late', late)
    const kept = await device.keepRead('ann', life, 'notes', 'early', early)
    expect(kept).toMatchObject({ answer: 'late', tick: late })
    expect((await known()).lists).toMatchObject([{ answer: 'late' }])
  })

  it('answers a re-read with only the lists that are new to it', async () => {
    const { device, life } = await begin()
    const tick = (await device.startRead('ann', life)) ?? 0
    await device.keepRead('ann', life, 'notes', 'rows', tick)
    expect(await device.reread('ann', life, new Map([['notes', tick]]))).toMatchObject({ lists: [] })
    expect(await device.reread('ann', life, nothingRead)).toMatchObject({ lists: [{ list: 'notes' }] })
  })

  it('lets a slow tab bring nothing back after a wipe, not even when the person has begun anew', async () => {
    const { device, life, add } = await begin()
    const [written] = await add(entry('a'))
    if (!written) throw new Error('Nothing was added')
    const tick = (await device.startRead('ann', life)) ?? 0
    await device.wipe('ann')
    const anew = await device.open('ann')
    expect(anew).toMatchObject({ entries: [], notices: [], lists: [] })
    expect(await device.add('ann', life, [entry('b')])).toBeUndefined()
    expect(await device.keepRead('ann', life, 'notes', 'rows', tick)).toBeUndefined()
    expect(await device.acknowledge('ann', life, [written.seq])).toBeUndefined()
    expect(await device.takeOut('ann', life, written, { reason: 'No.', retriable: false })).toBeUndefined()
    expect(await device.startRead('ann', life)).toBeUndefined()
    expect(await device.reread('ann', life, nothingRead)).toBeUndefined()
    expect(await device.change('ann', life, 'timer', () => ({ value: 1, entries: [] }))).toBeUndefined()
    expect(await device.reread('ann', anew.life, nothingRead)).toEqual({
      entries: [],
      notices: [],
      lists: [],
      values: new Map(),
    })
  })

  it('changes a kept value by what it is then, whichever tab changed it before', async () => {
    const { device, life, known } = await begin()
    const count = (stored: unknown) => ({ value: Number(stored ?? 0) + 1, entries: [] })
    await Promise.all([1, 2, 3].map(() => device.change('ann', life, 'count', count)))
    expect((await known()).values).toEqual(new Map([['count', 3]]))
    const bob = await device.open('bob')
    expect(bob.values).toEqual(new Map())
  })

  it('takes a change of a kept value and the write that goes with it together, in the order of all writes', async () => {
    const { device, life, add, known } = await begin()
    await add(entry('before'))
    const changed = await device.change('ann', life, 'timer', () => ({
      value: 'idle',
      entries: [entry('session')],
    }))
    await add(entry('after'))
    expect(changed).toMatchObject({ value: 'idle', placed: [{ subject: 'session' }] })
    const { entries, values } = await known()
    expect(entries.map(({ subject }) => subject)).toEqual(['before', 'session', 'after'])
    expect(values).toEqual(new Map([['timer', 'idle']]))
  })

  it('tells a change of a kept value what the server said last, unless a write has not been seen by that', async () => {
    const { device, life, add, known } = await begin()
    const told = async (list?: string) => {
      let answer: unknown = 'not told'
      const step = (_stored: unknown, told: unknown) => {
        answer = told
        return { value: 1, entries: [] }
      }
      await device.change('ann', life, 'timer', step, list)
      return answer
    }
    const read = async (answer: string) => {
      const tick = (await device.startRead('ann', life)) ?? 0
      await device.keepRead('ann', life, 'notes', answer, tick)
    }
    expect(await told('notes')).toBeUndefined()
    await read('first')
    expect([await told('notes'), await told('others'), await told()]).toEqual(['first', undefined, undefined])
    const [placed] = await add(entry('a'))
    expect(await told('notes')).toBeUndefined()
    await device.acknowledge('ann', life, [placed?.seq ?? 0])
    expect(await told('notes')).toBeUndefined()
    await read('second')
    expect((await known()).entries).toEqual([])
    expect(await told('notes')).toBe('second')
  })

  it('forgets a kept value with the account', async () => {
    const { device, life } = await begin()
    await device.change('ann', life, 'timer', () => ({ value: 'running', entries: [] }))
    await device.wipe('ann')
    expect((await device.open('ann')).values).toEqual(new Map())
  })

  it('forgets a dismissed notice', async () => {
    const { device, life, add, known } = await begin()
    const [refused] = await add(entry('a'))
    if (!refused) throw new Error('Nothing was added')
    const taken = await device.takeOut('ann', life, refused, { reason: 'No.', retriable: false })
    await device.dismiss('ann', taken?.notice?.id ?? 0)
    expect((await known()).notices).toEqual([])
  })
})

describe('a device in IndexedDB', () => {
  it('gives a turn to one tab, and to another when it has not renewed it', async () => {
    const device = await openIndexedDevice(`test-${++names}`)
    for (const account of ['ann', 'bob']) await device.open(account)
    expect(await device.takeTurn('ann', 'send', 'first', 0, 10)).toBe(true)
    expect(await device.takeTurn('ann', 'send', 'second', 5, 15)).toBe(false)
    expect(await device.takeTurn('ann', 'live', 'second', 5, 15)).toBe(true)
    expect(await device.takeTurn('ann', 'send', 'first', 9, 19)).toBe(true)
    expect(await device.takeTurn('bob', 'send', 'second', 9, 19)).toBe(true)
    expect(await device.takeTurn('ann', 'send', 'second', 19, 29)).toBe(true)
  })

  it('keeps nothing of a forgotten account, not even whose turn it is', async () => {
    const name = `test-${++names}`
    const device = await openIndexedDevice(name)
    await device.open('ann')
    for (const inTurn of ['send', 'live'] as const) await device.takeTurn('ann', inTurn, 'first', 0, 10)
    await device.wipe('ann')
    // A tab that has not heard of it yet renews its turn, or gives it up.
    for (const inTurn of ['send', 'live'] as const) {
      expect(await device.takeTurn('ann', inTurn, 'first', 9, 19)).toBe(false)
    }
    const database = await openDB(name)
    for (const store of database.objectStoreNames) {
      const rows = await database.getAll(store)
      // By a random name the store tells itself from one that was emptied.
      expect(rows.filter(({ account }) => account !== 'store')).toEqual([])
    }
    database.close()
  })

  it('finds everything again after a restart', async () => {
    const name = `test-${++names}`
    const before = await openIndexedDevice(name)
    const { life } = await before.open('ann')
    await before.add('ann', life, [entry('a')])
    await before.change('ann', life, 'timer', () => ({ value: 'running', entries: [] }))
    const after = await (await openIndexedDevice(name)).open('ann')
    expect(after).toMatchObject({ life, entries: [{ subject: 'a', vars: { text: 'a' } }] })
    expect(after.values).toEqual(new Map([['timer', 'running']]))
  })

  it('finds what a build kept that knew no values yet', async () => {
    const name = `test-${++names}`
    const first = await openDB(name, 1, {
      upgrade(store) {
        store.createObjectStore('accounts', { keyPath: 'account' })
        store.createObjectStore('entries', { keyPath: ['account', 'seq'] })
        store.createObjectStore('lists', { keyPath: ['account', 'list'] })
        store.createObjectStore('notices', { keyPath: ['account', 'id'] })
        store.createObjectStore('turns', { keyPath: 'account' })
      },
    })
    await first.put('accounts', { account: 'ann', life: 'first', tick: 1, reads: {} })
    await first.put('entries', { ...entry('a'), seq: 1 })
    first.close()
    const after = await (await openIndexedDevice(name)).open('ann')
    expect(after).toMatchObject({ life: 'first', entries: [{ subject: 'a' }] })
  })

  it('says that it is outdated when a newer build takes the store over, and lets it', async () => {
    const name = `test-${++names}`
    const device = await openIndexedDevice(name)
    const newer = await openDB(name, 99)
    await device.outdated
    newer.close()
  })

  it.each([
    ['deleted', (name: string) => deleteDB(name)],
    ['emptied', emptied],
  ])('puts back what a tab remembers of a store that was %s, once', async (_how, clear) => {
    const name = `test-${++names}`
    const [one, other] = [await openIndexedDevice(name), await openIndexedDevice(name)]
    const { life } = await one.open('ann')
    await other.open('ann')
    const first = await one.add('ann', life, [entry('a'), entry('b')])
    const [late] = (await other.add('ann', life, [entry('c')])) ?? []
    await one.change('ann', life, 'timer', () => ({ value: 'running', entries: [] }))
    const read = (await one.startRead('ann', life)) ?? 0
    const remembered = {
      entries: first ?? [],
      notices: [],
      values: new Map([['timer', 'running']]),
      reads: nothingRead,
    }
    await clear(name)
    expect(await one.add('ann', life, [entry('d')])).toBeUndefined()
    const revived = await one.revive('ann', life, remembered)
    expect(revived).toMatchObject({ unsent: 2, entries: [{ subject: 'a' }, { subject: 'b' }] })
    expect(revived?.values).toEqual(new Map([['timer', 'running']]))
    const goesOn = revived?.life ?? ''
    // What was sent meanwhile does not come back with the tab that is next to find out; what only that one knew does.
    await one.takeOut('ann', goesOn, first?.[0] ?? never())
    const again = await other.revive('ann', life, {
      ...remembered,
      entries: [...(first ?? []), late ?? never()],
    })
    expect(again).toMatchObject({ life: goesOn, unsent: 2, entries: [{ subject: 'b' }, { subject: 'c' }] })
    // A read that began before has seen nothing of what is acknowledged from now on.
    expect(await one.acknowledge('ann', goesOn, [first?.[1]?.seq ?? 0])).toBeGreaterThan(read + 1_000)
  })

  it('puts what a tab remembers beside what the same person began anew in another one', async () => {
    const name = `test-${++names}`
    const one = await openIndexedDevice(name)
    const { life } = await one.open('ann')
    const entries = (await one.add('ann', life, [entry('a')])) ?? []
    await deleteDB(name)
    const other = await openIndexedDevice(name)
    const begun = await other.open('ann')
    await other.add('ann', begun.life, [entry('b')])
    const revived = await one.revive('ann', life, {
      entries,
      notices: [],
      values: new Map(),
      reads: nothingRead,
    })
    expect(revived).toMatchObject({
      life: begun.life,
      unsent: 1,
      entries: [{ subject: 'b' }, { subject: 'a' }],
    })
  })

  it('brings nothing back of an account that was forgotten here', async () => {
    const device = await openIndexedDevice(`test-${++names}`)
    const { life } = await device.open('ann')
    const entries = (await device.add('ann', life, [entry('a')])) ?? []
    await device.wipe('ann')
    const remembered = { entries, notices: [], values: new Map(), reads: nothingRead }
    expect(await device.revive('ann', life, remembered)).toBeUndefined()
    expect((await device.open('ann')).entries).toEqual([])
  })

  it('says when somebody deletes the store, and opens it anew', async () => {
    const name = `test-${++names}`
    const device = await openIndexedDevice(name)
    const heard = vi.fn()
    device.whenClosed(heard)
    await deleteDB(name)
    expect(heard).toHaveBeenCalledOnce()
    expect((await device.open('ann')).entries).toEqual([])
  })

  it('keeps neither a value nor its write where the change fails', async () => {
    const device = await openIndexedDevice(`test-${++names}`)
    const { life } = await device.open('ann')
    const placed = entry('a')
    await device.change('ann', life, 'timer', () => ({ value: 'kept', entries: [] }))
    const unstorable = device.change('ann', life, 'timer', () => ({
      value: 'lost',
      entries: [placed, { ...placed, vars: () => 'no device keeps a function' }],
    }))
    await expect(unstorable).rejects.toThrow()
    const { entries, values } = await device.open('ann')
    expect(entries).toEqual([])
    expect(values).toEqual(new Map([['timer', 'kept']]))
  })
})

async function emptied(name: string): Promise<void> {
  const database = await openDB(name)
  for (const store of database.objectStoreNames) await database.clear(store)
  database.close()
}

function never(): never {
  throw new Error('It was added')
}
