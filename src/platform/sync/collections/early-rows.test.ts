import 'fake-indexeddb/auto'
import { afterEach, expect, it } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import { openIndexedDbStore } from '../local-store/indexed-db-store.ts'
import { takeEarlyRead } from '../network/early-reads.ts'
import { readResponse } from '../network/request.ts'
import { type Note, NoteServer, noteCollection } from '../testing/notes.ts'
import { openTab, settled, withFreshBrowser } from '../testing/open-tab.ts'

withFreshBrowser()
afterEach(() => {
  globalThis.earlyReads = undefined
})

const note = (id: string, text = id): Note => ({ id, text, at: 1, removed: false })

/** The page asked for the notes, as that person, before its scripts were there. */
function askEarly(notes: readonly Note[], account = 'ann') {
  const headers = { 'content-type': 'application/json' }
  const response = Promise.resolve(new Response(JSON.stringify({ notes }), { headers }))
  globalThis.earlyReads = { account, responses: { [noteCollection.path]: { askedAt: Date.now(), response } } }
}

/** As `sendRequest` does it. */
function openTabThatTakes(server: NoteServer, store = openIndexedDbStore()) {
  return openTab(server, {
    store,
    sendRequest: async (request, account, signal) => {
      const early = request.early ? takeEarlyRead(request.path, account) : undefined
      if (!early) return server.handle(request, account, signal)
      return readResponse(await early.response, undefined)
    },
  })
}

it('what the page asked for early is shown before the local store is open, and asked for once', async () => {
  askEarly([note('a')])
  const server = new NoteServer()
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const tab = openTabThatTakes(
    server,
    opened.then(() => openIndexedDbStore()),
  )
  let isOpen = false
  void tab.sync.outbox.ready.then(() => {
    isOpen = true
  })
  await tab.sync.firstRows([noteCollection.name])
  expect([isOpen, tab.shown()]).toEqual([false, ['a']])
  open()
  await tab.sync.outbox.ready
  const store = await openIndexedDbStore()
  await waitFor(async () => expect((await store.open('ann')).responses).toHaveLength(1))
  expect(tab.shown()).toEqual(['a'])
})

it('a change made meanwhile stays, though what was asked for early does not have it', async () => {
  askEarly([note('a')])
  const server = new NoteServer()
  const tab = openTabThatTakes(server)
  void tab.put('b', 'b', 2)
  await tab.read()
  expect(tab.shown()).toEqual(['a', 'b'])
  server.notes.set('a', note('a'))
  await settled(tab.sync)
  expect(tab.shown()).toEqual(['a', 'b'])
})

it('what another tab has read since is not replaced by what was asked for early', async () => {
  const server = new NoteServer()
  const other = openTab(server)
  await other.put('later')
  await settled(other.sync)
  await other.read()

  askEarly([])
  const tab = openTabThatTakes(server)
  await tab.sync.firstRows([noteCollection.name])
  await waitFor(() => expect(tab.shown()).toEqual(['later']))
})

it('what was asked for as somebody else is not shown', async () => {
  askEarly([note('of Ben')], 'ben')
  const tab = openTabThatTakes(new NoteServer())
  await tab.sync.firstRows([noteCollection.name])
  await tab.read()
  expect(tab.shown()).toEqual([])
})
