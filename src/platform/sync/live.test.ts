import { afterEach, expect, test, vi } from 'vitest'
import type { LiveEvent } from '#platform/wire/live-event.ts'
import { waitFor } from '#testing/wait.ts'
import type { Told } from './changed-lists.ts'
import { Live, type LiveParts } from './live.ts'
import type { Heard, Opened } from './open-events.ts'
import { turn } from './testing/notes.ts'

const tabs: Live[] = []
let accounts = 0

afterEach(() => {
  for (const tab of tabs.splice(0)) tab.stop()
})

interface Stream {
  seen: string | undefined
  signal: AbortSignal
  say(event: LiveEvent, revision?: string): Promise<void>
  beat(): Promise<void>
  end(): Promise<void>
}

async function settle() {
  for (let turns = 0; turns < 10; turns += 1) await turn()
}

/** A browser whose tabs are opened on a server that answers with a stream, unless it is said otherwise. */
function browser({ answer }: { answer?: () => Opened | undefined } = {}) {
  accounts += 1
  const account = `ann ${accounts}`
  const streams: Stream[] = []
  const pauses: { milliseconds: number; pass(): Promise<void> }[] = []

  function openStream(seen: string | undefined, signal: AbortSignal): Opened {
    const body = new TransformStream<Heard, Heard>()
    const writer = body.writable.getWriter()
    const end = () => writer.close().catch(() => {})
    signal.addEventListener('abort', end)
    streams.push({
      seen,
      signal,
      async say(said, revision = 'r1') {
        writer.write({ revision, said }).catch(() => {})
        await settle()
      },
      async beat() {
        writer.write('beat').catch(() => {})
        await settle()
      },
      async end() {
        void end()
        await settle()
      },
    })
    return { kind: 'open', heard: body.readable }
  }

  async function openTab(parts: Partial<LiveParts> = {}) {
    const told: Told[] = []
    const heard: (readonly string[] | undefined)[] = []
    const onSignedOut = vi.fn()
    const live = new Live({
      account,
      open: async (_account, seen, signal) => answer?.() ?? openStream(seen, signal),
      ready: Promise.resolve(),
      turn: () => ({ name: `test ${account}`, take: async () => true }),
      readAt: () => undefined,
      async reread(each) {
        told.push(each)
        return true
      },
      onSignedOut,
      visible: () => true,
      online: () => true,
      now: () => 0,
      pause: (milliseconds, signal) =>
        new Promise((resolve, reject) => {
          if (signal.aborted) return reject(signal.reason)
          const entry = {
            milliseconds,
            async pass() {
              pauses.splice(pauses.indexOf(entry), 1)
              resolve()
              await settle()
            },
          }
          pauses.push(entry)
          signal.addEventListener('abort', () => {
            if (pauses.includes(entry)) pauses.splice(pauses.indexOf(entry), 1)
            reject(signal.reason)
          })
        }),
      ...parts,
    })
    tabs.push(live)
    live.listen((lists) => heard.push(lists))
    live.start()
    await settle()
    return { live, told, heard, onSignedOut }
  }

  const waits = () => pauses.map(({ milliseconds }) => milliseconds)
  const pass = async (milliseconds: number) => {
    await pauses.find((entry) => entry.milliseconds === milliseconds)?.pass()
  }
  return { openTab, streams, waits, pass, pauses }
}

const todos: LiveEvent = { event: 'changed', lists: ['todos'] }

test('what the server names is read again and told', async () => {
  const { openTab, streams } = browser()
  const { told, heard } = await openTab()
  await streams[0]?.say({ event: 'current' })
  await streams[0]?.say(todos, 'r2')
  expect(told).toEqual([{ revision: 'r2', lists: ['todos'] }])
  expect(heard).toEqual([['todos']])
})

test('nothing is missed before the first answer of a page, nor before anything was ever written', async () => {
  const { openTab, streams } = browser()
  const { told } = await openTab({ readAt: () => 'r1' })
  await streams[0]?.say({ event: 'changed' }, 'r1')
  await streams[0]?.say({ event: 'changed' }, '')
  expect(told).toEqual([])
})

test.each([
  ['to a minute', false, 8_000, 60_000],
  ['to seconds while somebody looks', true, 2_000, 4_000],
])(
  'a stream that ends is opened again where it was left, after a while that grows %s',
  async (_, isSeen, least, most) => {
    let down = false
    const { openTab, streams, pauses, waits } = browser({
      answer: () => (down ? { kind: 'none', retryAfter: undefined } : undefined),
    })
    const { told } = await openTab({ visible: () => isSeen })
    await streams[0]?.say(todos, 'r2')
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
    expect(streams.map(({ seen }) => seen)).toEqual([undefined, 'r2'])
    await streams[1]?.say({ event: 'changed' }, 'r5')
    expect(told.at(-1)).toEqual({ revision: 'r5', lists: undefined })
  },
)

