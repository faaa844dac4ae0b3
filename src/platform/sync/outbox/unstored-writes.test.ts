import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import { openIndexedDbStore } from '../local-store/indexed-db-store.ts'
import { newQueuedWrite } from '../local-store/queued-write.ts'
import { NoteServer } from '../testing/notes.ts'
import { openTab, settled, withFreshBrowser } from '../testing/open-tab.ts'
import { findUnstoredWrites, saveUnstoredWrites } from './unstored-writes.ts'

/** The part of localStorage that is used: its keys are own properties. */
class TextStore {
  [key: string]: unknown

  getItem(key: string): unknown {
    return Object.hasOwn(this, key) ? this[key] : null
  }

  setItem(key: string, text: string): void {
    this[key] = text
  }

  removeItem(key: string): void {
    delete this[key]
  }
}

describe('a page that is left before a write is stored', () => {
  let texts: TextStore

  withFreshBrowser()
  beforeEach(() => {
    texts = new TextStore()
    vi.stubGlobal('localStorage', texts)
  })

  it('leaves it to the next page, which shows, stores and sends it', async () => {
    const server = new NoteServer()
    const busy = { ...(await openIndexedDbStore()), add: () => new Promise<never>(() => {}) }
    const tab = openTab(server, { store: Promise.resolve(busy) })
    void tab.put('a')
    tab.sync.leavePage()
    tab.sync.stop()

    const next = openTab(server)
    await next.read()
    expect(next.shown()).toEqual(['a'])
    await settled(next.sync)
    expect(server.done).toHaveLength(1)
    expect(Object.keys(texts)).toEqual([])
  })

  it('leaves it, but it is sent only once if it was stored after all', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { respond: () => ({ kind: 'none', retryAfter: undefined }) })
    const stored = tab.put('a')
    tab.sync.leavePage()
    await stored
    tab.sync.stop()

    const next = openTab(server)
    await next.read()
    await settled(next.sync)
    expect(next.shown()).toEqual(['a'])
    expect(server.done).toHaveLength(1)
    await waitFor(() => expect(Object.keys(texts)).toEqual([]))
  })

  it('leaves all that is known of it: an undo stays weaker than an act', () => {
    const write = newQueuedWrite('ann', {
      list: 'notes',
      write: 'notes.put',
      version: 1,
      subject: 'a',
      vars: {},
      refusal: 'Failed to keep note',
      text: 'as it was',
      at: 5,
      after: 4,
      typed: false,
      guess: { ahead: 1, since: 2, page: 'this' },
      takesBack: { by: 'undo', follows: ['first'] },
    })
    saveUnstoredWrites('ann', 'this', [write])
    expect(findUnstoredWrites('ann').writes).toEqual([write])
  })

  it('leaves what is only changed once the page is being left, after what was changed before', async () => {
    const server = new NoteServer()
    const busy = { ...(await openIndexedDbStore()), add: () => new Promise<never>(() => {}) }
    const tab = openTab(server, { store: Promise.resolve(busy) })
    void tab.put('a')
    tab.sync.leavePage()
    void tab.put('b')
    void tab.put('c')
    tab.sync.stop()

    const next = openTab(server)
    await next.read()
    expect(next.shown()).toEqual(['a', 'b', 'c'])
    await settled(next.sync)
    expect(server.done.map(({ at }) => at)).toEqual(server.done.map(({ at }) => at).toSorted())
    expect(server.done).toHaveLength(3)
    expect(Object.keys(texts)).toEqual([])
  })

  it('leaves nothing more once it is shown again', async () => {
    const tab = openTab(new NoteServer())
    tab.sync.leavePage()
    await new Promise((resolve) => setTimeout(resolve, 1))
    await tab.put('a')
    expect(Object.keys(texts)).toEqual([])
  })

  it('takes back what it left, if it is shown again and stores it itself', async () => {
    const server = new NoteServer()
    const tab = openTab(server)
    void tab.put('a')
    tab.sync.leavePage()
    expect(Object.keys(texts)).toHaveLength(1)
    await settled(tab.sync)
    tab.sync.leavePage()
    expect(Object.keys(texts)).toEqual([])
  })

  it('keeps what it left while the next page was already taking over the rest', () => {
    const writeOf = (subject: string) =>
      newQueuedWrite('ann', {
        list: 'notes',
        write: 'notes.put',
        version: 1,
        subject,
        vars: {},
        refusal: 'Failed to keep note',
        text: '',
      })
    const [first, second] = [writeOf('a'), writeOf('b')]
    saveUnstoredWrites('ann', 'this', [first])
    const takenOver = findUnstoredWrites('ann')
    saveUnstoredWrites('ann', 'this', [first, second])
    takenOver.forget()
    expect(findUnstoredWrites('ann').writes).toEqual([first, second])
  })

  it('leaves it to nobody else, and a sign-out erases it', async () => {
    const tab = openTab(new NoteServer())
    void tab.put('a')
    tab.sync.leavePage()
    expect(Object.keys(texts)).toHaveLength(1)
    const somebodyElse = openTab(new NoteServer(), { account: 'bob' })
    await somebodyElse.sync.outbox.ready
    expect(somebodyElse.sync.outbox.waiting).toBe(0)
    await tab.sync.wipe()
    expect(Object.keys(texts)).toEqual([])
  })

  it('leaves nothing if everything is stored', async () => {
    const tab = openTab(new NoteServer())
    await tab.put('a')
    tab.sync.leavePage()
    expect(Object.keys(texts)).toEqual([])
  })
})
