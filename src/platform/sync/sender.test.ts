import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import type { Answer, Request } from './answer.ts'
import { NoteServer, noteWrites, putNote } from './testing/notes.ts'
import { openTab, openTabsInBrowserOfTheirOwn, settled } from './testing/open-tab.ts'

openTabsInBrowserOfTheirOwn()

const notThere: Answer = { kind: 'refused', status: 404, failure: { code: 'NOT_FOUND', message: 'Gone.' } }

/** Says of the puts of some instants that their note is not there. */
function goneFor(...instants: number[]) {
  return ({ method, body }: Request) => {
    const at = typeof body === 'object' && body !== null && 'at' in body ? Number(body.at) : 0
    return method === 'PUT' && instants.includes(at) ? notThere : undefined
  }
}

describe('a change of what another device deleted', () => {
  it('is not told as lost when a later change brings the row back, which has both of them', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { ask: goneFor(1, 2) })
    await Promise.all([1, 2, 3].map((at) => tab.put('a', `text ${at}`, at)))
    await settled(tab.sync)
    expect(changesSent(tab.sent)).toHaveLength(3)
    expect(server.done.map(({ at }) => at)).toEqual([3])
    expect(tab.sync.outbox.notices).toEqual([])
  })

  it('is told once with all that was changed after it, when nothing brings the row back', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { ask: goneFor(1, 2) })
    await Promise.all([tab.put('a', 'first', 1), tab.put('a', 'second', 2), tab.put('b', 'other', 3)])
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual([3])
    expect(tab.sync.outbox.notices).toMatchObject([
      { reason: 'It no longer exists.', texts: ['first', 'second'] },
    ])
  })

  it('is done when it added the row, since that was there and is gone', async () => {
    const writes = [{ ...putNote, fineWhenGone: true as const }, ...noteWrites.slice(1)]
    const tab = openTab(new NoteServer(), { writes, ask: goneFor(1) })
    await tab.put('a', 'added', 1)
    await settled(tab.sync)
    expect(tab.sync.outbox.notices).toEqual([])
  })
})

const noAnswer: Answer = { kind: 'none', retryAfter: undefined }
const firewall: Answer = { kind: 'none', retryAfter: undefined, by: 'something else' }
const refusedBetween = 'The server, or something in front of it, refuses this change.'

/** A tab in which these changes have waited for a connection, as many as there are texts, and which has one now. */
async function openWithWaiting(
  server: NoteServer,
  changes: readonly [id: string, text: string][],
  ask?: (request: Request) => Answer | undefined,
) {
  const before = openTab(server, { ask: () => noAnswer })
  await Promise.all(changes.map(([id, text], at) => before.put(id, text, at)))
  before.sync.stop()
  return openTab(server, ask && { ask })
}

const notes = (count: number) =>
  Array.from({ length: count }, (_, at): [string, string] => [`note ${at}`, `text ${at}`])
const changesSent = (sent: readonly string[]) => sent.filter((request) => !request.startsWith('GET'))

