import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer, Request } from './answer.ts'
import { Connection } from './connection.ts'
import { pause } from './pause.ts'
import { NoteServer, turn } from './testing/notes.ts'
import { openTab, openTabsInBrowserOfTheirOwn } from './testing/open-tab.ts'

const none: Answer = { kind: 'none', retryAfter: undefined }
const done: Answer = { kind: 'done', body: {} }
const never = new AbortController().signal
const list: Request = { method: 'GET', path: '/notes' }
const change: Request = { method: 'PUT', path: '/notes/a', body: {} }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What hangs until it is given up. */
function hang(signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(none)
    signal.addEventListener('abort', () => resolve(none))
  })
}

/** Passes played time, in which all that can be done without waiting is done at every step. */
async function pass(milliseconds: number) {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    await vi.advanceTimersByTimeAsync(100)
    for (let turns = 0; turns < 30; turns++) await turn()
  }
}

function open(ask: (request: Request, signal: AbortSignal, begun: () => void) => Promise<Answer>) {
  const onBack = vi.fn()
  const probes: Request[] = []
  const connection = new Connection({
    ask: (request, signal, begun = () => {}) => {
      if (request.path === '/api/health') probes.push(request)
      return ask(request, signal, begun)
    },
    watched: () => true,
    onChange() {},
    onBack,
    pause,
  })
  return { connection, onBack, probes }
}

describe('a request that hangs', () => {
  it('is given up once the server answers to others, and never before', async () => {
    let answersToOthers = false
    const { connection, onBack } = open((request, signal) =>
      request.path === '/api/health' && answersToOthers ? Promise.resolve(done) : hang(signal),
    )
    const ended = vi.fn()
    void connection.ask(change, never).then(ended)
    await pass(20_000)
    expect(ended).not.toHaveBeenCalled()
    expect(connection.answers).toBe(false)
    answersToOthers = true
    await pass(4_000)
    expect(ended).toHaveBeenCalledWith(none)
    expect(connection.answers).toBe(true)
    expect(onBack).toHaveBeenCalledOnce()
  })

  it('is not one of which an answer has begun to arrive, however long that takes', async () => {
    const { connection, probes } = open(async (request, signal, begun) => {
      if (request.path === '/api/health') return done
      begun()
      return Promise.race([hang(signal), pause(20_000, signal).then(() => done)])
    })
    const answer = connection.ask(list, never)
    await pass(21_000)
    expect(await answer).toEqual(done)
    expect(probes).toEqual([])
  })

  it('and is only slow is given twice as long each time, until it is through', async () => {
    const { connection } = open((request, signal) => {
      if (request.path === '/api/health') return Promise.resolve(done)
      return Promise.race([
        hang(signal),
        pause(10_000, signal).then(
          () => done,
          () => none,
        ),
      ])
    })
    const answers: Answer[] = []
    void (async () => {
      while (answers.at(-1)?.kind !== 'done') answers.push(await connection.ask(change, never))
    })()
    await pass(40_000)
    expect(answers.map(({ kind }) => kind)).toEqual(['none', 'none', 'done'])
  })

  it('and only reads is asked again by itself, so that no screen tells of it', async () => {
    let asked = 0
    const { connection } = open(async (request, signal) => {
      if (request.path === '/api/health') return done
      asked += 1
      return asked < 3 ? hang(signal) : done
    })
    const ended = vi.fn()
    void connection.ask(list, never).then(ended)
    await pass(12_000)
    expect(ended.mock.calls).toEqual([[done]])
    expect(asked).toBe(3)
  })
})

describe('the way of a change', () => {
  openTabsInBrowserOfTheirOwn()

  // What was asked for before that instant never gets an answer, as on a connection that broke without a word.
  it.each([500, 2_900, 4_000, 12_300, 29_500, 31_000, 64_000])(
    'goes on within five seconds once the server answers again, after %i ms in which everything hung',
    async (outage) => {
      const server = new NoteServer()
      let hangs = false
      const tab = openTab(server, { pause, visible: () => true, hangs: () => hangs })
      await tab.put('before')
      while (server.done.length === 0 || tab.sync.outbox.unseen.size > 0) await pass(100)
      hangs = true
      await tab.put('a')
      void tab.read().catch(() => {})
      await pass(outage)
      expect(server.done).toHaveLength(1)
      hangs = false
      await pass(5_000)
      expect(server.done).toHaveLength(2)
      expect(tab.sync.state.connection).toBe('up')
      await pass(1_000)
      expect(tab.shown()).toEqual(['before', 'a'])
    },
  )
})
