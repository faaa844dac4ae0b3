import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { HttpEnv } from './context.ts'
import { ReadyAnswers } from './ready-answers.ts'
import { sendWritten, writeList } from './written.ts'

/** Answers of so many bytes, for whoever says who they are. */
function open(most: number) {
  let now = 0
  const ready = new ReadyAnswers({
    build: 'build',
    clock: () => (now += 1_000),
    dayOf: async () => ({ day: '1970-01-01', until: Number.POSITIVE_INFINITY }),
    most,
  })
  const app = new Hono<HttpEnv>()
  app.get('*', async (c) => {
    const user = c.req.header('user') ?? ''
    c.set('user', user)
    c.set('signedIn', { user, token: 'any', revision: 'first' })
    const size = Number(c.req.header('size'))
    const answered = await ready.answer(c, 'writes', async () => ({ status: 200, body: 'x'.repeat(size) }))
    return answered instanceof Response ? answered : c.notFound()
  })
  const ask = (user: string, path: string, size: number) =>
    app.request(path, { headers: { user, size: String(size) } })
  return { ready, ask }
}

it('nobody drives out what is kept for others by asking in a great many ways', async () => {
  const { ask, ready } = open(100_000)
  await ask('ada', '/list?', 0)
  for (let number = 0; number < 1_000; number += 1) await ask('eve', `/list?${number}`, number)
  expect(ready.find('ada', 'first', '/list?')).toBeDefined()
})

it('what was asked for last is kept, and never more bytes than there may be, however it is asked', async () => {
  const { ready, ask } = open(100_000)
  for (let number = 0; number < 1_000; number += 1) {
    await ask(`user-${number}`, `/list?${'q'.repeat(number % 200)}`, number)
    expect(ready.bytes).toBeLessThanOrEqual(100_000)
    expect(ready.find('user-0', 'first', '/list?')).toBeDefined()
  }
  expect(ready.bytes).toBeGreaterThan(50_000)
  expect(ready.find('user-1', 'first', '/list?q')).toBeUndefined()
})

it('what is very long is answered, but not kept', async () => {
  const { ready, ask } = open(100_000_000)
  const answered = await ask('ada', '/long', 5_000_000)
  expect((await answered.text()).length).toBe(5_000_002)
  expect(ready.find('ada', 'first', '/long')).toBeUndefined()
  expect(ready.bytes).toBe(0)
})

it('a newer answer takes the place of the one before', async () => {
  const { ready, ask } = open(100_000)
  await ask('ada', '/list', 1_000)
  const bytes = ready.bytes
  await ask('ada', '/list', 1_000)
  expect(ready.bytes).toBe(bytes)
})

it.each([0, 1, 2, 3, 30])(
  'a list of %i pages has the same bytes as if it were made at once',
  async (pages) => {
    const { ask, list } = openList(pages)
    for (const asked of [await ask(), await ask()]) {
      expect(asked.status).toBe(200)
      expect(asked.headers.get('etag')).toBe('"first-build"')
      expect(asked.headers.get('cache-control')).toBe('private, no-cache')
      expect(asked.headers.get('content-type')).toBe('application/json')
      expect(await asked.text()).toBe(JSON.stringify(list))
    }
  },
)

it('a long list is kept once all of it was taken, unless it is too long for that, and never where it was not', async () => {
  const kept = openList(30)
  const taken = await kept.ask()
  expect(kept.ready.find('ada', 'first', '/list')).toBeUndefined()
  await taken.text()
  expect(kept.ready.find('ada', 'first', '/list')?.bytes?.toString()).toBe(JSON.stringify(kept.list))

  const left = openList(30)
  await (await left.ask()).body?.cancel()
  expect(left.ready.find('ada', 'first', '/list')).toBeUndefined()

  const long = openList(60)
  await (await long.ask()).text()
  expect(long.ready.bytes).toBe(0)
})

it('a long list is read no further than it is taken, and not at all for whoever has it', async () => {
  const { ask, read } = openList(1_000)
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

it('others are answered between any two pages of a long list', async () => {
  const { ask, read } = openList(30)
  await (await ask()).text()
  expect(read.pages).toBe(30)
  expect(read.mostInOneTurn).toBe(1)
})

/** A list that is written in pages of 100 kB each. */
function openList(pages: number) {
  const ready = new ReadyAnswers({
    build: 'build',
    clock: () => 0,
    dayOf: async () => ({ day: '1970-01-01', until: Number.POSITIVE_INFINITY }),
  })
  const rows = [{ text: 'Grüße 🌱'.repeat(2_500) }, { text: 'x'.repeat(65_000) }]
  const list = { rows: Array.from({ length: pages }, () => rows).flat() }
  const read = { pages: 0, mostInOneTurn: 0, ended: false }
  async function* readPages() {
    let inTurn = 0
    try {
      for (let page = 0; page < pages; page += 1) {
        if (inTurn === 0) setImmediate(() => (inTurn = 0))
        inTurn += 1
        read.mostInOneTurn = Math.max(read.mostInOneTurn, inTurn)
        read.pages += 1
        yield rows
      }
    } finally {
      read.ended = true
    }
  }
  const app = new Hono<HttpEnv>()
  app.get('*', async (c) => {
    c.set('user', 'ada')
    c.set('signedIn', { user: 'ada', token: 'any', revision: 'first' })
    const answered = await ready.answer(c, 'writes', async () => ({
      written: writeList('rows', readPages()),
    }))
    if (answered instanceof Response) return answered
    return 'written' in answered ? sendWritten(c, answered, () => {}) : c.notFound()
  })
  const ask = async (headers: Record<string, string> = {}) => app.request('/list', { headers }, {})
  return { ready, ask, list, read }
}
