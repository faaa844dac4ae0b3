import 'fake-indexeddb/auto'
import { describe, expect, it, vi } from 'vitest'
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
    expect(tab.asked.filter((request) => request.startsWith('PUT'))).toHaveLength(3)
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

describe('a write to which the server never answers', () => {
  const noAnswer: Answer = { kind: 'none', retryAfter: undefined }

  it('is tried again and again, and can be given up where the server answers to all else', async () => {
    const server = new NoteServer()
    const tab = openTab(server, { ask: ({ path }) => (path === '/notes/a' ? noAnswer : undefined) })
    await Promise.all([tab.put('a', 'unheard'), tab.put('b')])
    await vi.waitFor(() => expect(tab.sync.outbox.notices).toHaveLength(1))
    expect(tab.sync.outbox.waiting).toBe(2)
    const [notice] = tab.sync.outbox.notices
    expect(notice).toMatchObject({ title: 'A change cannot be sent yet', texts: ['unheard'] })
    if (notice?.held) await tab.sync.discard(notice.held)
    await settled(tab.sync)
    expect(server.done.map(({ id }) => id)).toEqual(['b'])
    expect(tab.sync.outbox.notices).toEqual([])
  })

  it('only waits where nothing answers', async () => {
    const tab = openTab(new NoteServer(), { ask: () => noAnswer })
    await tab.put('a')
    await vi.waitFor(() => expect(tab.paused.length).toBeGreaterThan(20))
    expect(tab.sync.outbox.notices).toEqual([])
  })
})
