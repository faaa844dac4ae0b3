import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import { type DeviceValue, writeToQueue } from '../collections/device-value.ts'
import type { OpenEvents } from '../live/open-events.ts'
import { openIndexedDbStore } from '../local-store/indexed-db-store.ts'
import { newQueuedWrite } from '../local-store/queued-write.ts'
import type { ApiRequest, RequestResult } from '../network/request.ts'
import {
  eventLoopTurn,
  type Note,
  type NoteChange,
  NoteServer,
  noteCollection,
  putNote,
  removeNote,
} from '../testing/notes.ts'
import { openTab, settled, withFreshBrowser } from '../testing/open-tab.ts'
import type { AccountSync, SyncState } from './account-sync.ts'
import { discard, tryAgain } from './retry.ts'
import { drain, sendQueued, unsentOf } from './unsent-writes.ts'

const refusal = (status: number): RequestResult => ({
  kind: 'refused',
  status,
  failure: { code: 'NO', message: 'No.' },
})
const noResponse: RequestResult = { kind: 'none', retryAfter: undefined }

withFreshBrowser()

/** Only the back-off is random; every other wait is a fixed time. */
const isRandom = (milliseconds: number) => !Number.isInteger(milliseconds)

describe('a queued write', () => {
  it('is shown at once, stored before it counts as stored, sent, and still shown afterwards', async () => {
    const server = new NoteServer()
    const tab = openTab(server)
    await tab.read()
    const stored = tab.put('a')
    expect(tab.shown()).toEqual(['a'])
    expect(server.done).toEqual([])
    expect(await stored).toBe(true)
    await settled(tab.sync)
    expect(tab.shown()).toEqual(['a'])
    expect(server.done).toHaveLength(1)
  })

  it('causes only one read of the collection when it comes in a burst', async () => {
    const tab = openTab(new NoteServer())
    await tab.read()
    for (let index = 0; index < 50; index++) void tab.put(`note ${index}`)
    await settled(tab.sync)
    expect(tab.operations.filter((request) => request.startsWith('PUT'))).toHaveLength(50)
    expect(tab.operations.filter((request) => request.startsWith('GET'))).toHaveLength(2)
  })

  it('succeeds when it deletes something that is no longer there', async () => {
    const tab = openTab(new NoteServer())
    await tab.remove('a')
    await settled(tab.sync)
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })

  it('is undone and reported when the device cannot store it', async () => {
    const store = await openIndexedDbStore()
    const tab = openTab(new NoteServer(), {
      store: Promise.resolve({ ...store, add: () => Promise.reject(new Error('The disk is full')) }),
    })
    await tab.read()
    const stored = tab.put('a')
    expect(tab.shown()).toEqual(['a'])
    expect(await stored).toBe(false)
    expect(tab.shown()).toEqual([])
    expect(tab.sync.outbox.waiting).toBe(0)
    expect(tab.sync.outbox.failedWrites).toMatchObject([
      { title: 'Failed to keep note', reason: "It couldn't be saved on this device.", texts: ['a'] },
    ])
  })

  it('is sent from memory where the browser provides no storage, and the tab knows that', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { store: Promise.reject(new Error('Refused')) })
    expect(tab.sync.state.durable).toBe(true)
    expect(await tab.put('a')).toBe(true)
    await settled(tab.sync)
    expect(server.done).toHaveLength(1)
    expect(tab.sync.state.durable).toBe(false)
  })

  it('does not wait for another tab when neither has storage', async () => {
    const server = new NoteServer()
    const refuse = () => Promise.reject(new Error('Refused'))
    const tabs = [openTab(server, { store: refuse() }), openTab(server, { store: refuse() })]
    for (const tab of tabs) await tab.put('a')
    for (const tab of tabs) await settled(tab.sync)
    expect(server.done).toHaveLength(2)
  })
})