describe('many changes that wait', () => {
  it('go out together, a hundred in a request, each of them once', async () => {
    const server = new NoteServer()
    const tab = await openWithWaiting(server, notes(250))
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual(Array.from({ length: 250 }, (_, at) => at))
    expect(changesSent(tab.sent)).toEqual(Array(3).fill('POST /api/changes'))
  })

  it('are in no request that is larger than the server takes', async () => {
    const server = new NoteServer()
    const sizes: number[] = []
    const { ask } = server
    server.ask = (request, ...rest) => {
      sizes.push(JSON.stringify(request.body ?? '').length)
      return ask(request, ...rest)
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

  it('are all made but one that is refused, which takes along what builds on it', async () => {
    const server = new NoteServer()
    const changes: [string, string][] = [...notes(50), ['note 25', 'builds on it']]
    const tab = await openWithWaiting(server, changes, ({ path }) =>
      path === '/notes/note 25'
        ? { kind: 'refused', status: 400, failure: { code: 'NO', message: 'No.' } }
        : undefined,
    )
    await settled(tab.sync)
    expect(server.done).toHaveLength(49)
    expect(tab.sync.outbox.notices).toMatchObject([{ reason: 'No.', texts: ['text 25', 'builds on it'] }])
    expect(changesSent(tab.sent)).toEqual(['POST /api/changes'])
  })

  it('are all made but one that a firewall dislikes, which is found in few requests', async () => {
    const server = new NoteServer()
    server.disliked.add(70)
    const tab = await openWithWaiting(server, notes(100))
    await settled(tab.sync)
    expect(server.done).toHaveLength(99)
    expect(tab.sync.outbox.notices).toMatchObject([{ reason: refusedBetween, texts: ['text 70'] }])
    expect(changesSent(tab.sent).length).toBeLessThan(20)
  })

  it('go one by one to a server that knows no batches', async () => {
    const server = new NoteServer()
    const { ask } = server
    server.ask = async (request, ...rest) =>
      request.path === '/api/changes' ? notThere : ask(request, ...rest)
    const tab = await openWithWaiting(server, notes(5))
    await settled(tab.sync)
    expect(server.done).toHaveLength(5)
    expect(tab.sync.outbox.notices).toEqual([])
    expect(changesSent(tab.sent).filter((request) => request === 'POST /api/changes')).toHaveLength(1)
  })
})

describe('a change that something in front of the server refuses', () => {
  it('holds up no other row, and after three tries is told with all that was typed after it', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { ask: ({ path }) => (path === '/notes/a' ? firewall : undefined) })
    await Promise.all([
      tab.put('a', 'disliked', 1),
      tab.put('a', 'builds on it', 2),
      tab.put('b', 'other', 3),
    ])
    await settled(tab.sync)
    expect(server.done.map(({ id }) => id)).toEqual(['b'])
    expect(tab.sync.outbox.notices).toMatchObject([
      { title: 'Failed to keep note', reason: refusedBetween, texts: ['disliked', 'builds on it'] },
    ])
    expect(tab.sent.filter((request) => request === 'PUT /notes/a')).toHaveLength(3)
    expect(tab.sync.state).toMatchObject({ connection: 'up', waiting: 0 })
  })

  it('is sent by Try again, with what was typed after it', async () => {
    const server = new NoteServer()
    let dislikes = true
    const tab = openTab(server, {
      ask: ({ path }) => (dislikes && path === '/notes/a' ? firewall : undefined),
    })
    await Promise.all([tab.put('a', 'disliked', 1), tab.put('a', 'builds on it', 2)])
    await waitFor(() => expect(tab.sync.outbox.notices).toHaveLength(1))
    dislikes = false
    const [notice] = tab.sync.outbox.notices
    if (notice) await tab.sync.tryAgain(notice)
    await settled(tab.sync)
    expect(server.done.map(({ at }) => at)).toEqual([1, 2])
    expect(tab.sync.outbox.notices).toEqual([])
  })

  it('that gets no answer at all is told in the end, too, while all else is sent', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { ask: ({ path }) => (path === '/notes/a' ? noAnswer : undefined) })
    await Promise.all([tab.put('a', 'unheard'), tab.put('b')])
    await settled(tab.sync)
    expect(server.done.map(({ id }) => id)).toEqual(['b'])
    expect(tab.sync.outbox.notices).toMatchObject([{ reason: refusedBetween, texts: ['unheard'] }])
    expect(tab.sent.filter((request) => request === 'PUT /notes/a')).toHaveLength(10)
  })

  it.each([
    ['nothing', noAnswer],
    ["a captive portal's page", firewall],
  ])('only waits where %s answers to everything', async (_, answer) => {
    const tab = openTab(new NoteServer(), { ask: () => answer })
    await Promise.all([tab.put('a'), tab.put('b')])
    await waitFor(() => expect(tab.sent.length).toBeGreaterThan(40))
    expect(tab.sync.outbox.notices).toEqual([])
    expect(tab.sync.state).toMatchObject({ connection: 'silent', waiting: 2 })
  })
})

describe('a server that can store nothing', () => {
  const full: Answer = { kind: 'none', retryAfter: 5_000, by: 'server', trouble: 'The disk is full.' }

  it('is known as long as it is so, though lists can be read, and what waits goes out afterwards', async () => {
    const server = new NoteServer()
    let isFull = true
    const tab = openTab(server, { ask: ({ method }) => (isFull && method !== 'GET' ? full : undefined) })
    await Promise.all([tab.put('a'), tab.put('b')])
    await waitFor(() => expect(tab.sync.state.trouble).toBe('The disk is full.'))
    expect(tab.sync.state).toMatchObject({ waiting: 2, sending: false, connection: 'up' })
    await tab.sync.reread()
    expect(tab.sync.state.trouble).toBe('The disk is full.')
    isFull = false
    await settled(tab.sync)
    expect(server.done).toHaveLength(2)
    expect(tab.sync.state).toMatchObject({ waiting: 0, trouble: undefined })
    expect(tab.sync.outbox.notices).toEqual([])
  })
})
