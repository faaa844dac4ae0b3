import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { openDB } from 'idb'
import { describe, expect, it, vi } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import { openIndexedDbStore } from '../local-store/indexed-db-store.ts'
import type { RequestResult } from '../network/request.ts'
import { eventLoopTurn, type Note, NoteServer, noteCollection } from '../testing/notes.ts'
import { openTab, settled, withFreshBrowser } from '../testing/open-tab.ts'
import type { ServerSnapshot } from './server-snapshot.ts'

withFreshBrowser()

const note = (id: string, text = id, at = 1): Note => ({ id, text, at, removed: false })

function serverWith(...notes: Note[]): NoteServer {
  const server = new NoteServer()
  server.isByRevision = true
  for (const each of notes) server.put(each)
  return server
}

/** A tab that records what it asked for and in what form it was answered. */
function openWatchedTab(
  server: NoteServer,
  respond: (path: string) => RequestResult | undefined = () => undefined,
) {
  const queryClient = new QueryClient()
  const answers: string[] = []
  const tab = openTab(server, {
    queryClient,
    sendRequest: async (request, account, signal) => {
      const result = respond(request.path) ?? (await server.handle(request, account, signal))
      if (request.method === 'GET' && result.kind === 'done') {
        if (result.body === request.cached?.body) answers.push('unchanged')
        else answers.push('since' in result.body ? 'changes' : 'whole')
      }
      return result
    },
  })
  const snapshot = () =>
    queryClient.getQueryData<ServerSnapshot<Note>>(tab.sync.query(noteCollection).queryKey)
  return {
    ...tab,
    answers,
    snapshot,
    read: () => queryClient.fetchQuery({ ...tab.sync.query(noteCollection), staleTime: 0 }),
  }
}

/** What the browser has stored of lists: their keys and what is in them. */
async function storedLists(): Promise<Map<string, unknown>> {
  const database = await openDB('daymark')
  const lists = await database.getAll('lists')
  database.close()
  return new Map(lists.map(({ list, answer }) => [list, answer]))
}

describe('after the first read, a tab is only sent what has changed', () => {
  it('and shows what is new, another, moved or gone, in the order of the server', async () => {
    const server = serverWith(note('b'), note('d'), note('f'))
    const tab = openWatchedTab(server)
    await tab.read()
    server.put(note('a'))
    server.put(note('d', 'D', 2))
    await tab.read()
    server.drop('b')
    server.put(note('e'))
    server.put(note('g'))
    await tab.read()
    expect(tab.answers).toEqual(['whole', 'changes', 'changes'])
    expect(tab.shown()).toEqual(['a', 'D', 'e', 'f', 'g'])
  })

  it('of which the other rows stay the same objects, and all of them if nothing has changed', async () => {
    const server = serverWith(...Array.from({ length: 5_000 }, (_, place) => note(`${10_000 + place}`)))
    const tab = openWatchedTab(server)
    await tab.read()
    const before = tab.snapshot()?.rows ?? []
    const { rows } = noteCollection
    const parsed = vi.spyOn(noteCollection, 'rows')
    server.put(note('0'))
    await tab.read()
    const after = tab.snapshot()?.rows ?? []
    expect(after).toHaveLength(5_001)
    expect(before.every((row, place) => after[place + 1] === row)).toBe(true)
    await tab.read()
    expect(tab.snapshot()?.rows).toBe(after)
    expect(tab.answers).toEqual(['whole', 'changes', 'unchanged'])
    expect(parsed.mock.calls.map(([response]) => rows(response).length)).toEqual([1])
  })

  it('unless the server cannot tell, as after an import', async () => {
    const server = serverWith(note('a'))
    const tab = openWatchedTab(server)
    await tab.read()
    server.notes.set('b', note('b'))
    server.put()
    await tab.read()
    server.put(note('c'))
    await tab.read()
    expect(tab.answers).toEqual(['whole', 'whole', 'changes'])
    expect(tab.shown()).toEqual(['a', 'b', 'c'])
  })

  it('and an own change is dropped once the changes that were read include it', async () => {
    const server = serverWith(note('a'))
    const tab = openWatchedTab(server)
    await tab.read()
    await tab.put('b', 'b', 2)
    await settled(tab.sync)
    expect(tab.answers.slice(0, 2)).toEqual(['whole', 'changes'])
    expect([tab.sync.outbox.stored, tab.shown()]).toEqual([[], ['a', 'b']])
  })

  it('and a whole response is asked for if what came says it is of another state, or cannot be read', async () => {
    for (const broken of [
      { since: 'another', notes: [], left: ['a'] },
      { since: '1', left: ['a'] },
    ]) {
      const server = serverWith(note('a'))
      const tab = openTab(server, {
        respond: ({ path }) =>
          path.includes('since=') ? { kind: 'done', body: broken, tag: server.tag } : undefined,
      })
      await tab.read()
      server.put(note('b'))
      await tab.sync.reread()
      expect(tab.shown()).toEqual(['a', 'b'])
      tab.sync.stop()
      await tab.sync.wipe()
    }
  })
})