describe('a server that does not respond', () => {
  it('is retried after longer and longer random delays, of a minute at most', async () => {
    let failures = 10
    const tab = openTab(new NoteServer(), {
      respond: ({ method, path }) => {
        if (method === 'PUT') failures -= 1
        return (method === 'PUT' || path === '/api/health') && failures >= 0 ? noResponse : undefined
      },
    })
    await tab.put('a')
    await settled(tab.sync)
    const waits = tab.paused.filter(isRandom)
    expect(waits).toHaveLength(10)
    for (const [index, wait] of waits.entries()) {
      const longest = Math.min(60_000, 1_000 * 2 ** index)
      expect(wait).toBeGreaterThanOrEqual(longest / 2)
      expect(wait).toBeLessThanOrEqual(longest)
    }
  })

  it('is retried when the tab is woken, but not before the server allows it', async () => {
    const held: (() => void)[] = []
    const responses: RequestResult[] = [noResponse, { kind: 'none', retryAfter: 9_000 }]
    const tab = openTab(new NoteServer(), {
      respond: ({ method }) => (method === 'PUT' ? responses.shift() : undefined),
      pause: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          if (isRandom(milliseconds) || milliseconds === 9_000) held.push(resolve)
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    })
    const puts = () => tab.operations.filter((request) => request.startsWith('PUT')).length
    await tab.put('a')
    await waitFor(() => expect([puts(), held.length]).toEqual([1, 1]))
    tab.sync.wake()
    await waitFor(() => expect([puts(), held.length]).toEqual([2, 2]))
    tab.sync.wake()
    await tab.put('b')
    for (let turns = 0; turns < 50; turns++) await eventLoopTurn()
    expect(puts()).toBe(2)
    held[1]?.()
    await waitFor(() => expect(puts()).toBe(4))
  })

  it('is shown as silent, but one that asks for patience is not', async () => {
    const responses: RequestResult[] = [noResponse, noResponse, { kind: 'none', retryAfter: 9_000 }]
    const tab = openTab(new NoteServer(), {
      respond: ({ method, path }) =>
        method === 'PUT' || path === '/api/health' ? responses.shift() : undefined,
    })
    const states: SyncState[] = []
    tab.sync.subscribe(() => states.push(tab.sync.state))
    await tab.put('a')
    await settled(tab.sync)
    expect(states).toContainEqual({ waiting: 1, sending: true, connection: 'up', durable: true })
    expect(states).toContainEqual({ waiting: 1, sending: false, connection: 'silent', durable: true })
    expect(states).toContainEqual({ waiting: 1, sending: false, connection: 'up', durable: true })
    expect(tab.sync.state).toEqual({ waiting: 0, sending: false, connection: 'up', durable: true })
  })
})

describe('a tab that does not send', () => {
  it('never says that it does, whatever happens to the leader', async () => {
    const server = new NoteServer()
    const first = openTab(server, { respond: () => noResponse })
    await first.put('a')
    const second = openTab(server)
    const states: boolean[] = []
    second.sync.subscribe(() => states.push(second.sync.state.sending))
    await second.read()
    await waitFor(() => expect(second.sync.state).toMatchObject({ waiting: 1, connection: 'up' }))
    for (let turns = 0; turns < 20; turns++) await eventLoopTurn()
    expect(states).not.toContain(true)
  })
})

describe('a browser without locks and storage', () => {
  it('still receives what other devices change', async () => {
    vi.stubGlobal('navigator', { onLine: true })
    const openEvents = vi.fn<OpenEvents>(async () => ({ kind: 'none', retryAfter: undefined }))
    openTab(new NoteServer(), { store: Promise.reject(new Error('Refused')), openEvents })
    await waitFor(() => expect(openEvents).toHaveBeenCalled())
  })
})

/** Stores a change as a tab that is killed right afterwards, so that no other tab is told. */
async function storeUntold(living: AccountSync, note: NoteChange): Promise<void> {
  const store = await openIndexedDbStore()
  const { incarnation } = await store.open(living.account)
  const made = newQueuedWrite(living.account, living.describe(putNote, note))
  await store.add(living.account, incarnation, [made])
}

describe('a change of a tab that died before it could tell the others', () => {
  it('does not cover what the next tab changed later', async () => {
    const tab = openTab(new NoteServer(), { hangs: () => true })
    await tab.put('a', 'first')
    await storeUntold(tab.sync, { id: 'a', text: 'dead', at: 2 })
    await tab.put('a', 'last', 3)
    const texts = tab.sync.outbox.writesTo(noteCollection.name).map(({ vars }) => vars)
    expect(texts).toMatchObject([{ text: 'first' }, { text: 'dead' }, { text: 'last' }])
  })

  it('is sent once the next tab opens, even if nobody looks at that', async () => {
    const server = new NoteServer()
    const leader = openTab(server)
    await leader.put('a')
    await settled(leader.sync)
    await storeUntold(leader.sync, { id: 'b', text: 'dead', at: 2 })
    openTab(server)
    await waitFor(() => expect(server.done).toHaveLength(2))
  })

  it('is sent once the person looks at the tab that lives on', async () => {
    const server = new NoteServer()
    const leader = openTab(server)
    await leader.put('a')
    await settled(leader.sync)
    await storeUntold(leader.sync, { id: 'b', text: 'dead', at: 2 })
    leader.sync.wake()
    await waitFor(() => expect(server.done).toHaveLength(2))
  })
})

