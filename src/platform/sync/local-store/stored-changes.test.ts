import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { openIndexedDbStore } from './indexed-db-store.ts'
import type { LocalStore } from './local-store.ts'
import { createMemoryStore } from './memory-store.ts'

let names = 0
const stores: [string, () => Promise<LocalStore>][] = [
  ['IndexedDB', () => openIndexedDbStore(`changes-${++names}`)],
  ['memory', async () => createMemoryStore()],
]
const write = {
  id: 'write',
  account: 'ann',
  list: 'notes',
  write: 'notes.put',
  version: 1,
  vars: {},
  subject: 'a',
  refusal: 'Failed',
  text: 'a',
}

describe.each(stores)('changes of a list in %s', (_name, openStore) => {
  /** A store with a whole list at the state '1'. */
  async function begin() {
    const store = await openStore()
    const { incarnation } = await store.open('ann')
    const tick = async () => (await store.startRead('ann', incarnation)) ?? 0
    const whole = async (tag: string | undefined) =>
      store.storeResponse('ann', incarnation, 'notes', `whole ${tag}`, await tick(), tag)
    const change = async (since: string, tag: string, at?: number) => {
      const answer = { from: since, to: tag }
      return store.storeChange('ann', incarnation, 'notes', {
        since,
        tag,
        answer,
        tick: at ?? (await tick()),
      })
    }
    const unchanged = async (tag: string) => {
      const read = { since: tag, tag, answer: undefined, tick: await tick() }
      return store.storeChange('ann', incarnation, 'notes', read)
    }
    /** What a tab gets that last read at the tick and has the rows at the tag. */
    const newer = async (since = 0, tag?: string) => {
      const reads = new Map([['notes', since]])
      return (await store.reread('ann', incarnation, reads, new Map([['notes', tag]])))?.responses
    }
    await whole('1')
    return { store, incarnation, tick, whole, change, unchanged, newer }
  }

  it('are there in their order at the next start', async () => {
    const { store, change } = await begin()
    for (let nth = 1; nth <= 12; nth++) expect(await change(`${nth}`, `${nth + 1}`)).toBe(true)
    const [stored] = (await store.open('ann')).responses
    expect(stored).toMatchObject({ list: 'notes', answer: 'whole 1', since: '1', tag: '13' })
    expect(stored?.changes?.map(({ since, tag }) => [since, tag])).toEqual(
      Array.from({ length: 12 }, (_, place) => [`${place + 1}`, `${place + 2}`]),
    )
  })

  it('are refused for another state than what is stored, and before a list is stored', async () => {
    const { store, incarnation, tick, change, whole } = await begin()
    expect(await change('0', '2')).toBe(false)
    const elsewhere = { since: '1', tag: '2', answer: {}, tick: await tick() }
    expect(await store.storeChange('ann', incarnation, 'other', elsewhere)).toBe(false)
    await whole(undefined)
    expect(await change('1', '2')).toBe(false)
    expect((await store.open('ann')).responses).toMatchObject([{ answer: 'whole undefined' }])
  })

  it('reach other tabs if an event carried them, but drop no write: it may have been accepted after they were read', async () => {
    const { store, incarnation, tick, unchanged, newer } = await begin()
    const [queued] = (await store.add('ann', incarnation, [write])) ?? []
    await store.acknowledge('ann', incarnation, [queued?.seq ?? 0])
    const at = await tick()
    const carried = { since: '1', tag: '2', answer: {}, tick: at, isCarried: true }
    expect(await store.storeChange('ann', incarnation, 'notes', carried)).toBe(true)
    expect(await newer(at - 1, '1')).toMatchObject([{ tick: at, tag: '2', changes: [{ since: '1' }] }])
    const waiting = async () => (await store.open('ann')).writes.map(({ id }) => id)
    expect(await waiting()).toEqual(['write'])
    await unchanged('2')
    expect(await waiting()).toEqual([])
  })

  it('are refused once a later read is stored', async () => {
    const { tick, change } = await begin()
    const early = await tick()
    expect(await change('1', '2')).toBe(true)
    expect(await change('2', '3', early)).toBe(false)
  })

  it('are stored once, though two tabs read the same', async () => {
    const { change, newer } = await begin()
    expect(await change('1', '2')).toBe(true)
    expect(await change('1', '2')).toBe(true)
    const [stored] = (await newer()) ?? []
    expect(stored?.changes).toHaveLength(1)
  })

  it('are all that a tab gets that has the rows before them, and only those that it lacks', async () => {
    const { change, unchanged, newer } = await begin()
    for (const nth of [1, 2, 3]) await change(`${nth}`, `${nth + 1}`)
    const [lacking] = (await newer(1, '2')) ?? []
    expect(lacking).toMatchObject({ since: '2', tag: '4', changes: [{ tag: '3' }, { tag: '4' }] })
    expect(lacking).not.toHaveProperty('answer')
    const [other] = (await newer(1, 'another')) ?? []
    expect(other).toMatchObject({ answer: 'whole 1', since: '1', tag: '4' })
    expect(other?.changes).toHaveLength(3)
    const tick = lacking?.tick ?? 0
    expect(await newer(tick, '4')).toEqual([])
    await unchanged('4')
    const [moved] = (await newer(tick, '4')) ?? []
    expect(moved).toMatchObject({ since: '4', tag: '4', changes: [] })
    expect(moved?.tick).toBeGreaterThan(tick)
  })

  it('are gone once a whole list is stored', async () => {
    const { store, change, whole } = await begin()
    await change('1', '2')
    await whole('3')
    await change('3', '4')
    const [stored] = (await store.open('ann')).responses
    expect(stored).toMatchObject({ answer: 'whole 3', since: '3', tag: '4' })
    expect(stored?.changes).toHaveLength(1)
  })

  it('drop a write that the read includes, and no other; so does a read that found none', async () => {
    for (const found of ['a change', 'none'] as const) {
      const { store, incarnation, tick, change, newer } = await begin()
      const [first, second] = (await store.add('ann', incarnation, [write, { ...write, subject: 'b' }])) ?? []
      const early = await tick()
      await store.acknowledge('ann', incarnation, [first?.seq ?? 0])
      const late = await tick()
      await store.acknowledge('ann', incarnation, [second?.seq ?? 0])
      const left = async () => (await store.open('ann')).writes.map(({ subject }) => subject)
      const read = { since: '1', tag: '1', answer: undefined, tick: early }
      await store.storeChange('ann', incarnation, 'notes', read)
      expect(await left()).toEqual(['a', 'b'])
      if (found === 'none') await store.storeChange('ann', incarnation, 'notes', { ...read, tick: late })
      else await change('1', '2', late)
      expect(await left()).toEqual(['b'])
      expect(await newer(late)).toEqual([])
    }
  })

  it('are gone with the account, and a slow tab cannot bring one back', async () => {
    const { store, change } = await begin()
    await change('1', '2')
    await store.wipe('ann')
    expect(await change('2', '3')).toBeUndefined()
    expect((await store.open('ann')).responses).toEqual([])
  })

  it('keep a device value from being changed by a list that they are not part of', async () => {
    const { store, incarnation, change } = await begin()
    const seen: unknown[] = []
    const step = (_stored: unknown, response: unknown) => {
      seen.push(response)
      return { value: 1, writes: [] }
    }
    await store.changeValue('ann', incarnation, 'timer', step, 'notes')
    await change('1', '2')
    await store.changeValue('ann', incarnation, 'timer', step, 'notes')
    expect(seen).toEqual(['whole 1', undefined])
  })
})