test('the connection that is back is used at once', async () => {
  const { openTab, streams } = browser()
  const { live } = await openTab()
  await streams[0]?.say({ event: 'current' })
  live.connectionChanged()
  await settle()
  expect(streams[0]?.signal.aborted).toBe(true)
  expect(streams).toHaveLength(2)
})

test('a stream from before the device slept is not trusted, whichever way its clock was set meanwhile', async () => {
  const { openTab, streams } = browser()
  let now = 100_000_000
  const { live } = await openTab({ now: () => now })
  for (const slept of [20_000, 3_600_000, -3_600_000]) {
    await streams.at(-1)?.say({ event: 'current' })
    now += slept
    live.wake()
    await settle()
  }
  expect(streams.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
})

test('a stream on which nothing comes any more is given up', async () => {
  const { openTab, streams, pass } = browser()
  await openTab()
  await streams[0]?.say({ event: 'current' })
  await pass(60_000)
  expect(streams[0]?.signal.aborted).toBe(true)
  expect(streams).toHaveLength(2)
})

test('an end of the sign-in session is said once, and after the cookie of another could have come', async () => {
  const { openTab, streams, pass } = browser()
  const { onSignedOut } = await openTab()
  await streams[0]?.say({ event: 'signed-out' })
  expect(onSignedOut).not.toHaveBeenCalled()
  await pass(1_500)
  expect(onSignedOut).toHaveBeenCalledOnce()
  expect(streams).toHaveLength(1)
  await pass(4_000)
  expect(streams).toHaveLength(2)
})

test('whoever is not let in asks who is signed in, and not again for a minute', async () => {
  const { openTab, waits } = browser({ answer: () => ({ kind: 'signed-out' }) })
  const { onSignedOut } = await openTab()
  expect(onSignedOut).toHaveBeenCalledOnce()
  expect(waits()).toEqual([60_000])
})

test('one of too many devices comes back minutes later', async () => {
  const { openTab, streams, waits } = browser()
  await openTab()
  await streams[0]?.say({ event: 'crowded' })
  expect(waits()).toEqual([300_000])
})

test('what could not be read is read at the next sign of life, and at no other', async () => {
  const { openTab, streams } = browser()
  const answers = [false, false, true]
  const reread = vi.fn<LiveParts['reread']>(async () => answers.shift() ?? true)
  await openTab({ reread })
  await streams[0]?.say({ event: 'current' })
  await streams[0]?.say(todos, 'r2')
  for (let beats = 0; beats < 4; beats += 1) await streams[0]?.beat()
  expect(reread.mock.calls.map(([told]) => told)).toEqual([
    { revision: 'r2', lists: ['todos'] },
    { revision: 'r2' },
    { revision: 'r2' },
  ])
})

test('what was about to be read when the connection broke off is read all the same', async () => {
  const { openTab, streams } = browser()
  const signals: AbortSignal[] = []
  const { live } = await openTab({
    async reread(_told, signal) {
      signals.push(signal)
      return true
    },
  })
  await streams[0]?.say(todos, 'r2')
  live.connectionChanged()
  await settle()
  expect(streams[1]?.seen).toBe('r2')
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('a page that has read nothing yet is not told to read anew what it is reading', async () => {
  const { openTab, streams } = browser()
  const { heard, told } = await openTab()
  await streams[0]?.say({ event: 'changed' }, 'r1')
  await waitFor(() => expect(told).toEqual([{ revision: 'r1', lists: undefined }]))
  expect(heard).toEqual([])
  await streams[0]?.say({ event: 'changed' }, 'r2')
  await waitFor(() => expect(heard).toEqual([undefined]))
})

test('one tab holds the stream, the others hear of it, and miss nothing that it was closed before reading', async () => {
  const { openTab, streams } = browser()
  const first = await openTab()
  const second = await openTab()
  expect(streams).toHaveLength(1)
  await streams[0]?.say(todos, 'r2')
  await waitFor(() => expect(second.heard).toEqual([['todos']]))
  expect(second.told).toEqual([])
  first.live.stop()
  await waitFor(() => expect(streams).toHaveLength(2))
  expect(streams[1]?.seen).toBeUndefined()
  await streams[1]?.say({ event: 'changed' }, 'r2')
  expect(second.told).toEqual([{ revision: 'r2', lists: undefined }])
})

test('a tab that is looked at takes the stream from one that does not answer, and from no other', async () => {
  const { openTab, streams, pass } = browser()
  const first = await openTab()
  await openTab()
  await pass(45_000)
  await waitFor(() => expect(streams).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 20))
  await pass(3_000)
  expect(streams).toHaveLength(1)

  // Frozen: it neither answers nor lets go.
  const frozen = vi.spyOn(BroadcastChannel.prototype, 'postMessage').mockImplementation(() => {})
  await pass(45_000)
  await pass(3_000)
  frozen.mockRestore()
  await waitFor(() => expect(streams).toHaveLength(2))
  expect(streams[0]?.signal.aborted).toBe(true)
  expect(first.told).toEqual([])
})