describe('a re-read', () => {
  it("happens even if the device's clock was set back since the last one", async () => {
    const server = new NoteServer()
    const tab = openTab(server)
    await tab.read()
    const now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000)
    server.notes.set('a', { id: 'a', text: 'a', at: 1, removed: false })
    await tab.sync.reread()
    expect(tab.shown()).toEqual(['a'])
  })
})

describe('a refused write', () => {
  it('takes those that build on it along, shows what the server has, and is reported with their texts', async () => {
    const server = new NoteServer()
    server.fates.writes = ['refused']
    const tab = openTab(server)
    await tab.read()
    await Promise.all([tab.put('a', 'first'), tab.put('a', 'second', 2), tab.put('b')])
    await settled(tab.sync)
    expect(tab.shown()).toEqual(['b'])
    expect(tab.sync.outbox.failedWrites).toMatchObject([
      { title: 'Failed to keep note', reason: 'No.', texts: ['first', 'second'], again: [] },
    ])
    expect(tab.operations.filter((request) => request.startsWith('GET')).length).toBeGreaterThan(1)
  })

  it('is still reported after a restart, until it is dismissed', async () => {
    const server = new NoteServer()
    server.fates.writes = ['refused']
    const tab = openTab(server)
    await tab.put('a')
    await settled(tab.sync)
    const other = openTab(server)
    await other.sync.outbox.ready
    const [failedWrite] = other.sync.outbox.failedWrites
    expect(failedWrite).toMatchObject({ texts: ['a'] })
    if (failedWrite) await other.sync.outbox.dismiss(failedWrite)
    await waitFor(() => expect(tab.sync.outbox.failedWrites).toEqual([]))
    const third = openTab(server)
    await third.sync.outbox.ready
    expect(third.sync.outbox.failedWrites).toEqual([])
  })

  it('can be retried if the server was at fault', async () => {
    const server = new NoteServer()
    server.fates.writes = ['broken']
    const tab = openTab(server)
    await Promise.all([tab.put('a', 'first'), tab.put('a', 'second', 2)])
    await settled(tab.sync)
    expect(server.done).toEqual([])
    const [failedWrite] = tab.sync.outbox.failedWrites
    if (!failedWrite) throw new Error('Nothing was told')
    await tryAgain(tab.sync, failedWrite)
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual([1, 2])
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })

  it('says so if its row no longer exists on the server', async () => {
    const tab = openTab(new NoteServer(), {
      respond: ({ method }) => (method === 'PUT' ? refusal(404) : undefined),
    })
    await tab.put('a')
    await settled(tab.sync)
    expect(tab.sync.outbox.failedWrites).toMatchObject([{ reason: 'Failed to keep note.' }])
  })
})

describe('a row that another device deletes while it is edited', () => {
  it('is not brought back by what is typed in it: that is told, and sent if its person says so', async () => {
    const server = new NoteServer()
    const tab = openTab(server)
    await tab.put('a', 'Water')
    await settled(tab.sync)
    await tab.read()
    const close = tab.sync.edited.begin('notes', 'a')
    server.notes.delete('a')
    await tab.sync.reread()
    const sent = server.done.length
    await tab.put('a', 'Water the', 2)
    await tab.put('a', 'Water the plants', 3)
    await settled(tab.sync)
    expect(server.done).toHaveLength(sent)
    expect(tab.sync.outbox.failedWrites).toEqual([])

    close()
    await waitFor(() => expect(tab.sync.outbox.failedWrites).toHaveLength(1))
    expect(tab.sync.outbox.failedWrites).toMatchObject([{ texts: ['Water the plants'], gone: 'earlier' }])
    await settled(tab.sync)
    expect(server.done).toHaveLength(sent)

    const [failedWrite] = tab.sync.outbox.failedWrites
    if (!failedWrite) throw new Error('Nothing was told')
    await tryAgain(tab.sync, failedWrite)
    await settled(tab.sync)
    expect(server.done.slice(sent).map(({ at }) => at)).toEqual([3])
  })
})

