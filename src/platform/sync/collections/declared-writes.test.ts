import 'fake-indexeddb/auto'
import { expect, it, vi } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import type { RequestResult } from '../network/request.ts'
import { NoteServer, noteCollection, noteWrites, putNote, removeNote } from '../testing/notes.ts'
import { openTab, settled, withFreshBrowser } from '../testing/open-tab.ts'
import { DeclaredWrites } from './declared-writes.ts'

const noResponse: RequestResult = { kind: 'none', retryAfter: undefined }

withFreshBrowser()

async function leaveUnsentChange(server: NoteServer) {
  const offline = openTab(server, { respond: () => noResponse })
  await offline.put('a')
  offline.sync.stop()
}

it('a change of an earlier visit is sent from a screen that shows nothing of it', async () => {
  const server = new NoteServer()
  await leaveUnsentChange(server)
  const tab = openTab(server, { writes: [], otherWrites: async () => noteWrites })
  await tab.sync.outbox.ready
  await settled(tab.sync)
  expect(server.done).toHaveLength(1)
  expect(tab.sync.outbox.failedWrites).toEqual([])
})

it('a change waits while what sends it could not be fetched, and is sent later', async () => {
  const server = new NoteServer()
  await leaveUnsentChange(server)
  const otherWrites = vi.fn(async () => noteWrites)
  otherWrites.mockRejectedValueOnce(new Error('No connection'))
  const tab = openTab(server, { writes: [], otherWrites })
  await tab.sync.outbox.ready
  await waitFor(() => expect(otherWrites).toHaveBeenCalledTimes(1))
  expect(tab.sync.outbox.waiting).toBe(1)
  await waitFor(() => {
    tab.sync.wake()
    expect(server.done).toHaveLength(1)
  })
})

it('a change is shown as soon as it is made, whatever has been fetched', async () => {
  const tab = openTab(new NoteServer(), { writes: [], otherWrites: () => new Promise(() => {}) })
  await tab.read()
  void tab.put('a')
  expect(tab.shown()).toEqual(['a'])
})

it('a change of an earlier visit can be shown once all that may be queued is known', async () => {
  const declared = new DeclaredWrites([putNote], async () => noteWrites)
  const heard = vi.fn()
  declared.subscribe(heard)
  const queued = [{ write: putNote.name }, { write: removeNote.name }]
  expect([declared.canShow(queued.slice(0, 1)), declared.canShow(queued)]).toEqual([true, false])
  await declared.all()
  expect(declared.canShow([...queued, { write: 'notes.paint' }])).toBe(true)
  expect(heard).toHaveBeenCalledOnce()
})

it('rows that the device has are read only when they are asked for, and are then as they were stored', async () => {
  const server = new NoteServer()
  const before = openTab(server)
  await before.put('a')
  await settled(before.sync)
  await before.read()
  before.sync.stop()

  const rows = vi.spyOn(noteCollection, 'rows')
  const tab = openTab(server, { respond: () => noResponse })
  await tab.sync.outbox.ready
  expect(rows).not.toHaveBeenCalled()
  expect(tab.shown()).toEqual(['a'])
  expect(tab.shown()).toEqual(['a'])
  expect(rows).toHaveBeenCalledOnce()
})
