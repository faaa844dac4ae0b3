import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { apiPipeline } from '../api/pipeline.ts'
import { usualBounds } from '../budget/budget-bounds.ts'
import { UserBudgets } from '../budget/user-budget.ts'
import { type Endpoint, endpointWithContext } from '../endpoint/endpoint.ts'
import { HttpContext, type HttpRequest } from '../request/context.ts'
import { inProcess } from '../request/in-process.ts'
import { ResponseCache } from './response-cache.ts'
import { writeCollection } from './written.ts'

const collection = {
  method: 'GET',
  path: '/api/rows',
  summary: 'List',
  changesWith: 'writes',
  takes: {},
  responses: { 200: z.unknown() },
} as const

/** Asks for the collection as whoever the request says, at the revision that it says. */
function asking(ready: ResponseCache, endpoint: Endpoint, budgets?: UserBudgets) {
  const respond = apiPipeline([endpoint], {
    baseUrl: undefined,
    responseCache: ready,
    budgets,
    async signedInUser(c) {
      c.signedIn = signedIn(c.request)
      return c.signedIn.user
    },
    secondsToWait: async () => 0,
    brokeOff() {},
  })
  return inProcess((request) => respond(new HttpContext(request)))
}

function signedIn({ header }: Pick<HttpRequest, 'header'>) {
  const revision = header('revision') ?? 'first'
  return { user: header('user') ?? 'ada', token: 'any', revision, found: {} }
}

/** What is kept for somebody. */
function kept(ready: ResponseCache, user: string, target: string) {
  const header = (name: string) => (name === 'user' ? user : undefined)
  const request = { method: 'GET', target, address: '', outgoing: undefined, header, cut() {} }
  const c = new HttpContext({ ...request, readBody: async () => new Uint8Array() })
  c.user = user
  c.signedIn = signedIn(c.request)
  const found = ready.find(c)
  return found && 'json' in found ? found.json.toString() : undefined
}

/** Responses of so many bytes. */
function open(most: number) {
  let now = 0
  const ready = new ResponseCache({
    build: 'build',
    clock: () => (now += 1_000),
    dayOf: async () => ({ day: '1970-01-01', until: Number.POSITIVE_INFINITY }),
    maxBytes: most,
  })
  const request = asking(
    ready,
    endpointWithContext({
      ...collection,
      handle: async ({ c }) => ({
        status: 200,
        body: 'x'.repeat(Number(c.request.header('size'))),
      }),
    }),
  )
  const ask = (user: string, path: string, size: number, revision = 'first') =>
    request(path, { headers: { user, size: String(size), revision } })
  return { ready, ask }
}

it('nobody drives out what is kept for others by asking in a great many ways', async () => {
  const { ask, ready } = open(100_000)
  await ask('ada', '/api/rows?', 0)
  for (let number = 0; number < 1_000; number += 1) await ask('eve', `/api/rows?${number}`, number)
  expect(kept(ready, 'ada', '/api/rows?')).toBeDefined()
})

it('what was asked for last is kept, and never more bytes than there may be, however it is asked', async () => {
  const { ready, ask } = open(100_000)
  for (let number = 0; number < 1_000; number += 1) {
    await ask(`user-${number}`, `/api/rows?${'q'.repeat(number % 200)}`, number)
    expect(ready.bytes).toBeLessThanOrEqual(100_000)
    expect(kept(ready, 'user-0', '/api/rows?')).toBeDefined()
  }
  expect(ready.bytes).toBeGreaterThan(50_000)
  expect(kept(ready, 'user-1', '/api/rows?q')).toBeUndefined()
})

it('what is very long is answered, but not kept', async () => {
  const { ready, ask } = open(100_000_000)
  const response = await ask('ada', '/api/rows?long', 5_000_000)
  expect((await response.text()).length).toBe(5_000_002)
  expect(kept(ready, 'ada', '/api/rows?long')).toBeUndefined()
  expect(ready.bytes).toBe(0)
})

it('a newer response takes the place of the one before', async () => {
  const { ready, ask } = open(100_000)
  await ask('ada', '/api/rows', 1_000)
  const bytes = ready.bytes
  await ask('ada', '/api/rows', 1_000, 'other')
  expect(ready.bytes).toBe(bytes)
})