describe('a tab that is signed out', () => {
  it('keeps its queued writes, says so, and continues when the same person is signed in again', async () => {
    let signedIn = false
    const server = new NoteServer()
    const tab = openTab(server, {
      respond: () => (signedIn ? undefined : { kind: 'signed-out' }),
      pause: () => new Promise(() => {}),
    })
    await tab.put('a')
    await waitFor(() => expect(tab.onSignedOut).toHaveBeenCalled())
    expect(tab.sync.outbox.waiting).toBe(1)
    expect(tab.sync.state.sending).toBe(false)
    signedIn = true
    await tab.read()
    await waitFor(() => expect(server.done).toHaveLength(1))
  })

  it('asks again after a minute, since it may have been refused by mistake', async () => {
    const server = new NoteServer()
    const refusals: RequestResult[] = [{ kind: 'signed-out' }]
    const tab = openTab(server, { respond: () => refusals.pop() })
    await tab.put('a')
    await settled(tab.sync)
    expect(tab.onSignedOut).toHaveBeenCalledOnce()
    expect(tab.paused).toContain(60_000)
    expect(server.done).toHaveLength(1)
  })
})

describe('a write that this build cannot send', () => {
  const newerPut = { ...putNote, version: 2 }
  const brokenPut = {
    ...putNote,
    request() {
      throw new Error('These variables are of another shape')
    },
  }

  it.each([
    ['of a newer version', [newerPut, removeNote]],
    ['of an unknown name', [removeNote]],
    ['that no request can be made of', [brokenPut, removeNote]],
  ])('%s blocks only what builds on it, is kept and is reported', async (_what, writes) => {
    const server = new NoteServer()
    const tab = openTab(server, { writes })
    await Promise.all([tab.put('a'), tab.remove('a'), tab.remove('b')])
    await waitFor(() => expect(tab.sync.outbox.failedWrites).toHaveLength(1))
    expect(tab.operations.filter((request) => !request.startsWith('GET'))).toEqual(['DELETE /notes/b'])
    expect(tab.sync.outbox.waiting).toBe(2)
    const [failedWrite] = tab.sync.outbox.failedWrites
    expect(failedWrite).toMatchObject({ title: "A change can't be sent yet", texts: ['a'] })
    if (failedWrite?.held) await discard(tab.sync, failedWrite.held)
    expect(tab.sync.outbox.waiting).toBe(0)
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })

  it('is sent by a tab with a build that can', async () => {
    const server = new NoteServer()
    const old = openTab(server, { writes: [removeNote] })
    await old.sync.outbox.ready
    const current = openTab(server)
    await current.put('a')
    await settled(current.sync)
    expect(server.done).toHaveLength(1)
    expect(current.operations).toContain('PUT /notes/a')
    await settled(old.sync)
    expect(old.sync.outbox.failedWrites).toEqual([])
  })
})

describe('a connection that comes back', () => {
  it('while what failed without it is looked into lets that be sent again at once', async () => {
    let fails = true
    const tab = openTab(new NoteServer(), {
      respond: ({ method }) => {
        if (method !== 'PUT' || !fails) return undefined
        fails = false
        queueMicrotask(() => tab.sync.connectionChanged())
        return noResponse
      },
    })
    await tab.put('a')
    await settled(tab.sync)
    expect(tab.operations.filter((request) => request.startsWith('PUT'))).toHaveLength(2)
    expect(tab.paused.filter(isRandom)).toEqual([])
  })

  it('is none while a server answers other requests: a write that hangs waits, and holds up no other row', async () => {
    let hangs = true
    const tab = openTab(new NoteServer(), {
      respond: ({ method, path }) => {
        if (method !== 'PUT' || !path.endsWith('/a') || !hangs) return undefined
        // As it is told once the server is found to respond to others.
        tab.sync.wake()
        return noResponse
      },
      pause: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          if (!isRandom(milliseconds) && milliseconds < 2_000) setTimeout(resolve)
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        }),
    })
    await tab.put('a')
    await tab.put('b')
    await waitFor(() => expect(tab.operations).toContain('PUT /notes/b'))
    expect(tab.operations.filter((request) => request === 'PUT /notes/a')).toHaveLength(1)
    hangs = false
    tab.sync.wake()
    await settled(tab.sync)
  })
})

