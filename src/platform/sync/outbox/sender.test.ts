import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import { retryOf, tryAgain } from '../account/retry.ts'
import { openIndexedDbStore } from '../local-store/indexed-db-store.ts'
import type { ApiRequest, RequestResult } from '../network/request.ts'
import { NoteServer, noteWrites, putNote } from '../testing/notes.ts'
import { openTab, settled, withFreshBrowser } from '../testing/open-tab.ts'

withFreshBrowser()

const notThere: RequestResult = {
  kind: 'refused',
  status: 404,
  failure: { code: 'NOT_FOUND', message: 'Gone.' },
}

/** Responds to the puts of some instants as if their note did not exist. */
function goneFor(...instants: number[]) {
  return ({ method, body }: ApiRequest) => {
    const at = typeof body === 'object' && body !== null && 'at' in body ? Number(body.at) : 0
    return method === 'PUT' && instants.includes(at) ? notThere : undefined
  }
}

describe('a change to something that another device deleted', () => {
  it('is not reported as lost if a later change brings the row back, which then has both', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { respond: goneFor(1, 2) })
    await Promise.all([1, 2, 3].map((at) => tab.put('a', `text ${at}`, at)))
    await settled(tab.sync)
    expect(changesSent(tab.requests)).toHaveLength(3)
    expect(server.done.map(({ at }) => at)).toEqual([3])
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })

  it('is reported once, with everything changed after it, if nothing brings the row back', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { respond: goneFor(1, 2) })
    await Promise.all([tab.put('a', 'first', 1), tab.put('a', 'second', 2), tab.put('b', 'other', 3)])
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual([3])
    expect(tab.sync.outbox.failedWrites).toMatchObject([
      { reason: 'Failed to keep note.', texts: ['first', 'second'] },
    ])
  })

  it('is reported alone if what brings the row back is made while that is stored', async () => {
    const server = new NoteServer()
    const store = await openIndexedDbStore()
    const remove: typeof store.remove = async (...removed) => {
      await tab.put('a', 'second', 2)
      return store.remove(...removed)
    }
    const tab = openTab(server, { respond: goneFor(1), store: Promise.resolve({ ...store, remove }) })
    await tab.put('a', 'first', 1)
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual([2])
    expect(tab.sync.outbox.failedWrites).toMatchObject([{ texts: ['first'] }])
  })

  it('succeeds if it added the row, since the row existed and has been deleted', async () => {
    const writes = [{ ...putNote, fineWhenGone: true as const }, ...noteWrites.slice(1)]
    const tab = openTab(new NoteServer(), { writes, respond: goneFor(1) })
    await tab.put('a', 'added', 1)
    await settled(tab.sync)
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })
})

describe('a change that arrives after a later one of another device', () => {
  const kept =
    (at: number, part = 'text') =>
    ({ method, body }: ApiRequest): RequestResult | undefined =>
      method === 'PUT' && typeof body === 'object' && body !== null && 'at' in body && body.at === at
        ? { kind: 'done', body: { note: {}, late: [part] } }
        : undefined

  it('is told to its person with its text, and nothing that follows is lost with it', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { respond: kept(1, 'colour') })
    await Promise.all([tab.put('a', 'late', 1), tab.put('a', 'second', 2), tab.put('b', 'other', 3)])
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at).toSorted()).toEqual([2, 3])
    expect(tab.sync.outbox.failedWrites).toMatchObject([{ texts: ['late'], late: ['colour'] }])
    expect(openTab(server).sync.outbox.waiting).toBe(0)
  })

  it('is told even after the page is closed at once', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { respond: kept(1) })
    await tab.put('a', 'late', 1)
    await settled(tab.sync)
    tab.sync.stop()
    const next = openTab(server)
    await next.sync.outbox.ready
    expect(next.sync.outbox.failedWrites).toMatchObject([{ texts: ['late'], late: ['text'] }])
  })

  it('is made after all if its person says so, as of then', async () => {
    const server = new NoteServer()
    let isLate = true
    const tab = openTab(server, { respond: (request) => (isLate ? kept(1)(request) : undefined) })
    await tab.put('a', 'late', 1)
    await settled(tab.sync)
    isLate = false
    const [failedWrite] = tab.sync.outbox.failedWrites
    const retry = failedWrite && retryOf(tab.sync, failedWrite)
    expect(retry?.label).toBe('Do it anyway')
    await retry?.run('2026-11-20T12:00:00.000Z')
    await settled(tab.sync)
    expect(server.done).toEqual([{ id: 'a', at: Date.parse('2026-11-20T12:00:00.000Z') }])
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })

  it('is not told if its person has replaced it themselves since', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { respond: kept(1) })
    await Promise.all([tab.put('a', 'first', 1), tab.put('a', 'second', 2)])
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual([2])
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })

  it('is not told if nobody pressed for it', async () => {
    const writes = [{ ...putNote, isAutomatic: () => true }, ...noteWrites.slice(1)]
    const tab = openTab(new NoteServer(), { writes, respond: kept(1) })
    await tab.put('a', 'late', 1)
    await settled(tab.sync)
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })
})

