import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { betweenStretches, countStatement, leavingThread } from '#platform/database/pacing/work.ts'
import { waitFor, waitUntil } from '#testing/wait.ts'
import { apiPipeline } from '../api/pipeline.ts'
import { type Endpoint, endpoint, endpointWithContext } from '../endpoint/endpoint.ts'
import { HttpContext, type HttpRequest } from '../request/context.ts'
import { listen } from '../request/listen.ts'
import { type Bounds, sharedBounds, usualBounds } from './budget-bounds.ts'
import { Slot } from './slot.ts'
import { UserBudgets } from './user-budget.ts'

const anything = { takes: {}, responses: { 200: z.object({}) } }

/** Twenty-five milliseconds of the processor. */
function compute(): void {
  const time = () => process.threadCpuUsage().user + process.threadCpuUsage().system
  for (const begun = time(); time() - begun < 25_000; );
}

/**
 * A server whose callers say who they are. `read` and `import` are heavy and go on when told, `long` never ends, `write` is
 * light.
 */
async function serve(bounds: Partial<Bounds> = {}) {
  let now = 0
  const unmeasured = {
    pace: Number.POSITIVE_INFINITY,
    microsecondsPerUnit: Number.POSITIVE_INFINITY,
    aloneAfter: Number.POSITIVE_INFINITY,
  }
  const budgets = new UserBudgets(() => now, { ...usualBounds, ...unmeasured, ...bounds })
  const begun: PromiseWithResolvers<void>[] = []
  const beside: number[] = []
  const steps = { begun: 0, atOnce: 0, mostAtOnce: 0, beside }
  let written = 0
  let ended = 0
  const whenTold = async () => {
    steps.begun += 1
    steps.atOnce += 1
    steps.mostAtOnce = Math.max(steps.mostAtOnce, steps.atOnce)
    const goOn = Promise.withResolvers<void>()
    begun.push(goOn)
    await goOn.promise
    steps.atOnce -= 1
    return { status: 200 as const, body: {} }
  }
  const calls: Endpoint[] = [
    endpoint({ ...anything, method: 'GET', path: '/api/read', summary: 'Read', handle: whenTold }),
    endpoint({
      ...anything,
      method: 'POST',
      path: '/api/import',
      summary: 'Import',
      work: 'heavy',
      handle: whenTold,
    }),
    endpointWithContext({
      ...anything,
      method: 'GET',
      path: '/api/long',
      summary: 'Long',
      handle: async () => ({
        written: (async function* () {
          try {
            for (;;) {
              written += 1
              yield 'x'.repeat(100_000)
            }
          } finally {
            ended += 1
          }
        })(),
      }),
    }),
    endpoint({
      ...anything,
      method: 'GET',
      path: '/api/stretches',
      summary: 'Stretches',
      async handle() {
        for (;;) {
          steps.begun += 1
          await betweenStretches()
        }
      },
    }),
    endpoint({
      ...anything,
      method: 'POST',
      path: '/api/dear',
      summary: 'Dear',
      async handle() {
        steps.begun += 1
        steps.beside.push(steps.atOnce)
        steps.atOnce += 1
        steps.mostAtOnce = Math.max(steps.mostAtOnce, steps.atOnce)
        countStatement(1_000, 1)
        for (let turn = 0; turn < 50; turn += 1) await setImmediate()
        steps.atOnce -= 1
        return { status: 200, body: {} }
      },
    }),
    endpoint({
      ...anything,
      method: 'POST',
      path: '/api/compute',
      summary: 'Compute',
      async handle() {
        compute()
        await betweenStretches()
        compute()
        return { status: 200, body: {} }
      },
    }),
    endpoint({
      ...anything,
      method: 'POST',
      path: '/api/wait',
      summary: 'Wait',
      handle: async () => {
        const back = leavingThread()
        await whenTold()
        back()
        return { status: 200, body: {} }
      },
    }),
    endpoint({
      ...anything,
      method: 'POST',
      path: '/api/say',
      summary: 'Say',
      responses: { 200: z.object({ said: z.string() }) },
      handle: async () => ({ status: 200, body: { said: 'x'.repeat(50_000) } }),
    }),
    endpoint({
      ...anything,
      method: 'POST',
      path: '/api/write',
      summary: 'Write',
      async handle() {
        countStatement(10, 9)
        return { status: 200, body: {} }
      },
    }),
  ]
  const respond = apiPipeline(calls, {
    baseUrl: undefined,
    signedInUser: async ({ request }) => request.header('user'),
    secondsToWait: async () => 0,
    budgets,
    brokeOff: () => {},
  })
  const handler = { respond: (request: HttpRequest) => respond(new HttpContext(request)) }
  const listening = await listen(handler, '127.0.0.1', 0, pino({ level: 'silent' }))
  onTestFinished(() => listening.close(0))
  // The `fetch` of Node doesn't close the connection of a compressed response that it gives up.
  const ask = (method: string, path: string, user: string, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${listening.port}${path}`, {
      method,
      headers: { user, 'accept-encoding': 'identity' },
      signal: signal ?? null,
    })
  /** Asks, and takes nothing of what is answered. */
  async function askUnread(user: string, encoding = 'identity'): Promise<Socket> {
    const socket = connect(listening.port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.pause()
    socket.write(
      `GET /api/long HTTP/1.1\r\nHost: localhost\r\nuser: ${user}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
    )
    return socket
  }
  const letGo = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      await waitUntil(() => begun.length > 0)
      begun.shift()?.resolve()
    }
  }
  return {
    budgets,
    ask,
    askUnread,
    letGo,
    steps,
    lengths: () => ({ written, ended }),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

it('heavy requests of one user are answered one after another, and nobody else waits for them', async () => {
  const { ask, letGo, steps } = await serve()
  const ofAda = Array.from({ length: 8 }, () => ask('GET', '/api/read', 'ada'))
  await waitUntil(() => steps.begun === 1)
  const ofEve = ask('GET', '/api/read', 'eve')
  await waitUntil(() => steps.begun === 2)
  expect((await ask('POST', '/api/write', 'ada')).status).toBe(200)
  await letGo(9)
  expect((await Promise.all([...ofAda, ofEve])).map(({ status }) => status)).toEqual(Array(9).fill(200))
  expect(steps.mostAtOnce).toBe(2)
})

it('a user reads on while a heavy write of theirs is under way, and such writes come one after another', async () => {
  const { ask, letGo, steps } = await serve()
  const imports = [ask('POST', '/api/import', 'ada'), ask('POST', '/api/import', 'ada')]
  await waitUntil(() => steps.begun === 1)
  const read = ask('GET', '/api/read', 'ada')
  await waitUntil(() => steps.begun === 2)
  await letGo(3)
  expect((await Promise.all([...imports, read])).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(steps.mostAtOnce).toBe(2)
})

it('only so many heavy requests of a user wait in line; the next one is told when to come again', async () => {
  const { ask, letGo, steps } = await serve({ slots: 2, queue: 3 })
  const all = Array.from({ length: 5 }, () => ask('GET', '/api/read', 'ada'))
  await waitUntil(() => steps.begun === 1)
  await waitFor(async () => {
    const refused = await ask('GET', '/api/read', 'ada', AbortSignal.timeout(200))
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toEqual({
      code: 'TOO_MANY_REQUESTS',
      message: 'Too many requests. Try again in 1 second.',
    })
  })
  void letGo(50).catch(() => {})
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(5).fill(200))
})

describe('heavy work makes room for others', () => {
  /** A user whose every step would be followed by a rest of a quarter of an hour. */
  async function heavyUser(bounds: Partial<Bounds>) {
    const budgets = new UserBudgets(() => 0, { ...usualBounds, pace: 1, ...bounds })
    const slot = await budgets.enter('ada', 'writes')
    if (!(slot instanceof Slot)) throw new Error('Nothing is spent yet')
    const reading = await budgets.enter('ada', 'reads')
    if (!(reading instanceof Slot)) throw new Error('Nothing is spent yet')
    const step = () => slot.step(async () => countStatement(1_000, 1))
    /** Whether the step waits for the rest after the one before. */
    const isHeldUp = async () => {
      let isOver = false
      void step().then(() => {
        isOver = true
      })
      for (let turn = 0; turn < 200; turn += 1) await setImmediate()
      return !isOver
    }
    return { budgets, reading, step, isHeldUp }
  }

  it('and goes on without a rest while nobody else is there', async () => {
    const { budgets, step, isHeldUp } = await heavyUser({ aloneAfter: 60_000 })
    await step()
    expect(await isHeldUp()).toBe(false)
    budgets.refuse('eve')
    await step()
    expect(await isHeldUp()).toBe(true)
  })

  it('and for what the same user reads meanwhile', async () => {
    const { reading, step, isHeldUp } = await heavyUser({ aloneAfter: 60_000 })
    const read = Promise.withResolvers<void>()
    const isRead = reading.step(() => read.promise)
    await step()
    expect(await isHeldUp()).toBe(true)
    read.resolve()
    await isRead
  })

  it('and again without one when the others have been gone for a while', async () => {
    const { budgets, step, isHeldUp } = await heavyUser({ aloneAfter: 5 })
    budgets.refuse('eve')
    await pause(20)
    await step()
    budgets.refuse('ada')
    expect(await isHeldUp()).toBe(false)
  })

  it('and always rests where others may be at another process', async () => {
    const { step, isHeldUp } = await heavyUser({ aloneAfter: sharedBounds.aloneAfter })
    await step()
    expect(await isHeldUp()).toBe(true)
  })
})

it('whoever goes away while waiting gives the place up, and nothing is read for them', async () => {
  const { ask, letGo, steps } = await serve({ slots: 1 })
  const first = ask('GET', '/api/read', 'ada')
  await waitUntil(() => steps.begun === 1)
  const leaving = new AbortController()
  const gone = Array.from({ length: 20 }, () =>
    ask('GET', '/api/read', 'ada', leaving.signal).catch(() => 'gone'),
  )
  const last = ask('GET', '/api/read', 'ada')
  for (let turn = 0; turn < 200; turn += 1) await setImmediate()
  leaving.abort()
  expect(await Promise.all(gone)).toEqual(Array(20).fill('gone'))
  for (let turn = 0; turn < 200; turn += 1) await setImmediate()
  await letGo(2)
  expect((await Promise.all([first, last])).map(({ status }) => status)).toEqual([200, 200])
  expect(steps.begun).toBe(2)
})

it('only a few long responses of a user are under way, and whoever goes away makes room', async () => {
  const { ask, lengths } = await serve({ slots: 2 })
  const leaving = new AbortController()
  const open = await Promise.all([1, 2].map(() => ask('GET', '/api/long', 'ada', leaving.signal)))
  const third = ask('GET', '/api/read', 'ada').catch(() => undefined)
  const [one] = open
  await one?.body?.getReader().read()
  leaving.abort()
  await waitUntil(() => lengths().ended === 2)
  const { written } = lengths()
  for (let turn = 0; turn < 200; turn += 1) await setImmediate()
  expect(lengths()).toEqual({ written, ended: 2 })
  void third
})

it.each(['gzip', 'identity'])(
  'whoever goes away while a long response is sent as %s makes room, and nothing more of it is written',
  async (encoding) => {
    const { ask, askUnread, letGo, lengths } = await serve({ slots: 1 })
    const socket = await askUnread('ada', encoding)
    await waitUntil(() => lengths().written > 1)
    expect(lengths().ended).toBe(0)
    socket.destroy()
    const next = ask('GET', '/api/read', 'ada')
    await letGo(1)
    expect((await next).status).toBe(200)
    await waitUntil(() => lengths().ended === 1)
  },
)

it('whoever takes nothing of a long response is cut off, and holds up no other response of theirs for longer', async () => {
  const { ask, askUnread, letGo, lengths } = await serve({ slots: 2, patience: 300 })
  await Promise.all([askUnread('ada'), askUnread('ada')])
  await waitUntil(() => lengths().written > 1)
  void letGo(1)
  expect((await ask('GET', '/api/read', 'ada')).status).toBe(200)
  expect(lengths().ended).toBeGreaterThan(0)
})

it('a long response that nobody waits for any more is not gone on with', async () => {
  const { ask, steps } = await serve()
  const leaving = new AbortController()
  const gone = ask('GET', '/api/stretches', 'ada', leaving.signal).catch(() => 'gone')
  await waitUntil(() => steps.begun > 0)
  leaving.abort()
  expect(await gone).toBe('gone')
  for (let turn = 0; turn < 200; turn += 1) await setImmediate()
  const { begun } = steps
  for (let turn = 0; turn < 200; turn += 1) await setImmediate()
  expect(steps.begun).toBe(begun)
})

it('of those who ask for the headers alone no more is read than of the others', async () => {
  const { ask, lengths } = await serve({ slots: 1 })
  expect((await ask('HEAD', '/api/long', 'ada')).status).toBe(200)
  expect((await ask('HEAD', '/api/long', 'ada')).status).toBe(200)
  expect(lengths().written).toBe(0)
})

it('only a few light requests of a user are answered at once, and all of them in the end', async () => {
  const { ask, steps } = await serve({ lightSlots: 3 })
  const responses = await Promise.all(Array.from({ length: 50 }, () => ask('POST', '/api/dear', 'ada')))
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(steps.begun).toBe(50)
  expect(steps.mostAtOnce).toBe(3)
})

it('light requests that turn out to be heavy are answered one by one, while a heavy response holds up no light one', async () => {
  // Of 1,012 units each, so that the next one comes a fifth of a second later.
  const { ask, letGo, steps } = await serve({ lightSlots: 3, pace: 5_000 })
  await Promise.all(Array.from({ length: 7 }, () => ask('POST', '/api/dear', 'ada')))
  expect(steps.beside.slice(3)).toEqual([0, 0, 0, 0])
  const heavy = ask('GET', '/api/read', 'eve')
  await waitUntil(() => steps.begun === 8)
  expect((await ask('POST', '/api/write', 'eve')).status).toBe(200)
  await letGo(1)
  expect((await heavy).status).toBe(200)
})

it('what a user has spent comes back with time, and another user has their own', async () => {
  // A write costs 10 and its statement 2 + 10 × 9.
  const { ask, pass } = await serve({ capacity: 1_000, perSecond: 20 })
  const write = async (user: string) => (await ask('POST', '/api/write', user)).status
  for (let count = 0; count < 10; count += 1) expect(await write('ada')).toBe(200)
  const refused = await ask('POST', '/api/write', 'ada')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(await write('eve')).toBe(200)
  pass(1_000)
  expect(await write('ada')).toBe(429)
  pass(1_000)
  expect(await write('ada')).toBe(200)
  expect(await write('ada')).toBe(429)
})

it('computing costs the processor time that it took, also where it counts nothing; waiting for others costs none', async () => {
  const { ask, letGo, steps } = await serve({ capacity: 50_000, perSecond: 0.001, microsecondsPerUnit: 1 })
  const waiting = ask('POST', '/api/wait', 'eve')
  await waitUntil(() => steps.begun === 1)
  // Twice twenty-five milliseconds each.
  expect((await ask('POST', '/api/compute', 'ada')).status).toBe(200)
  expect((await ask('POST', '/api/compute', 'ada')).status).toBe(429)
  await letGo(1)
  expect((await waiting).status).toBe(200)
  const again = ask('POST', '/api/wait', 'eve')
  await letGo(1)
  expect((await again).status).toBe(200)
})

it('a response costs by its length', async () => {
  const { ask } = await serve({ capacity: 100, perSecond: 0.001 })
  const say = async () => (await ask('POST', '/api/say', 'ada')).status
  expect([await say(), await say(), await say()]).toEqual([200, 200, 429])
})

it('a clock that is set back takes nothing away and gives nothing', async () => {
  const { ask, pass } = await serve({ capacity: 200, perSecond: 20 })
  const write = async () => (await ask('POST', '/api/write', 'ada')).status
  expect([await write(), await write(), await write()]).toEqual([200, 200, 429])
  pass(-3_600_000)
  expect(await write()).toBe(429)
  pass(2_000)
  expect(await write()).toBe(200)
})

it('whoever was not heard of for a while is forgotten', async () => {
  const { ask, budgets, pass } = await serve({ capacity: 1_000, perSecond: 20 })
  for (let count = 0; count < 50; count += 1) await ask('POST', '/api/write', `user ${count}`)
  expect(budgets.size).toBe(50)
  pass(120_000)
  await ask('POST', '/api/write', 'ada')
  expect(budgets.size).toBe(1)
})