describe('a tab whose store a newer build has upgraded', () => {
  it('says so, gives up leadership, and reports what it can no longer store', async () => {
    const tab = openTab(new NoteServer())
    await tab.put('a')
    await settled(tab.sync)
    const held = async () => (await navigator.locks.query()).held?.map(({ name }) => name)
    expect(await held()).toContain('daymark-sender-ann')
    const newer = await openDB('daymark', 99)
    await waitFor(() => expect(tab.onOutdated).toHaveBeenCalledOnce())
    await waitFor(async () => expect(await held()).not.toContain('daymark-sender-ann'))
    expect(await tab.put('b')).toBe(false)
    expect(tab.sync.outbox.failedWrites).toMatchObject([{ texts: ['b'] }])
    newer.close()
  })

  it('says so to whoever signs in there later', async () => {
    const tab = openTab(new NoteServer())
    await tab.put('a')
    await settled(tab.sync)
    tab.sync.stop()
    const newer = await openDB('daymark', 99)
    const later = { onSignedOut: vi.fn(), onWiped: vi.fn(), onCleared: vi.fn(), onOutdated: vi.fn() }
    await eventLoopTurn()
    tab.sync.start(later)
    await waitFor(() => expect(later.onOutdated).toHaveBeenCalledOnce())
    newer.close()
  })
})

describe('a leader that does nothing', () => {
  it('loses the leadership to the tab that the person looks at', async () => {
    const server = new NoteServer()
    const frozen = navigator.locks.request('daymark-sender-ann', () => new Promise<never>(() => {}))
    const stolen = expect(frozen).rejects.toThrow()
    const hiddenTab = openTab(server)
    await hiddenTab.put('a')
    for (let turns = 0; turns < 100; turns++) await eventLoopTurn()
    expect(server.done).toEqual([])
    const lookedAt = openTab(server, { visible: () => true })
    await settled(lookedAt.sync)
    await stolen
    expect(server.done).toHaveLength(1)
    await lookedAt.put('b')
    await settled(lookedAt.sync)
  })
})

describe('the last known rows', () => {
  it('are there at the next start, and are read again', async () => {
    const server = new NoteServer()
    const before = openTab(server)
    await before.put('a')
    await settled(before.sync)
    before.sync.stop()
    const after = openTab(server, { respond: ({ method }) => (method === 'GET' ? noResponse : undefined) })
    await after.sync.outbox.ready
    expect(after.shown()).toEqual(['a'])
    vi.stubGlobal('navigator', { locks: navigator.locks, onLine: false })
    await expect(after.read()).rejects.toThrow()
    expect(after.shown()).toEqual(['a'])
  })

  it('are read again if an older build stored them in another shape', async () => {
    const server = new NoteServer()
    const store = await openIndexedDbStore()
    const { incarnation } = await store.open('ann')
    await store.storeResponse(
      'ann',
      incarnation,
      'notes',
      'a shape of old',
      (await store.startRead('ann', incarnation)) ?? 0,
    )
    const tab = openTab(server)
    await tab.sync.outbox.ready
    expect(tab.shown()).toBeUndefined()
    await tab.put('a')
    await settled(tab.sync)
    expect(tab.shown()).toEqual(['a'])
  })
})

