import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventLoopTurn, NoteServer } from '../testing/notes.ts'
import { openTab, withFreshBrowser } from '../testing/open-tab.ts'
import { Connection } from './connection.ts'
import { pause } from './pause.ts'
import type { ApiRequest, RequestResult } from './request.ts'

const none: RequestResult = { kind: 'none', retryAfter: undefined }
const done: RequestResult = { kind: 'done', body: {} }
const never = new AbortController().signal
const read: ApiRequest = { method: 'GET', path: '/notes' }
const change: ApiRequest = { method: 'PUT', path: '/notes/a', body: {} }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A request that hangs until it is given up. */
function hang(signal: AbortSignal): Promise<RequestResult> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(none)
    signal.addEventListener('abort', () => resolve(none))
  })
}

/** Lets fake time pass in small steps, and runs everything that is ready after each step. */
async function pass(milliseconds: number) {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    await vi.advanceTimersByTimeAsync(100)
    for (let turns = 0; turns < 30; turns++) await eventLoopTurn()
  }
}

function open(
  respond: (request: ApiRequest, signal: AbortSignal, onResponseStart: () => void) => Promise<RequestResult>,
) {
  const onBack = vi.fn()
  const probes: ApiRequest[] = []
  const connection = new Connection({
    send: (request, signal, onResponseStart = () => {}) => {
      if (request.path === '/api/health') probes.push(request)
      return respond(request, signal, onResponseStart)
    },
    watched: () => true,
    onChange() {},
    onBack,
    pause,
  })
  return { connection, onBack, probes }
}

it('a response that was on its way when the connection changed says nothing about the new one', async () => {
  const early = Promise.withResolvers<RequestResult>()
  const responses = [early.promise, Promise.resolve(done)]
  const { connection } = open((_request, signal) => responses.shift() ?? hang(signal))
  const first = connection.send(read, never)
  connection.reset()
  early.resolve(done)
  await first
  expect(connection.isServerUp).toBeUndefined()
  await connection.send(read, never)
  expect(connection.isServerUp).toBe(true)
})

describe('a request that hangs', () => {
  it('is given up once the server responds to others, and never before', async () => {
    let respondsToOthers = false
    const { connection, onBack } = open((request, signal) =>
      request.path === '/api/health' && respondsToOthers ? Promise.resolve(done) : hang(signal),
    )
    const ended = vi.fn()
    void connection.send(change, never).then(ended)
    await pass(20_000)
    expect(ended).not.toHaveBeenCalled()
    expect(connection.isServerUp).toBe(false)
    respondsToOthers = true
    await pass(4_000)
    expect(ended).toHaveBeenCalledWith(none)
    expect(connection.isServerUp).toBe(true)
    expect(onBack).toHaveBeenCalledOnce()
  })

  it('is not one whose response has begun to arrive, however long it takes', async () => {
    const { connection, probes } = open(async (request, signal, onResponseStart) => {
      if (request.path === '/api/health') return done
      onResponseStart()
      return Promise.race([hang(signal), pause(20_000, signal).then(() => done)])
    })
    const response = connection.send(read, never)
    await pass(21_000)
    expect(await response).toEqual(done)
    expect(probes).toEqual([])
  })

  it('or is only slow gets twice as long each time, until it succeeds', async () => {
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
    const responses: RequestResult[] = []
    void (async () => {
      while (responses.at(-1)?.kind !== 'done') responses.push(await connection.send(change, never))
    })()
    await pass(40_000)
    expect(responses.map(({ kind }) => kind)).toEqual(['none', 'none', 'done'])
  })

  it('and only reads is sent again automatically, so that no screen shows a problem', async () => {
    let sent = 0
    const { connection } = open(async (request, signal) => {
      if (request.path === '/api/health') return done
      sent += 1
      return sent < 3 ? hang(signal) : done
    })
    const ended = vi.fn()
    void connection.send(read, never).then(ended)
    await pass(12_000)
    expect(ended.mock.calls).toEqual([[done]])
    expect(sent).toBe(3)
  })
})

describe('the path of a change', () => {
  withFreshBrowser()

  // Requests sent before that moment never get a response, as on a connection that broke silently.
  it.each([500, 2_900, 4_000, 12_300, 29_500, 31_000, 64_000])(
    'continues within five seconds once the server responds again, after %i ms in which everything hung',
    async (outage) => {
      const server = new NoteServer()
      let hangs = false
      const tab = openTab(server, { pause, visible: () => true, hangs: () => hangs })
      await tab.put('before')
      while (server.done.length === 0 || tab.sync.outbox.unread.size > 0) await pass(100)
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