it.each([0, 1, 2, 3, 30])(
  'a collection of %i pages has the same bytes as if it were made at once',
  async (pages) => {
    const { ask, all } = openCollection(pages)
    for (const asked of [await ask(), await ask()]) {
      expect(asked.status).toBe(200)
      expect(asked.headers.get('etag')).toBe('"first-build"')
      expect(asked.headers.get('cache-control')).toBe('private, no-cache')
      expect(asked.headers.get('content-type')).toBe('application/json')
      expect(await asked.text()).toBe(all())
    }
  },
)

it('a long collection is kept once all of it was taken, unless it is too long for that, and never where it was not', async () => {
  const whole = openCollection(30)
  const taken = await whole.ask()
  expect(kept(whole.ready, 'ada', '/api/rows')).toBeUndefined()
  await taken.text()
  expect(kept(whole.ready, 'ada', '/api/rows')).toBe(whole.all())

  const left = openCollection(30)
  await (await left.ask()).body?.cancel()
  expect(kept(left.ready, 'ada', '/api/rows')).toBeUndefined()

  const long = openCollection(60)
  await (await long.ask()).text()
  expect(long.ready.bytes).toBe(0)
})

it('a long collection is read no further than it is taken, and not at all for whoever has it', async () => {
  const { ask, read } = openCollection(1_000)
  const asked = await ask()
  const reader = asked.body?.getReader()
  for (let count = 0; count < 10; count += 1) await reader?.read()
  await reader?.cancel()
  expect(read.pages).toBeLessThanOrEqual(12)
  expect(read.ended).toBe(true)

  const before = read.pages
  expect((await ask({ 'if-none-match': '"first-build"' })).status).toBe(304)
  expect(read.pages).toBe(before)
})

it('others are answered between any two pages of a long collection', async () => {
  const { ask, read } = openCollection(30)
  await (await ask()).text()
  expect(read.pages).toBe(30)
  expect(read.mostInOneTurn).toBe(1)
})

it('of many devices that ask for the same at once, those that wait get what the first was answered', async () => {
  let made = 0
  const ready = new ResponseCache({
    build: 'build',
    clock: () => 0,
    dayOf: async () => ({ day: '1970-01-01', until: Number.POSITIVE_INFINITY }),
  })
  const request = asking(
    ready,
    endpointWithContext({
      ...collection,
      async handle() {
        made += 1
        for (let turn = 0; turn < 20; turn += 1) await setImmediate()
        return { status: 200, body: { made } }
      },
    }),
    new UserBudgets(() => 0, { ...usualBounds, slots: 1 }),
  )
  const asked = await Promise.all(Array.from({ length: 10 }, () => request('/api/rows')))
  const texts = await Promise.all(asked.map((response) => response.text()))
  expect(texts).toEqual(Array(10).fill('{"made":1}'))
  expect(new Set(asked.map((response) => response.headers.get('etag')))).toEqual(new Set(['"first-build"']))

  const changed = await request('/api/rows', { headers: { revision: 'second' } })
  expect(await changed.text()).toBe('{"made":2}')
})

/** A collection that is written in pages of 100 kB each. */
function openCollection(pages: number) {
  const ready = new ResponseCache({
    build: 'build',
    clock: () => 0,
    dayOf: async () => ({ day: '1970-01-01', until: Number.POSITIVE_INFINITY }),
  })
  const page = [{ text: 'Grüße 🌱'.repeat(2_500) }, { text: 'x'.repeat(65_000) }]
  const all = () => JSON.stringify({ rows: Array.from({ length: pages }, () => page).flat() })
  const read = { pages: 0, mostInOneTurn: 0, ended: false }
  async function* readPages() {
    let inTurn = 0
    try {
      for (let number = 0; number < pages; number += 1) {
        if (inTurn === 0) void setImmediate().then(() => (inTurn = 0))
        inTurn += 1
        read.mostInOneTurn = Math.max(read.mostInOneTurn, inTurn)
        read.pages += 1
        yield page
      }
    } finally {
      read.ended = true
    }
  }
  const request = asking(
    ready,
    endpointWithContext({
      ...collection,
      handle: async () => ({ written: writeCollection('rows', readPages()) }),
    }),
  )
  const ask = async (headers: Record<string, string> = {}) => request('/api/rows', { headers })
  return { ready, ask, all, read }
}
