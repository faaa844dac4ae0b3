import { afterEach, expect, test, vi } from 'vitest'
import type { LiveEvent } from '#platform/wire/live-event.ts'
import { waitFor } from '#testing/wait.ts'
import { eventLoopTurn } from '../testing/notes.ts'
import type { AnnouncedChanges } from './changed-collections.ts'
import { LiveUpdates, type LiveUpdatesParts } from './live-updates.ts'
import type { OpenResult, ReceivedEvent } from './open-events.ts'

const tabs: LiveUpdates[] = []
let accounts = 0

afterEach(() => {
  for (const tab of tabs.splice(0)) tab.stop()
})

interface Stream {
  lastRevision: string | undefined
  signal: AbortSignal
  send(event: LiveEvent, revision?: string): Promise<void>
  heartbeat(): Promise<void>
  end(): Promise<void>
}

async function settle() {
  for (let turns = 0; turns < 10; turns += 1) await eventLoopTurn()
}

/** A browser whose server responds to each tab with a stream, unless `respond` returns something else. */
function browser({ respond }: { respond?: () => OpenResult | undefined } = {}) {
  accounts += 1
  const account = `ann ${accounts}`
  const streams: Stream[] = []
  const pauses: { milliseconds: number; pass(): Promise<void> }[] = []

  function openStream(lastRevision: string | undefined, signal: AbortSignal): OpenResult {
    const body = new TransformStream<ReceivedEvent, ReceivedEvent>()
    const writer = body.writable.getWriter()
    const end = () => writer.close().catch(() => {})
    signal.addEventListener('abort', end)
    streams.push({
      lastRevision,
      signal,
      async send(event, revision = 'r1') {
        writer.write({ revision, event }).catch(() => {})
        await settle()
      },
      async heartbeat() {
        writer.write('heartbeat').catch(() => {})
        await settle()
      },
      async end() {
        void end()
        await settle()
      },
    })
    return { kind: 'open', events: body.readable }
  }

  async function openTab(parts: Partial<LiveUpdatesParts> = {}) {
    const messages: AnnouncedChanges[] = []
    const notified: (readonly string[] | undefined)[] = []
    const onSignedOut = vi.fn()
    const live = new LiveUpdates({
      account,
      open: async (_account, lastRevision, signal) => respond?.() ?? openStream(lastRevision, signal),
      ready: Promise.resolve(),
      leadership: () => ({ lockName: `test ${account}`, claimLease: async () => true }),
      readRevision: () => undefined,
      async reread(message) {
        messages.push(message)
        return true
      },
      onSignedOut,
      visible: () => true,
      online: () => true,
      now: () => 0,
      pause: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(signal.reason)
          const waiting = {
            milliseconds,
            async pass() {
              pauses.splice(pauses.indexOf(waiting), 1)
              resolve()
              await settle()
            },
          }
          pauses.push(waiting)
          signal.addEventListener('abort', () => {
            if (pauses.includes(waiting)) pauses.splice(pauses.indexOf(waiting), 1)
            reject(signal.reason)
          })
        }),
      ...parts,
    })
    tabs.push(live)
    live.listen((lists) => notified.push(lists))
    live.start()
    await settle()
    return { live, messages, notified, onSignedOut }
  }

  const waits = () => pauses.map(({ milliseconds }) => milliseconds)
  const pass = async (milliseconds: number) => {
    await pauses.find((waiting) => waiting.milliseconds === milliseconds)?.pass()
  }
  return { openTab, streams, waits, pass, pauses }
}

const todos: LiveEvent = { event: 'changed', lists: ['todos'] }

test('what the server names is read again, and listeners are notified', async () => {
  const { openTab, streams } = browser()
  const { messages, notified } = await openTab()
  await streams[0]?.send({ event: 'current' })
  await streams[0]?.send(todos, 'r2')
  expect(messages).toEqual([{ revision: 'r2', lists: ['todos'] }])
  expect(notified).toEqual([['todos']])
})

test('nothing is read again for the revision a page already has, nor before anything was ever written', async () => {
  const { openTab, streams } = browser()
  const { messages } = await openTab({ readRevision: () => 'r1' })
  await streams[0]?.send({ event: 'changed' }, 'r1')
  await streams[0]?.send({ event: 'changed' }, '')
  expect(messages).toEqual([])
})

test.each([
  ['to a minute', false, 8_000, 60_000],
  ['to seconds while someone is looking', true, 2_000, 4_000],
])(
  'a stream that ends is reopened where it stopped, after a delay that grows %s',
  async (_, isVisible, least, most) => {
    let down = false
    const { openTab, streams, pauses, waits } = browser({
      respond: () => (down ? { kind: 'none', retryAfter: undefined } : undefined),
    })
    const { messages } = await openTab({ visible: () => isVisible })
    await streams[0]?.send(todos, 'r2')
    down = true
    await streams[0]?.end()
    const waited: number[] = []
    for (let failures = 0; failures < 10; failures += 1) {
      waited.push(waits()[0] ?? 0)
      await pauses[0]?.pass()
    }
    expect(waited[0]).toBeLessThanOrEqual(1_000)
    expect(waited[4]).toBeGreaterThanOrEqual(least)
    expect(Math.max(...waited)).toBeLessThanOrEqual(most)
    down = false
    await pauses[0]?.pass()
    expect(streams.map(({ lastRevision }) => lastRevision)).toEqual([undefined, 'r2'])
    await streams[1]?.send({ event: 'changed' }, 'r5')
    expect(messages.at(-1)).toEqual({ revision: 'r5', lists: undefined })
  },
)

