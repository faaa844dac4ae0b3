import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CachedResponse } from '../network/request.ts'
import { eventLoopTurn, type Note, NoteServer, noteCollection } from '../testing/notes.ts'
import { openTab, withFreshBrowser } from '../testing/open-tab.ts'

withFreshBrowser()
afterEach(() => vi.restoreAllMocks())

function serverWith(count: number, text: string): NoteServer {
  const server = new NoteServer()
  for (let place = 0; place < count; place++) {
    const id = `note ${place}`
    server.notes.set(id, { id, text: `${text} ${place}`, at: 1, removed: false })
  }
  return server
}

/** Calls `onRead` with how many rows each call of the collection reads. */
function watchReading(onRead: (count: number) => void) {
  const { rows } = noteCollection
  return vi.spyOn(noteCollection, 'rows').mockImplementation((response) => {
    const read = rows(response)
    onRead(read.length)
    return read
  })
}

describe('a response of thousands of rows', () => {
  it('is read in slices, between which the page answers', async () => {
    const slices: { count: number; turn: number }[] = []
    let turn = 0
    watchReading((count) => slices.push({ count, turn }))
    const tab = openTab(serverWith(1_700, 'text'))
    const reading = tab.read()
    let isRead = false
    void reading.then(() => {
      isRead = true
    })
    for (; !isRead; turn++) await eventLoopTurn()
    expect(tab.shown()).toEqual(Array.from({ length: 1_700 }, (_, place) => `text ${place}`))
    expect(slices.map(({ count }) => count)).toEqual([500, 500, 500, 200])
    expect(new Set(slices.map((slice) => slice.turn)).size).toBe(4)
  })

  it('that is overtaken halfway is never shown, nor named to the server as read', async () => {
    const server = serverWith(1_700, 'old')
    const queryClient = new QueryClient()
    const cached: (CachedResponse | undefined)[] = []
    const seen = new Set<string>()
    const tab = openTab(server, {
      queryClient,
      sendRequest: async (request, account, signal) => {
        if (request.method === 'GET') cached.push(request.cached)
        const result = await server.handle(request, account, signal)
        return result.kind === 'done' ? { ...result, tag: `"${cached.length}"` } : result
      },
    })
    queryClient.getQueryCache().subscribe(() => {
      const data = queryClient.getQueryData<{ rows: Note[] }>(tab.sync.query(noteCollection).queryKey)
      const [first] = data?.rows ?? []
      if (first) seen.add(first.text)
    })
    let rereading: Promise<void> | undefined
    const reading = watchReading(() => {
      if (rereading) return
      for (const [id, note] of server.notes) server.notes.set(id, { ...note, text: `new ${id}` })
      rereading = tab.sync.reread()
    })
    await queryClient.fetchQuery(tab.sync.query(noteCollection)).catch(() => {})
    await rereading
    expect([...seen]).toEqual(['new note 0'])
    expect(cached).toEqual([undefined, undefined])
    expect(reading.mock.calls.length).toBeLessThan(8)
  })
})

it('a short response is read at once', async () => {
  const counts: number[] = []
  watchReading((count) => counts.push(count))
  const tab = openTab(serverWith(300, 'text'))
  await tab.read()
  expect(counts).toEqual([300])
})