const noResponse: RequestResult = { kind: 'none', retryAfter: undefined }
const firewall: RequestResult = { kind: 'none', retryAfter: undefined, by: 'something else' }
const blockedReason = 'The server, or something in front of it, refuses this change.'

/** A tab in which these changes have waited for a connection, and which has one now. */
async function openWithWaiting(
  server: NoteServer,
  changes: readonly [id: string, text: string][],
  handle?: (request: ApiRequest) => RequestResult | undefined,
) {
  const before = openTab(server, { respond: () => noResponse })
  await Promise.all(changes.map(([id, text], at) => before.put(id, text, at)))
  before.sync.stop()
  return openTab(server, handle && { respond: handle })
}

const notes = (count: number) =>
  Array.from({ length: count }, (_, at): [string, string] => [`note ${at}`, `text ${at}`])
const changesSent = (sent: readonly string[]) => sent.filter((request) => !request.startsWith('GET'))

describe('many waiting changes', () => {
  it('go out together, a hundred in a request, each of them once', async () => {
    const server = new NoteServer()
    const tab = await openWithWaiting(server, notes(250))
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual(Array.from({ length: 250 }, (_, at) => at))
    expect(changesSent(tab.requests)).toEqual(Array(3).fill('POST /api/changes'))
  })

  it('never make a request larger than the server accepts', async () => {
    const server = new NoteServer()
    const sizes: number[] = []
    const { handle } = server
    server.handle = (request, ...rest) => {
      sizes.push(JSON.stringify(request.body ?? '').length)
      return handle(request, ...rest)
    }
    const tab = openTab(server)
    await Promise.all(Array.from({ length: 40 }, (_, at) => tab.put(`note ${at}`, 'x'.repeat(5_000), at)))
    await settled(tab.sync)
    expect(server.done).toHaveLength(40)
    expect(Math.max(...sizes)).toBeLessThan(64 * 1024)
  })

  it('keep the order of each row', async () => {
    const server = new NoteServer()
    const tab = await openWithWaiting(
      server,
      notes(6).map(([, text], at) => [at % 2 ? 'odd' : 'even', text]),
    )
    await settled(tab.sync)
    const done = Map.groupBy(server.done, ({ id }) => id)
    expect(done.get('odd')?.map(({ at }) => at)).toEqual([1, 3, 5])
    expect(done.get('even')?.map(({ at }) => at)).toEqual([0, 2, 4])
  })

  it('are all made except a refused one and those that build on it', async () => {
    const server = new NoteServer()
    const changes: [string, string][] = [...notes(50), ['note 25', 'builds on it']]
    const tab = await openWithWaiting(server, changes, ({ path }) =>
      path === '/notes/note 25'
        ? { kind: 'refused', status: 400, failure: { code: 'NO', message: 'No.' } }
        : undefined,
    )
    await settled(tab.sync)
    expect(server.done).toHaveLength(49)
    expect(tab.sync.outbox.failedWrites).toMatchObject([
      { reason: 'No.', texts: ['text 25', 'builds on it'] },
    ])
    expect(changesSent(tab.requests)).toEqual(['POST /api/changes'])
  })

  it('are all made except one that a firewall blocks, which is found in few requests', async () => {
    const server = new NoteServer()
    server.blocked.add(70)
    const tab = await openWithWaiting(server, notes(100))
    await settled(tab.sync)
    expect(server.done).toHaveLength(99)
    expect(tab.sync.outbox.failedWrites).toMatchObject([{ reason: blockedReason, texts: ['text 70'] }])
    expect(changesSent(tab.requests).length).toBeLessThan(20)
  })

  it('are all made where several together are refused', async () => {
    const server = new NoteServer()
    const { handle } = server
    server.handle = async (request, ...rest) =>
      request.path === '/api/changes' ? notThere : handle(request, ...rest)
    const tab = await openWithWaiting(server, notes(5))
    await settled(tab.sync)
    expect(server.done).toHaveLength(5)
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })
})