describe('a device value', () => {
  const draft: DeviceValue<string[]> = {
    name: 'draft',
    parse: (stored) => (Array.isArray(stored) ? stored : []),
  }
  const line = (text: string) => (lines: string[]) => ({ value: [...lines, text] })

  it('is the same in every tab, and each change starts from what the other tabs made of it', async () => {
    const server = new NoteServer()
    const [one, other] = [openTab(server), openTab(server)]
    await one.sync.change(draft, line('first'))
    await waitFor(() => expect(other.sync.deviceValues.get({ name: 'draft' })).toEqual(['first']))
    await Promise.all([one.sync.change(draft, line('second')), other.sync.change(draft, line('third'))])
    const all = ['first', 'second', 'third']
    for (const { sync } of [one, other]) {
      await waitFor(() => {
        const stored = draft.parse(sync.deviceValues.get({ name: 'draft' }))
        expect(stored.toSorted()).toEqual(all.toSorted())
      })
    }
    expect(server.done).toEqual([])
  })

  it('becomes a write only once, even if two tabs turn it into one at the same moment', async () => {
    const server = new NoteServer()
    const [one, other] = [openTab(server), openTab(server)]
    await one.sync.change(draft, line('a note'))
    const send = (lines: string[]) => {
      const [text] = lines
      if (text === undefined) return { value: lines }
      return { value: [], queue: [writeToQueue(putNote, { id: 'a', text, at: 1 })] }
    }
    await Promise.all([one.sync.change(draft, send), other.sync.change(draft, send)])
    await settled(one.sync)
    expect(server.done).toHaveLength(1)
    expect(one.sync.deviceValues.get({ name: 'draft' })).toEqual([])
  })

  describe('that the server has too', () => {
    const shared: DeviceValue<string[], Note> = { ...draft, collection: noteCollection }
    /** What a step gets as the server's version. */
    async function serverText(tab: ReturnType<typeof openTab>): Promise<string | undefined> {
      let text: string | undefined
      await tab.sync.change(shared, (value, note) => {
        text = note?.text
        return { value }
      })
      return text
    }

    it("comes with the server's latest version, which other devices may have changed", async () => {
      const server = new NoteServer()
      const tab = openTab(server)
      expect(await serverText(tab)).toBeUndefined()
      server.notes.set('a', { id: 'a', text: 'of another device', at: 1, removed: false })
      await tab.read()
      expect(await serverText(tab)).toBe('of another device')
    })

    it("comes without the server's version from a change on until the server has that change too", async () => {
      const server = new NoteServer()
      server.fates.writes = ['lost', 'slow']
      const tab = openTab(server)
      await tab.put('a', 'before')
      await settled(tab.sync)
      const change = writeToQueue(putNote, { id: 'a', text: 'changed', at: 2 })
      await tab.sync.change(shared, (value) => ({ value, queue: [change] }))
      await tab.read()
      expect(await serverText(tab)).toBeUndefined()
      await settled(tab.sync)
      expect(await serverText(tab)).toBe('changed')
    })

    it('can be changed together with several writes, which are sent in order', async () => {
      const server = new NoteServer()
      const tab = openTab(server)
      const queue = ['a', 'b'].map((id) => writeToQueue(putNote, { id, text: id, at: 1 }))
      await tab.sync.change(shared, () => ({ value: [], queue }))
      await settled(tab.sync)
      expect(server.done.map(({ id }) => id)).toEqual(['a', 'b'])
    })

    it("comes without the server's version if another build stored that in another shape", async () => {
      const store = await openIndexedDbStore()
      const { incarnation } = await store.open('ann')
      await store.storeResponse(
        'ann',
        incarnation,
        'notes',
        'of old',
        (await store.startRead('ann', incarnation)) ?? 0,
      )
      expect(await serverText(openTab(new NoteServer()))).toBeUndefined()
    })
  })

  it('is known only once the local store has been read, and is then empty if nothing was stored', async () => {
    const tab = openTab(new NoteServer())
    expect(tab.sync.deviceValues.get({ name: 'draft' })).toBeUndefined()
    await tab.sync.outbox.ready
    expect(tab.sync.deviceValues.get({ name: 'draft' })).toBeNull()
  })
})