test('a connection that is back is used at once', async () => {
  const { openTab, streams } = browser()
  const { live } = await openTab()
  await streams[0]?.send({ event: 'current' })
  live.connectionChanged()
  await settle()
  expect(streams[0]?.signal.aborted).toBe(true)
  expect(streams).toHaveLength(2)
})

test('a stream from before the device slept is not trusted, whichever way the clock was set meanwhile', async () => {
  const { openTab, streams } = browser()
  let now = 100_000_000
  const { live } = await openTab({ now: () => now })
  for (const slept of [20_000, 3_600_000, -3_600_000]) {
    await streams.at(-1)?.send({ event: 'current' })
    now += slept
    live.wake()
    await settle()
  }
  expect(streams.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
})

test('a stream on which nothing arrives any more is given up', async () => {
  const { openTab, streams, pass } = browser()
  await openTab()
  await streams[0]?.send({ event: 'current' })
  await pass(60_000)
  expect(streams[0]?.signal.aborted).toBe(true)
  expect(streams).toHaveLength(2)
})

test('the end of a sign-in session is reported once, after the cookie of a new session had time to arrive', async () => {
  const { openTab, streams, pass } = browser()
  const { onSignedOut } = await openTab()
  await streams[0]?.send({ event: 'signed-out' })
  expect(onSignedOut).not.toHaveBeenCalled()
  await pass(1_500)
  expect(onSignedOut).toHaveBeenCalledOnce()
  expect(streams).toHaveLength(1)
  await pass(4_000)
  expect(streams).toHaveLength(2)
})

test('a tab that is not signed in checks the session, and not again for a minute', async () => {
  const { openTab, waits } = browser({ respond: () => ({ kind: 'signed-out' }) })
  const { onSignedOut } = await openTab()
  expect(onSignedOut).toHaveBeenCalledOnce()
  expect(waits()).toEqual([60_000])
})

test('one device too many comes back minutes later', async () => {
  const { openTab, streams, waits } = browser()
  await openTab()
  await streams[0]?.send({ event: 'crowded' })
  expect(waits()).toEqual([300_000])
})

test('what could not be read is read again at every heartbeat until it succeeds, and then no more', async () => {
  const { openTab, streams } = browser()
  const responses = [false, false, true]
  const reread = vi.fn<LiveUpdatesParts['reread']>(async () => responses.shift() ?? true)
  await openTab({ reread })
  await streams[0]?.send({ event: 'current' })
  await streams[0]?.send(todos, 'r2')
  for (let beats = 0; beats < 4; beats += 1) await streams[0]?.heartbeat()
  expect(reread.mock.calls.map(([message]) => message)).toEqual([
    { revision: 'r2', lists: ['todos'] },
    { revision: 'r2' },
    { revision: 'r2' },
  ])
})

test('a read that was due when the connection broke off still happens', async () => {
  const { openTab, streams } = browser()
  const signals: AbortSignal[] = []
  const { live } = await openTab({
    async reread(_message, signal) {
      signals.push(signal)
      return true
    },
  })
  await streams[0]?.send(todos, 'r2')
  live.connectionChanged()
  await settle()
  expect(streams[1]?.lastRevision).toBe('r2')
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('listeners on a page that has read nothing yet are not notified of what it is just reading', async () => {
  const { openTab, streams } = browser()
  const { notified, messages } = await openTab()
  await streams[0]?.send({ event: 'changed' }, 'r1')
  await waitFor(() => expect(messages).toEqual([{ revision: 'r1', lists: undefined }]))
  expect(notified).toEqual([])
  await streams[0]?.send({ event: 'changed' }, 'r2')
  await waitFor(() => expect(notified).toEqual([undefined]))
})

test('one tab holds the stream and informs the others, which miss nothing even if it closes before reading', async () => {
  const { openTab, streams } = browser()
  const first = await openTab()
  const second = await openTab()
  expect(streams).toHaveLength(1)
  await streams[0]?.send(todos, 'r2')
  await waitFor(() => expect(second.notified).toEqual([['todos']]))
  expect(second.messages).toEqual([])
  first.live.stop()
  await waitFor(() => expect(streams).toHaveLength(2))
  expect(streams[1]?.lastRevision).toBeUndefined()
  await streams[1]?.send({ event: 'changed' }, 'r2')
  expect(second.messages).toEqual([{ revision: 'r2', lists: undefined }])
})

test('a visible tab takes the stream over from a tab that does not reply, but from no other', async () => {
  const { openTab, streams, pass } = browser()
  const first = await openTab()
  await openTab()
  await pass(45_000)
  await waitFor(() => expect(streams).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 20))
  await pass(3_000)
  expect(streams).toHaveLength(1)

  // Frozen: it neither replies nor releases the stream.
  const frozen = vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(() => {})
  await pass(45_000)
  await pass(3_000)
  frozen.mockRestore()
  await waitFor(() => expect(streams).toHaveLength(2))
  expect(streams[0]?.signal.aborted).toBe(true)
  expect(first.messages).toEqual([])
})