describe('a change that something in front of the server blocks', () => {
  it('holds up no other row, and after three attempts is reported with everything typed after it', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { respond: ({ path }) => (path === '/notes/a' ? firewall : undefined) })
    await Promise.all([
      tab.put('a', 'disliked', 1),
      tab.put('a', 'builds on it', 2),
      tab.put('b', 'other', 3),
    ])
    await settled(tab.sync)
    expect(server.done.map(({ id }) => id)).toEqual(['b'])
    expect(tab.sync.outbox.failedWrites).toMatchObject([
      { title: 'Failed to keep note', reason: blockedReason, texts: ['disliked', 'builds on it'] },
    ])
    expect(tab.requests.filter((request) => request === 'PUT /notes/a')).toHaveLength(3)
    expect(tab.sync.state).toMatchObject({ connection: 'up', waiting: 0 })
  })

  it("is sent by 'Try again', with what was typed after it", async () => {
    const server = new NoteServer()
    let blocks = true
    const tab = openTab(server, {
      respond: ({ path }) => (blocks && path === '/notes/a' ? firewall : undefined),
    })
    await Promise.all([tab.put('a', 'disliked', 1), tab.put('a', 'builds on it', 2)])
    await waitFor(() => expect(tab.sync.outbox.failedWrites).toHaveLength(1))
    blocks = false
    const [failedWrite] = tab.sync.outbox.failedWrites
    if (failedWrite) await tryAgain(tab.sync, failedWrite)
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual([1, 2])
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })

  it('or that gets no response at all is reported in the end, while everything else is sent', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { respond: ({ path }) => (path === '/notes/a' ? noResponse : undefined) })
    await Promise.all([tab.put('a', 'unheard'), tab.put('b')])
    await settled(tab.sync)
    expect(server.done.map(({ id }) => id)).toEqual(['b'])
    expect(tab.sync.outbox.failedWrites).toMatchObject([{ reason: blockedReason, texts: ['unheard'] }])
    expect(tab.requests.filter((request) => request === 'PUT /notes/a')).toHaveLength(10)
  })

  it.each([
    ['nothing', noResponse],
    ["a captive portal's page", firewall],
  ])('only waits if %s responds to everything', async (_, response) => {
    const tab = openTab(new NoteServer(), { respond: () => response })
    await Promise.all([tab.put('a'), tab.put('b')])
    await waitFor(() => expect(tab.requests.length).toBeGreaterThan(40))
    expect(tab.sync.outbox.failedWrites).toEqual([])
    expect(tab.sync.state).toMatchObject({ connection: 'silent', waiting: 2 })
  })
})

describe('a server that cannot store anything', () => {
  const full: RequestResult = {
    kind: 'none',
    retryAfter: 5_000,
    by: 'server',
    storageProblem: 'The disk is full.',
  }

  it('is known for as long as that lasts, even if reads succeed, and what waits goes out afterwards', async () => {
    const server = new NoteServer()
    let isFull = true
    const tab = openTab(server, { respond: ({ method }) => (isFull && method !== 'GET' ? full : undefined) })
    await Promise.all([tab.put('a'), tab.put('b')])
    await waitFor(() => expect(tab.sync.state.storageProblem).toBe('The disk is full.'))
    expect(tab.sync.state).toMatchObject({ waiting: 2, sending: false, connection: 'up' })
    await tab.sync.reread()
    expect(tab.sync.state.storageProblem).toBe('The disk is full.')
    isFull = false
    await settled(tab.sync)
    expect(server.done).toHaveLength(2)
    expect(tab.sync.state).toMatchObject({ waiting: 0, storageProblem: undefined })
    expect(tab.sync.outbox.failedWrites).toEqual([])
  })
})
