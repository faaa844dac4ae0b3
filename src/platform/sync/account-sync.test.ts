import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { describe, expect, it, vi } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import type { SyncState } from './account-sync.ts'
import type { Answer, Request } from './answer.ts'
import { openIndexedDevice } from './indexed-device.ts'
import { type Kept, queued } from './kept.ts'
import type { OpenEvents } from './open-events.ts'
import { type Note, NoteServer, noteList, putNote, removeNote, turn } from './testing/notes.ts'
import { openTab, openTabsInBrowserOfTheirOwn, settled } from './testing/open-tab.ts'

const refusal = (status: number): Answer => ({
  kind: 'refused',
  status,
  failure: { code: 'NO', message: 'No.' },
})
const noAnswer: Answer = { kind: 'none', retryAfter: undefined }

openTabsInBrowserOfTheirOwn()

/** All other waits are as long as somebody has said. */
const isByChance = (milliseconds: number) => !Number.isInteger(milliseconds)

describe('a queued write', () => {
  it('is shown at once, kept before it is said to be, sent, and shown still', async () => {
    const server = new NoteServer()
    const tab = openTab(server)
    await tab.read()
    const kept = tab.put('a')
    expect(tab.shown()).toEqual(['a'])
    expect(server.done).toEqual([])
    expect(await kept).toBe(true)
    await settled(tab.sync)
    expect(tab.shown()).toEqual(['a'])
    expect(server.done).toHaveLength(1)
  })

  it('is one of a burst that ends in one read of the list', async () => {
    const tab = openTab(new NoteServer())
    await tab.read()
    for (let index = 0; index < 50; index++) void tab.put(`note ${index}`)
    await settled(tab.sync)
    expect(tab.asked.filter((request) => request.startsWith('PUT'))).toHaveLength(50)
    expect(tab.asked.filter((request) => request.startsWith('GET'))).toHaveLength(2)
  })

  it('is hidden in no tab by a list that another one had asked for before', async () => {
    const server = new NoteServer()
    const first = openTab(server)
    await first.read()
    const early: Answer = { kind: 'done', body: { notes: [] }, askedAt: Date.now() }
    await first.put('a')
    await settled(first.sync)
    const second = openTab(server, { ask: ({ method }) => (method === 'GET' ? early : undefined) })
    await second.read()
    expect(second.shown()).toEqual(['a'])
    first.sync.wake()
    await settled(first.sync)
    expect(first.shown()).toEqual(['a'])
  })

  it('that deletes what is not there any more is done', async () => {
    const tab = openTab(new NoteServer())
    await tab.remove('a')
    await settled(tab.sync)
    expect(tab.sync.outbox.notices).toEqual([])
  })

  it('that the device cannot keep is taken back and told', async () => {
    const device = await openIndexedDevice()
    const tab = openTab(new NoteServer(), {
      device: Promise.resolve({ ...device, add: () => Promise.reject(new Error('The disk is full')) }),
    })
    await tab.read()
    const kept = tab.put('a')
    expect(tab.shown()).toEqual(['a'])
    expect(await kept).toBe(false)
    expect(tab.shown()).toEqual([])
    expect(tab.sync.outbox.waiting).toBe(0)
    expect(tab.sync.outbox.notices).toMatchObject([
      { title: 'Failed to keep note', reason: "It couldn't be saved on this device.", texts: ['a'] },
    ])
  })

  it('is made from memory where the browser gives no storage, which is known', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { device: Promise.reject(new Error('Refused')) })
    expect(tab.sync.state.durable).toBe(true)
    expect(await tab.put('a')).toBe(true)
    await settled(tab.sync)
    expect(server.done).toHaveLength(1)
    expect(tab.sync.state.durable).toBe(false)
  })

  it('of a tab without storage does not wait for another such tab', async () => {
    const server = new NoteServer()
    const refuse = () => Promise.reject(new Error('Refused'))
    const tabs = [openTab(server, { device: refuse() }), openTab(server, { device: refuse() })]
    for (const tab of tabs) await tab.put('a')
    for (const tab of tabs) await settled(tab.sync)
    expect(server.done).toHaveLength(2)
  })
})