describe('what has changed is stored behind the list', () => {
  it('so that the list is not stored again, and both are there at the next start', async () => {
    const server = serverWith(note('a'), note('b'))
    const before = openWatchedTab(server)
    await before.read()
    const [[, whole] = []] = await storedLists()
    server.drop('b')
    await before.read()
    server.put(note('c'))
    await before.read()
    // Nothing has changed since, which is no reason to store anything.
    await before.read()
    expect([...(await storedLists()).keys()]).toEqual(['notes', 'notes 001', 'notes 002'])
    expect((await storedLists()).get('notes')).toEqual(whole)
    before.sync.stop()

    const after = openWatchedTab(server)
    await after.sync.outbox.ready
    expect(after.shown()).toEqual(['a', 'c'])
    server.put(note('d'))
    await after.read()
    expect(after.answers).toEqual(['changes'])
    expect(after.shown()).toEqual(['a', 'c', 'd'])
  })

  it('and gives way to a whole list, also after many', async () => {
    const server = serverWith(note('a'))
    const tab = openWatchedTab(server)
    await tab.read()
    for (let nth = 1; nth <= 201; nth++) {
      server.put(note('a', `a ${nth}`, nth))
      await tab.read()
    }
    expect(tab.answers.filter((answer) => answer === 'whole')).toHaveLength(2)
    expect([...(await storedLists()).keys()]).toEqual(['notes'])
    expect(tab.shown()).toEqual(['a 201'])
  })

  it('and is erased with the account', async () => {
    const server = serverWith(note('a'))
    const tab = openWatchedTab(server)
    await tab.read()
    server.put(note('b'))
    await tab.read()
    await tab.sync.wipe()
    expect((await storedLists()).size).toBe(0)
  })

  it('and a list that the previous version stored is read whole once', async () => {
    const store = await openIndexedDbStore()
    const { incarnation } = await store.open('ann')
    const tick = (await store.startRead('ann', incarnation)) ?? 0
    await store.storeResponse('ann', incarnation, 'notes', { notes: [note('old')] }, tick)
    const server = serverWith(note('a'))
    const tab = openWatchedTab(server)
    await tab.sync.outbox.ready
    expect(tab.shown()).toEqual(['old'])
    await tab.read()
    server.put(note('b'))
    await tab.read()
    expect(tab.answers).toEqual(['whole', 'changes'])
    expect(tab.shown()).toEqual(['a', 'b'])
  })

  it('and is nothing to the version before, whose lists are taken over from it', async () => {
    const server = serverWith(note('a'))
    const tab = openWatchedTab(server)
    await tab.read()
    server.put(note('b'))
    await tab.read()
    tab.sync.stop()
    // As that version stores a list: it knows no tags, and keeps what it does not know of an account.
    const database = await openDB('daymark')
    const record = await database.get('accounts', 'ann')
    const tick = record.tick + 1
    await database.put('lists', { account: 'ann', list: 'notes', answer: { notes: [note('its')] }, tick })
    await database.put('accounts', { ...record, tick, reads: { ...record.reads, notes: tick } })
    database.close()
    const after = openWatchedTab(server)
    await after.sync.outbox.ready
    expect(after.shown()).toEqual(['its'])
    await after.read()
    expect(after.answers).toEqual(['whole'])
    expect(after.shown()).toEqual(['a', 'b'])
    expect([...(await storedLists()).keys()]).toEqual(['notes'])
  })
})

describe('in two tabs', () => {
  it('what one was told of is what the other takes over, and asks from there on', async () => {
    const server = serverWith(note('a'), note('b'))
    const [one, other] = [openWatchedTab(server), openWatchedTab(server)]
    await one.read()
    await other.read()
    const [kept] = other.snapshot()?.rows ?? []
    server.put(note('c'))
    await one.read()
    await waitFor(() => expect(other.shown()).toEqual(['a', 'b', 'c']))
    expect(other.snapshot()?.rows[0]).toBe(kept)
    server.put(note('d'))
    await other.read()
    await waitFor(() => expect(one.shown()).toEqual(['a', 'b', 'c', 'd']))
    expect(one.answers).toEqual(['whole', 'changes'])
    expect(other.answers.at(-1)).toBe('changes')
  })

  it('that read at once, neither applies a change to rows that have it already or lack one before it', async () => {
    const server = serverWith(note('a'))
    const tabs = [openWatchedTab(server), openWatchedTab(server), openWatchedTab(server)]
    for (const { read } of tabs) await read()
    for (let nth = 0; nth < 20; nth++) {
      server.put(note(`b${nth % 3}`, `${nth}`, nth))
      const reading = tabs.map(async ({ read }, place) => {
        for (let turns = 0; turns < (nth * place) % 7; turns++) await eventLoopTurn()
        if (place === 1) server.put(note('a', `a${nth}`, nth))
        await read()
      })
      await Promise.all(reading)
    }
    for (const { read } of tabs) await read()
    const all = [...server.notes.values()].map(({ text }) => text).sort()
    for (const { shown } of tabs) expect(shown()?.toSorted()).toEqual(all)
    const page = openWatchedTab(server)
    await page.sync.outbox.ready
    expect(page.shown()?.toSorted()).toEqual(all)
  })
})

it('a read that nobody answered asks for what has changed again, and in the end for the whole', async () => {
  const server = serverWith(note('a'))
  const paths: string[] = []
  let isLost = false
  const tab = openWatchedTab(server, (path) => {
    if (path.startsWith('/notes')) paths.push(path)
    return isLost ? { kind: 'none', retryAfter: undefined } : undefined
  })
  await tab.read()
  vi.stubGlobal('navigator', { locks: navigator.locks, onLine: false })
  isLost = true
  for (let nth = 0; nth < 2; nth++) await expect(tab.read()).rejects.toThrow()
  isLost = false
  await tab.read()
  expect(paths).toEqual(['/notes', '/notes?since=1', '/notes?since=1', '/notes'])
})
