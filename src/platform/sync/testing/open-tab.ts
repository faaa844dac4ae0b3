import { QueryClient } from '@tanstack/react-query'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import { AccountSync, type AccountSyncParts } from '../account/account-sync.ts'
import { createOverlay } from '../collections/overlay.ts'
import { openIndexedDbStore } from '../local-store/indexed-db-store.ts'
import { randomId } from '../local-store/random-id.ts'
import type { ApiRequest, RequestResult } from '../network/request.ts'
import {
  batchPath,
  changesIn,
  eventLoopTurn,
  keyOf,
  type NoteServer,
  noteCollection,
  noteWrites,
  putNote,
  removeNote,
} from './notes.ts'

const opened: AccountSync[] = []

/** Call once in test files that open tabs. Each test starts with an empty store, and its tabs are closed when it ends. */
export function withFreshBrowser(): void {
  beforeEach(() => {
    vi.stubGlobal('indexedDB', new IDBFactory())
    vi.spyOn(console, 'warn').mockImplementation(() => {})
  })
  afterEach(() => {
    for (const sync of opened.splice(0)) sync.stop()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
}

/** A tab of Ann's. `respond` may respond in place of the server; in a batch it is called for each change. */
export function openTab(
  server: NoteServer,
  {
    respond,
    hangs = () => false,
    queryClient = new QueryClient(),
    ...parts
  }: Partial<AccountSyncParts> & {
    /** Replaces the server, `respond` and `hangs`. */
    sendRequest?: AccountSyncParts['sendRequest']
    respond?: (request: ApiRequest) => RequestResult | undefined
    /** Requests sent while this is true never get a response, not even later. */
    hangs?: () => boolean
  } = {},
) {
  /** `operations`: the changes and reads. `requests`: the requests that carried them. */
  const operations: string[] = []
  const requests: string[] = []
  const paused: number[] = []
  const sync = new AccountSync({
    account: 'ann',
    writes: noteWrites,
    queryClient,
    store: openIndexedDbStore(),
    tabId: randomId(),
    sendRequest: async (request, account, signal) => {
      await eventLoopTurn()
      requests.push(`${request.method} ${request.path}`)
      if (hangs()) return untilAborted(signal)
      const fixedResults = new Map<string, RequestResult>()
      for (const each of changesIn(request)) {
        operations.push(`${each.method} ${each.path}`)
        const result = respond?.(each)
        if (!result) continue
        const isWholeRequest =
          result.kind === 'signed-out' || (result.kind === 'none' && result.by !== 'server')
        if (request.path !== batchPath || isWholeRequest) return result
        fixedResults.set(keyOf(each), result)
      }
      return server.handle(request, account, signal, undefined, fixedResults)
    },
    pause: async (milliseconds, signal) => {
      paused.push(milliseconds)
      for (let turns = 0; turns < 4; turns++) await eventLoopTurn()
      signal.throwIfAborted()
    },
    visible: () => false,
    ...parts,
  })
  opened.push(sync)
  const events = { onSignedOut: vi.fn(), onWiped: vi.fn(), onCleared: vi.fn(), onOutdated: vi.fn() }
  sync.start(events)
  const overlay = createOverlay(noteCollection, sync.writes)
  return {
    sync,
    operations,
    requests,
    paused,
    ...events,
    put: (id: string, text = id, at = 1) => sync.write(putNote, { id, text, at }),
    remove: (id: string, at = 2) => sync.write(removeNote, { id, text: id, at }),
    read: () => queryClient.fetchQuery(sync.query(noteCollection)),
    shown() {
      const snapshot = queryClient.getQueryData(sync.query(noteCollection).queryKey)
      return (
        snapshot && overlay(snapshot.rows, sync.outbox.writesTo(noteCollection.name)).map(({ text }) => text)
      )
    },
  }
}

function untilAborted(signal: AbortSignal): Promise<RequestResult> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve({ kind: 'none', retryAfter: undefined })),
  )
}

export async function settled({ outbox }: AccountSync) {
  await outbox.ready
  await waitFor(() => expect([outbox.waiting, outbox.unread.size]).toEqual([0, 0]))
}