describe('no answer', () => {
  it('is waited for longer and longer, a minute at most, with chance in it', async () => {
    let failures = 10
    const tab = openTab(new NoteServer(), {
      ask: ({ method, path }) => {
        if (method === 'PUT') failures -= 1
        return (method === 'PUT' || path === '/api/health') && failures >= 0 ? noAnswer : undefined
      },
    })
    await tab.put('a')
    await settled(tab.sync)
    const waits = tab.paused.filter(isByChance)
    expect(waits).toHaveLength(10)
    for (const [index, wait] of waits.entries()) {
      const longest = Math.min(60_000, 1_000 * 2 ** index)
      expect(wait).toBeGreaterThanOrEqual(longest / 2)
      expect(wait).toBeLessThanOrEqual(longest)
    }
  })

  it('is asked again when woken, but not before the server allows it', async () => {
    const held: (() => void)[] = []
    const answers: Answer[] = [noAnswer, { kind: 'none', retryAfter: 9_000 }]
    const tab = openTab(new NoteServer(), {
      ask: ({ method }) => (method === 'PUT' ? answers.shift() : undefined),
      pause: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          if (isByChance(milliseconds) || milliseconds === 9_000) held.push(resolve)
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    })
    const puts = () => tab.asked.filter((request) => request.startsWith('PUT')).length
    await tab.put('a')
    await waitFor(() => expect([puts(), held.length]).toEqual([1, 1]))
    tab.sync.wake()
    await waitFor(() => expect([puts(), held.length]).toEqual([2, 2]))
    tab.sync.wake()
    await tab.put('b')
    for (let turns = 0; turns < 50; turns++) await turn()
    expect(puts()).toBe(2)
    held[1]?.()
    await waitFor(() => expect(puts()).toBe(4))
  })

  it('is known as a server that does not respond, and being put off is not', async () => {
    const answers: Answer[] = [noAnswer, noAnswer, { kind: 'none', retryAfter: 9_000 }]
    const tab = openTab(new NoteServer(), {
      ask: ({ method, path }) => (method === 'PUT' || path === '/api/health' ? answers.shift() : undefined),
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
  it('never says that it does, whatever becomes of the tab that has the turn', async () => {
    const server = new NoteServer()
    const first = openTab(server, { ask: () => noAnswer })
    await first.put('a')
    const second = openTab(server)
    const said: boolean[] = []
    second.sync.subscribe(() => said.push(second.sync.state.sending))
    await second.read()
    await waitFor(() => expect(second.sync.state).toMatchObject({ waiting: 1, connection: 'up' }))
    for (let turns = 0; turns < 20; turns++) await turn()
    expect(said).not.toContain(true)
  })
})

describe('a browser that has neither locks nor storage', () => {
  it('hears what other devices change', async () => {
    vi.stubGlobal('navigator', { onLine: true })
    const openEvents = vi.fn<OpenEvents>(async () => ({ kind: 'none', retryAfter: undefined }))
    openTab(new NoteServer(), { device: Promise.reject(new Error('Refused')), openEvents })
    await waitFor(() => expect(openEvents).toHaveBeenCalled())
  })
})

describe('reading again', () => {
  it('is done although the clock of the device was set back since', async () => {
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
  it('goes with those that build on it, shows the truth, and is told with their texts', async () => {
    const server = new NoteServer()
    server.fates.writes = ['refused']
    const tab = openTab(server)
    await tab.read()
    await Promise.all([tab.put('a', 'first'), tab.put('a', 'second', 2), tab.put('b')])
    await settled(tab.sync)
    expect(tab.shown()).toEqual(['b'])
    expect(tab.sync.outbox.notices).toMatchObject([
      { title: 'Failed to keep note', reason: 'No.', texts: ['first', 'second'], again: [] },
    ])
    expect(tab.asked.filter((request) => request.startsWith('GET')).length).toBeGreaterThan(1)
  })

  it('is told after a restart too, until it is dismissed', async () => {
    const server = new NoteServer()
    server.fates.writes = ['refused']
    const tab = openTab(server)
    await tab.put('a')
    await settled(tab.sync)
    const other = openTab(server)
    await other.sync.outbox.ready
    const [notice] = other.sync.outbox.notices
    expect(notice).toMatchObject({ texts: ['a'] })
    if (notice) await other.sync.outbox.dismiss(notice)
    await waitFor(() => expect(tab.sync.outbox.notices).toEqual([]))
    const third = openTab(server)
    await third.sync.outbox.ready
    expect(third.sync.outbox.notices).toEqual([])
  })

  it('can be tried again when the server was at fault', async () => {
    const server = new NoteServer()
    server.fates.writes = ['broken']
    const tab = openTab(server)
    await Promise.all([tab.put('a', 'first'), tab.put('a', 'second', 2)])
    await settled(tab.sync)
    expect(server.done).toEqual([])
    const [notice] = tab.sync.outbox.notices
    if (!notice) throw new Error('Nothing was told')
    await tab.sync.tryAgain(notice)
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual([1, 2])
    expect(tab.sync.outbox.notices).toEqual([])
  })

  it('that is gone on the server says so', async () => {
    const tab = openTab(new NoteServer(), {
      ask: ({ method }) => (method === 'PUT' ? refusal(404) : undefined),
    })
    await tab.put('a')
    await settled(tab.sync)
    expect(tab.sync.outbox.notices).toMatchObject([{ reason: 'It no longer exists.' }])
  })
})

describe('signed out', () => {
  it('keeps what is queued, says so, and goes on when the same person is let in again', async () => {
    let signedIn = false
    const server = new NoteServer()
    const tab = openTab(server, {
      ask: () => (signedIn ? undefined : { kind: 'signed-out' }),
    })
    await tab.put('a')
    await waitFor(() => expect(tab.onSignedOut).toHaveBeenCalled())
    expect(tab.sync.outbox.waiting).toBe(1)
    expect(tab.sync.state.sending).toBe(false)
    signedIn = true
    await tab.read()
    await settled(tab.sync)
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
    ['of which no request can be made', [brokenPut, removeNote]],
  ])('%s blocks nothing but what builds on it, is kept and told', async (_what, writes) => {
    const server = new NoteServer()
    const tab = openTab(server, { writes })
    await Promise.all([tab.put('a'), tab.remove('a'), tab.remove('b')])
    await waitFor(() => expect(tab.sync.outbox.notices).toHaveLength(1))
    expect(tab.asked.filter((request) => !request.startsWith('GET'))).toEqual(['DELETE /notes/b'])
    expect(tab.sync.outbox.waiting).toBe(2)
    const [notice] = tab.sync.outbox.notices
    expect(notice).toMatchObject({ title: "A change can't be sent yet", texts: ['a'] })
    if (notice?.held) await tab.sync.discard(notice.held)
    expect(tab.sync.outbox.waiting).toBe(0)
    expect(tab.sync.outbox.notices).toEqual([])
  })

  it('is sent by a tab of the build that can', async () => {
    const server = new NoteServer()
    const old = openTab(server, { writes: [removeNote] })
    await old.sync.outbox.ready
    const current = openTab(server)
    await current.put('a')
    await settled(current.sync)
    expect(server.done).toHaveLength(1)
    expect(current.asked).toContain('PUT /notes/a')
    await settled(old.sync)
    expect(old.sync.outbox.notices).toEqual([])
  })
})

describe('a tab whose store a newer build has taken over', () => {
  it('says so, gives the turn to send away, and tells of what it can keep no more', async () => {
    const tab = openTab(new NoteServer())
    await tab.put('a')
    await settled(tab.sync)
    const held = async () => (await navigator.locks.query()).held?.map(({ name }) => name)
    expect(await held()).toContain('daymark-sender-ann')
    const newer = await openDB('daymark', 99)
    await waitFor(() => expect(tab.onOutdated).toHaveBeenCalledOnce())
    await waitFor(async () => expect(await held()).not.toContain('daymark-sender-ann'))
    expect(await tab.put('b')).toBe(false)
    expect(tab.sync.outbox.notices).toMatchObject([{ texts: ['b'] }])
    newer.close()
  })
})

describe('a tab that has the turn and does nothing with it', () => {
  it('loses it to the one that the person looks at', async () => {
    const server = new NoteServer()
    const frozen = navigator.locks.request('daymark-sender-ann', () => new Promise<never>(() => {}))
    const stolen = expect(frozen).rejects.toThrow()
    const out = openTab(server)
    await out.put('a')
    for (let turns = 0; turns < 100; turns++) await turn()
    expect(server.done).toEqual([])
    const lookedAt = openTab(server, { visible: () => true })
    await settled(lookedAt.sync)
    await stolen
    expect(server.done).toHaveLength(1)
    await lookedAt.put('b')
    await settled(lookedAt.sync)
  })
})

describe('the last known list', () => {
  it('is there at the next start, and asked anew', async () => {
    const server = new NoteServer()
    const before = openTab(server)
    await before.put('a')
    await settled(before.sync)
    before.sync.stop()
    const after = openTab(server, { ask: ({ method }) => (method === 'GET' ? noAnswer : undefined) })
    await after.sync.outbox.ready
    expect(after.shown()).toEqual(['a'])
    vi.stubGlobal('navigator', { locks: navigator.locks, onLine: false })
    await expect(after.read()).rejects.toThrow()
    expect(after.shown()).toEqual(['a'])
  })

  it('is read anew when an older build kept it in another shape', async () => {
    const server = new NoteServer()
    const device = await openIndexedDevice()
    const { life } = await device.open('ann')
    await device.keepRead('ann', life, 'notes', 'a shape of old', (await device.startRead('ann', life)) ?? 0)
    const tab = openTab(server)
    await tab.sync.outbox.ready
    expect(tab.shown()).toBeUndefined()
    await tab.put('a')
    await settled(tab.sync)
    expect(tab.shown()).toEqual(['a'])
  })
})

describe('what only this device keeps', () => {
  const draft: Kept<string[]> = { name: 'draft', parse: (stored) => (Array.isArray(stored) ? stored : []) }
  const line = (text: string) => (lines: string[]) => ({ value: [...lines, text] })

  it('is the same in every tab, and changed by what the others made of it', async () => {
    const server = new NoteServer()
    const [one, other] = [openTab(server), openTab(server)]
    await one.sync.change(draft, line('first'))
    await waitFor(() => expect(other.sync.kept.of('draft')).toEqual(['first']))
    await Promise.all([one.sync.change(draft, line('second')), other.sync.change(draft, line('third'))])
    const all = ['first', 'second', 'third']
    for (const { sync } of [one, other]) {
      await waitFor(() => {
        const kept = draft.parse(sync.kept.of('draft'))
        expect(kept.toSorted()).toEqual(all.toSorted())
      })
    }
    expect(server.done).toEqual([])
  })

  it('becomes a write only once, when two tabs make one of it at the same moment', async () => {
    const server = new NoteServer()
    const [one, other] = [openTab(server), openTab(server)]
    await one.sync.change(draft, line('a note'))
    const send = (lines: string[]) => {
      const [text] = lines
      if (text === undefined) return { value: lines }
      return { value: [], queue: [queued(putNote, { id: 'a', text, at: 1 })] }
    }
    await Promise.all([one.sync.change(draft, send), other.sync.change(draft, send)])
    await settled(one.sync)
    expect(server.done).toHaveLength(1)
    expect(one.sync.kept.of('draft')).toEqual([])
  })

  describe('and the server has too', () => {
    const shared: Kept<string[], Note> = { ...draft, list: noteList }
    /** What a step is told that the server has. */
    async function known(tab: ReturnType<typeof openTab>): Promise<string | undefined> {
      let told: string | undefined
      await tab.sync.change(shared, (value, note) => {
        told = note?.text
        return { value }
      })
      return told
    }

    it('comes with what the server said of it last, which other devices may have made', async () => {
      const server = new NoteServer()
      const tab = openTab(server)
      expect(await known(tab)).toBeUndefined()
      server.notes.set('a', { id: 'a', text: 'of another device', at: 1, removed: false })
      await tab.read()
      expect(await known(tab)).toBe('of another device')
    })

    it('comes without it from the change on until the server has said that too', async () => {
      const server = new NoteServer()
      server.fates.writes = ['lost', 'slow']
      const tab = openTab(server)
      await tab.put('a', 'before')
      await settled(tab.sync)
      const change = queued(putNote, { id: 'a', text: 'changed', at: 2 })
      await tab.sync.change(shared, (value) => ({ value, queue: [change] }))
      await tab.read()
      expect(await known(tab)).toBeUndefined()
      await settled(tab.sync)
      expect(await known(tab)).toBe('changed')
    })

    it('comes with several writes in one step, sent in their order', async () => {
      const server = new NoteServer()
      const tab = openTab(server)
      const queue = ['a', 'b'].map((id) => queued(putNote, { id, text: id, at: 1 }))
      await tab.sync.change(shared, () => ({ value: [], queue }))
      await settled(tab.sync)
      expect(server.done.map(({ id }) => id)).toEqual(['a', 'b'])
    })

    it('comes without it where another build kept that in another shape', async () => {
      const device = await openIndexedDevice()
      const { life } = await device.open('ann')
      await device.keepRead('ann', life, 'notes', 'of old', (await device.startRead('ann', life)) ?? 0)
      expect(await known(openTab(new NoteServer()))).toBeUndefined()
    })
  })

  it('is known only once the device was read, and empty then where nothing was kept', async () => {
    const tab = openTab(new NoteServer())
    expect(tab.sync.kept.of('draft')).toBeUndefined()
    await tab.sync.outbox.ready
    expect(tab.sync.kept.of('draft')).toBeNull()
  })
})

describe('leaving', () => {
  it('counts what was refused, which only this device has', async () => {
    const tab = openTab(new NoteServer(), {
      ask: ({ method }) => (method === 'PUT' ? refusal(400) : undefined),
    })
    await tab.put('a')
    await settled(tab.sync)
    expect(await tab.sync.leaving.drain(10_000)).toBe(false)
    expect(tab.sync.leaving.unsent).toBe(1)
  })

  it('sends first what is queued', async () => {
    const server = new NoteServer()
    const tab = openTab(server)
    void tab.put('a')
    expect(await tab.sync.leaving.sendQueued(10_000)).toBe(true)
    expect(server.done).toHaveLength(1)
  })

  it('sends it from a screen that does not send of itself', async () => {
    const server = new NoteServer()
    const tab = openTab(server)
    await tab.sync.outbox.ready
    tab.sync.stop()
    await tab.put('a')
    expect(await tab.sync.leaving.sendQueued(10_000)).toBe(true)
    expect(server.done).toHaveLength(1)
  })

  it.each([
    ['nothing answers', noAnswer],
    ['the server puts it off', { kind: 'none', retryAfter: 9_000 } satisfies Answer],
    ['nobody is signed in', { kind: 'signed-out' } satisfies Answer],
  ])('says that it cannot when %s', async (_what, answer) => {
    const tab = openTab(new NoteServer(), { ask: () => answer })
    await tab.put('a')
    expect(await tab.sync.leaving.sendQueued(10_000)).toBe(false)
    expect(tab.sync.outbox.waiting).toBe(1)
  })

  it('gives up what is read, and asks for nothing that would be refused; it is read after all where one stays', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { ask: ({ method }) => (leaving && method === 'GET' ? out : undefined) })
    const out: Answer = { kind: 'signed-out' }
    let leaving = true
    const read = tab.read()
    const goOn = tab.sync.stopReading()
    await expect(read).rejects.toThrow()
    await tab.put('a')
    // Once it is sent, its list is to be read.
    await waitFor(() => expect(tab.sync.outbox.waiting).toBe(0))
    for (let turns = 0; turns < 20; turns++) await turn()
    expect(tab.onSignedOut).not.toHaveBeenCalled()
    leaving = false
    goOn()
    await waitFor(() => expect(tab.shown()).toEqual(['a']))
    await settled(tab.sync)
  })

  it('leaves nothing on the device, and makes the other tabs forget too', async () => {
    const server = new NoteServer()
    const answers = new Map([
      ['/notes/b', refusal(400)],
      ['/notes/c', noAnswer],
    ])
    const ask = ({ path }: Request) => answers.get(path)
    const tab = openTab(server, { ask })
    const other = openTab(server, { ask })
    await Promise.all([tab.put('a'), tab.put('b'), tab.put('c')])
    await tab.read()
    await waitFor(() => expect(tab.sync.outbox.notices).not.toEqual([]))
    await tab.sync.wipe()
    await waitFor(() => expect(other.onWiped).toHaveBeenCalled())
    expect(tab.onWiped).not.toHaveBeenCalled()
    expect(tab.shown()).toBeUndefined()
    expect(await other.put('d')).toBe(false)
    const { life, ...left } = await (await openIndexedDevice()).open('ann')
    expect(left).toEqual({ entries: [], notices: [], lists: [], values: new Map() })
    const asked = tab.asked.length
    await expect(tab.read()).rejects.toThrow('left')
    expect(tab.asked).toHaveLength(asked)
  })

  it('shows nothing older on its way out than it showed before', async () => {
    let readable = true
    const tab = openTab(new NoteServer(), {
      ask: ({ method }) => (method === 'GET' && !readable ? noAnswer : undefined),
    })
    await tab.read()
    readable = false
    await tab.put('a')
    await waitFor(() => expect([...tab.sync.outbox.unseen]).toEqual([noteList.name]))
    const shown = vi.fn()
    tab.sync.outbox.subscribe(() => shown(tab.shown()))
    await tab.sync.wipe()
    expect(shown).toHaveBeenCalledWith(undefined)
    expect(shown).not.toHaveBeenCalledWith([])
  })
})

describe('storage that the browser clears under an open tab', () => {
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
    const tab = openTab(server, { ask: () => (reached ? undefined : noAnswer) })
    const other = openTab(server, { ask: () => (reached ? undefined : noAnswer) })
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
    const { lists } = await (await openIndexedDevice()).open('ann')
    expect(lists).toHaveLength(1)
  })

  it('and gives no more of is gone on in memory, which is known', async () => {
    const server = new NoteServer()
    const device = await openIndexedDevice()
    const refuse = () => Promise.reject(new Error('Refused'))
    let cleared = false
    const gone = new Proxy(device, {
      get: (target, name) =>
        cleared && name === 'revive'
          ? refuse
          : cleared && name === 'add'
            ? async () => undefined
            : Reflect.get(target, name),
    })
    const tab = openTab(server, {
      device: Promise.resolve(gone),
      ask: () => (cleared ? undefined : noAnswer),
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