describe('work that changes much, step by step', () => {
  const streams: AbortSignal[] = []
  const openEvents: OpenEvents = async (_account, _lastEventId, signal) => {
    streams.push(signal)
    return { kind: 'open', events: silence(signal) }
  }
  /** No stream is silent for long enough to be given up. */
  const pause = (_milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  beforeEach(() => {
    streams.length = 0
  })

  it('is heard of only at its end, also when it fails', async () => {
    const tab = openTab(new NoteServer(), { openEvents, pause })
    await waitFor(() => expect(streams).toHaveLength(1))
    const work = tab.sync.withoutLiveUpdates(async () => {
      for (let turns = 0; turns < 20; turns++) await eventLoopTurn()
      expect(streams.map(({ aborted }) => aborted)).toEqual([true])
      throw new Error('The connection broke')
    })
    await expect(work).rejects.toThrow('The connection broke')
    await waitFor(() => expect(streams.map(({ aborted }) => aborted)).toEqual([true, false]))
  })

  it('is never heard of by whoever has signed out meanwhile', async () => {
    const tab = openTab(new NoteServer(), { openEvents, pause })
    await waitFor(() => expect(streams).toHaveLength(1))
    await tab.sync.withoutLiveUpdates(async () => tab.sync.stop())
    for (let turns = 0; turns < 20; turns++) await eventLoopTurn()
    expect(streams.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('signing out', () => {
  it('counts refused writes, which only this device has', async () => {
    const tab = openTab(new NoteServer(), {
      respond: ({ method }) => (method === 'PUT' ? refusal(400) : undefined),
    })
    await tab.put('a')
    await settled(tab.sync)
    expect(await drain(tab.sync, 10_000)).toBe(false)
    expect(unsentOf(tab.sync)).toBe(1)
  })

  it('sends what is queued first', async () => {
    const server = new NoteServer()
    const tab = openTab(server)
    void tab.put('a')
    expect(await sendQueued(tab.sync, 10_000)).toBe(true)
    expect(server.done).toHaveLength(1)
  })

  it('sends it even from a screen that does not send otherwise', async () => {
    const server = new NoteServer()
    const tab = openTab(server)
    await tab.sync.outbox.ready
    tab.sync.stop()
    await tab.put('a')
    expect(await sendQueued(tab.sync, 10_000)).toBe(true)
    expect(server.done).toHaveLength(1)
  })

  it.each([
    ['nothing responds', noResponse],
    ['the server asks it to wait', { kind: 'none', retryAfter: 9_000 } satisfies RequestResult],
    ['nobody is signed in', { kind: 'signed-out' } satisfies RequestResult],
  ])('says that it cannot send when %s', async (_what, response) => {
    const tab = openTab(new NoteServer(), { respond: () => response })
    await tab.put('a')
    expect(await sendQueued(tab.sync, 10_000)).toBe(false)
    expect(tab.sync.outbox.waiting).toBe(1)
  })

  it('aborts reads, starts none that would be refused, and makes them up if the person stays signed in', async () => {
    const server = new NoteServer()
    const tab = openTab(server, {
      respond: ({ method }) => (leaving && method === 'GET' ? hiddenTab : undefined),
    })
    const hiddenTab: RequestResult = { kind: 'signed-out' }
    let leaving = true
    const read = tab.read()
    const resume = tab.sync.stopReading()
    await expect(read).rejects.toThrow()
    await tab.put('a')
    // Once it is sent, its collection is due to be read.
    await waitFor(() => expect(tab.sync.outbox.waiting).toBe(0))
    for (let turns = 0; turns < 20; turns++) await eventLoopTurn()
    expect(tab.onSignedOut).not.toHaveBeenCalled()
    leaving = false
    resume()
    await waitFor(() => expect(tab.shown()).toEqual(['a']))
    await settled(tab.sync)
  })

  it('leaves nothing on the device and makes the other tabs forget the account too', async () => {
    const server = new NoteServer()
    const responses = new Map([
      ['/notes/b', refusal(400)],
      ['/notes/c', noResponse],
    ])
    const respond = ({ path }: ApiRequest) => responses.get(path)
    const tab = openTab(server, { respond })
    const other = openTab(server, { respond })
    await Promise.all([tab.put('a'), tab.put('b'), tab.put('c')])
    await tab.read()
    await waitFor(() => expect(tab.sync.outbox.failedWrites).not.toEqual([]))
    await tab.sync.wipe()
    await waitFor(() => expect(other.onWiped).toHaveBeenCalled())
    expect(tab.onWiped).not.toHaveBeenCalled()
    expect(tab.shown()).toBeUndefined()
    expect(await other.put('d')).toBe(false)
    const { incarnation, ...remaining } = await (await openIndexedDbStore()).open('ann')
    expect(remaining).toEqual({ writes: [], failedWrites: [], responses: [], values: new Map() })
    const operations = tab.operations.length
    await expect(tab.read()).rejects.toThrow('left')
    expect(tab.operations).toHaveLength(operations)
  })

  it('erases it once, however often it is asked', async () => {
    const tab = openTab(new NoteServer())
    await tab.read()
    await expect(Promise.all([tab.sync.wipe(), tab.sync.wipe()])).resolves.toBeDefined()
  })

  it('is known in a tab where nobody is signed in any more, which shows nothing of it to the next person', async () => {
    const server = new NoteServer()
    const [tab, other] = [openTab(server), openTab(server)]
    await tab.put('a')
    await settled(tab.sync)
    await other.read()
    expect(other.shown()).toEqual(['a'])
    other.sync.stop()
    expect(other.sync.isErased).toBe(false)
    await tab.sync.wipe()
    await waitFor(() => expect(other.sync.isErased).toBe(true))
    expect(other.shown()).toBeUndefined()
    expect(tab.sync.isErased).toBe(true)
    // A screen that got it just before tells so, instead of waiting for it forever.
    const late = { onSignedOut: vi.fn(), onWiped: vi.fn(), onCleared: vi.fn(), onOutdated: vi.fn() }
    other.sync.start(late)
    expect(late.onWiped).toHaveBeenCalledOnce()
  })

  it('leaves nothing for the next person in a tab that was itself about to leave', async () => {
    const server = new NoteServer()
    const [tab, leaving] = [openTab(server), openTab(server)]
    await tab.put('a')
    await settled(tab.sync)
    await leaving.read()
    leaving.sync.stopReading()
    await tab.sync.wipe()
    await waitFor(() => expect(leaving.sync.isErased).toBe(true))
    leaving.sync.stop()
    expect(leaving.shown()).toBeUndefined()
    expect(await leaving.put('b'), 'what comes too late is said to be lost').toBe(false)
  })

  it('leaves no change in the page even if the device can’t erase it', async () => {
    const store = await openIndexedDbStore()
    const broken = { ...store, wipe: () => Promise.reject(new Error('The disk is gone')) }
    const tab = openTab(new NoteServer(), { store: Promise.resolve(broken), hangs: () => true })
    await tab.put('a')
    await expect(tab.sync.wipe()).rejects.toThrow('The disk is gone')
    expect(tab.sync.isErased).toBe(true)
    expect(tab.sync.outbox.waiting).toBe(0)
  })

  it('interrupts nobody who is leaving in another tab', async () => {
    const server = new NoteServer()
    const [tab, leaving] = [openTab(server), openTab(server)]
    await Promise.all([tab.read(), leaving.read()])
    const resume = leaving.sync.stopReading()
    await tab.sync.wipe()
    expect(await leaving.put('a')).toBe(false)
    expect(leaving.onWiped).not.toHaveBeenCalled()
    resume()
    expect(leaving.onWiped).toHaveBeenCalledOnce()
  })

  it('never shows anything older on the way out than it showed before', async () => {
    let readable = true
    const tab = openTab(new NoteServer(), {
      respond: ({ method }) => (method === 'GET' && !readable ? noResponse : undefined),
    })
    await tab.read()
    readable = false
    await tab.put('a')
    await waitFor(() => expect([...tab.sync.outbox.unread]).toEqual([noteCollection.name]))
    const shown = vi.fn()
    tab.sync.outbox.subscribe(() => shown(tab.shown()))
    await tab.sync.wipe()
    expect(shown).toHaveBeenCalledWith(undefined)
    expect(shown).not.toHaveBeenCalledWith([])
  })
})

describe('storage that the browser clears while a tab is open', () => {
  const clear = {
    deleted: () => deleteDB('daymark'),
    async emptied() {
      const database = await openDB('daymark')
      for (const store of database.objectStoreNames) await database.clear(store)
      database.close()
    },
  }

  it.each(['deleted', 'emptied'] as const)('loses no change: %s', async (how) => {
    const server = new NoteServer()
    server.notes.set('kept', { id: 'kept', text: 'kept', at: 1, removed: false })
    let reached = true
    const tab = openTab(server, { respond: () => (reached ? undefined : noResponse) })
    const other = openTab(server, { respond: () => (reached ? undefined : noResponse) })
    await Promise.all([tab.read(), other.read()])
    reached = false
    await Promise.all([tab.put('a'), tab.put('b')])
    await other.put('c')
    await waitFor(() => expect(tab.sync.outbox.waiting).toBe(3))
    await clear[how]()
    expect(await tab.put('d')).toBe(true)
    expect(tab.shown()).toEqual(['kept', 'a', 'b', 'c', 'd'])
    await waitFor(() => expect(tab.onCleared).toHaveBeenCalledExactlyOnceWith(3))
    await waitFor(() => expect(other.shown()).toEqual(['kept', 'a', 'b', 'c', 'd']))
    for (const { onWiped, onOutdated } of [tab, other]) {
      expect(onWiped).not.toHaveBeenCalled()
      expect(onOutdated).not.toHaveBeenCalled()
    }
    reached = true
    for (const each of [tab, other]) each.sync.wake()
    for (const each of [tab, other]) await settled(each.sync)
    expect([...server.notes.keys()].sort()).toEqual(['a', 'b', 'c', 'd', 'kept'])
    const { responses } = await (await openIndexedDbStore()).open('ann')
    expect(responses).toHaveLength(1)
  })

  it('and does not provide again is replaced by memory, and the tab knows that', async () => {
    const server = new NoteServer()
    const store = await openIndexedDbStore()
    const refuse = () => Promise.reject(new Error('Refused'))
    let cleared = false
    const gone = new Proxy(store, {
      get: (target, name) =>
        cleared && name === 'revive'
          ? refuse
          : cleared && name === 'add'
            ? async () => undefined
            : Reflect.get(target, name),
    })
    const tab = openTab(server, {
      store: Promise.resolve(gone),
      respond: () => (cleared ? undefined : noResponse),
    })
    await tab.put('a')
    cleared = true
    expect(await tab.put('b')).toBe(true)
    expect(tab.sync.state.durable).toBe(false)
    expect(tab.onCleared).toHaveBeenCalledExactlyOnceWith(1)
    tab.sync.wake()
    await settled(tab.sync)
    expect([...server.notes.keys()]).toEqual(['a', 'b'])
  })
})

/** A stream on which nothing comes. */
async function* silence(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
