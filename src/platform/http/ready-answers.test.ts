import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { HttpEnv } from './context.ts'
import { ReadyAnswers } from './ready-answers.ts'

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

it('what was asked for last is kept, and never more bytes than there may be, however it is asked', async () => {
  const { ready, ask } = open(100_000)
  for (let number = 0; number < 1_000; number += 1) {
    await ask(`user ${number}`, `/list?${'q'.repeat(number)}`, number)
    expect(ready.bytes).toBeLessThanOrEqual(100_000)
    expect(ready.find('user 0', 'first', '/list?')).toBeDefined()
  }
  expect(ready.bytes).toBeGreaterThan(50_000)
  expect(ready.find('user 1', 'first', '/list?q')).toBeUndefined()
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
