import { QueryClient } from '@tanstack/react-query'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import { AccountSync, type AccountSyncParts } from '../account-sync.ts'
import type { Answer, Request } from '../answer.ts'
import { openIndexedDevice } from '../indexed-device.ts'
import { createOverlay } from '../overlay.ts'
import { randomId } from '../random-id.ts'
import {
  batchPath,
  changesIn,
  keyOf,
  type NoteServer,
  noteList,
  noteWrites,
  putNote,
  removeNote,
  turn,
} from './notes.ts'

const opened: AccountSync[] = []

/** Said once where tests open tabs: each test begins with an empty device, and its tabs are closed at its end. */
export function openTabsInBrowserOfTheirOwn(): void {
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

/** A tab of Ann's. `ask` may answer before the server does, in a batch each change of it. */
export function openTab(
  server: NoteServer,
  {
    ask,
    hangs = () => false,
    ...parts
  }: Omit<Partial<AccountSyncParts>, 'ask'> & {
    ask?: (request: Request) => Answer | undefined
    /** What is asked for while it is so gets no answer, also later. */
    hangs?: () => boolean
  } = {},
) {
  /** The changes and reads, and the requests that those came in. */
  const asked: string[] = []
  const sent: string[] = []
  const paused: number[] = []
  const queryClient = new QueryClient()
  const sync = new AccountSync({
    account: 'ann',
    writes: noteWrites,
    queryClient,
    device: openIndexedDevice(),
    holder: randomId(),
    ask: async (request, account, signal) => {
      await turn()
      sent.push(`${request.method} ${request.path}`)
      if (hangs()) return givenUp(signal)
      const told = new Map<string, Answer>()
      for (const each of changesIn(request)) {
        asked.push(`${each.method} ${each.path}`)
        const answer = ask?.(each)
        if (!answer) continue
        const isOfAll = answer.kind === 'signed-out' || (answer.kind === 'none' && answer.by !== 'server')
        if (request.path !== batchPath || isOfAll) return answer
        told.set(keyOf(each), answer)
      }
      return server.ask(request, account, signal, undefined, told)
    },
    pause: async (milliseconds, signal) => {
      paused.push(milliseconds)
      for (let turns = 0; turns < 4; turns++) await turn()
      signal.throwIfAborted()
    },
    visible: () => false,
    ...parts,
  })
  opened.push(sync)
  const events = { onSignedOut: vi.fn(), onWiped: vi.fn(), onCleared: vi.fn(), onOutdated: vi.fn() }
  sync.start(events)
  const overlay = createOverlay(noteList, sync.writes)
  return {
    sync,
    asked,
    sent,
    paused,
    ...events,
    put: (id: string, text = id, at = 1) => sync.write(putNote, { id, text, at }),
    remove: (id: string, at = 2) => sync.write(removeNote, { id, text: id, at }),
    read: () => queryClient.fetchQuery(sync.query(noteList)),
    shown() {
      const base = queryClient.getQueryData(sync.query(noteList).queryKey)
      return base && overlay(base.rows, sync.outbox.over(noteList.name)).map(({ text }) => text)
    },
  }
}

function givenUp(signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve({ kind: 'none', retryAfter: undefined })),
  )
}

export async function settled({ outbox }: AccountSync) {
  await outbox.ready
  await waitFor(() => expect([outbox.waiting, outbox.unseen.size]).toEqual([0, 0]))
}
