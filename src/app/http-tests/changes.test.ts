import { beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Bounds, usualBounds } from '#platform/http/budget/budget-bounds.ts'
import { maxChanges } from '#platform/wire/changes.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const add = (number: number, title = `todo ${number}`) => ({
  method: 'POST',
  path: '/api/todos',
  body: { id: id(number), title, completed: 0 },
})
const rename = (number: number, title: string) => ({
  method: 'PUT',
  path: `/api/todos/${id(number)}/edit`,
  body: { title },
})
const remove = (number: number, query = '') => ({
  method: 'DELETE',
  path: `/api/todos/${id(number)}${query}`,
})
const restore = (number: number) => ({ method: 'POST', path: `/api/todos/${id(number)}/restore` })

type Sent = { method: string; path: string; body?: object }

describeEachEngine('several changes in one request', (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person

  async function open(bounds: Partial<Bounds> = {}) {
    database = await openEmpty()
    daymark = openApplication(database, {
      clock: () => noon,
      settings: { rateLimit: true },
      bounds: {
        ...usualBounds,
        pace: Number.POSITIVE_INFINITY,
        rest: 0,
        microsecondsPerUnit: Number.POSITIVE_INFINITY,
        ...bounds,
      },
    })
    ada = await daymark.signUp('Ada')
  }
  beforeEach(() => open())

  const send = (rows: readonly (readonly Sent[])[], headers = {}) =>
    daymark.ask('POST', '/api/changes', { cookie: ada.cookie, body: { rows }, headers })
  const alone = ({ method, path, body }: Sent) => daymark.ask(method, path, { cookie: ada.cookie, body })
  const statuses = async (rows: readonly (readonly Sent[])[]) => {
    const { body } = await send(rows)
    return body.rows.map((row: { status: number }[]) => row.map(({ status }) => status))
  }
  const titles = async () => {
    const { body } = await daymark.ask('GET', '/api/todos', { cookie: ada.cookie })
    return body.todos.map(({ title }: { title: string }) => title).sort()
  }

  it('go by the preferences that one of them has just changed', async () => {
    const zone = (time_zone: string) => ({ method: 'PATCH', path: '/api/preferences', body: { time_zone } })
    const tick = (number: number) => ({
      method: 'PUT',
      path: `/api/todos/${id(number)}`,
      body: { completed: 1 },
    })
    await send([[add(1)], [add(2)], [add(3)]])
    // It is tomorrow already in Kiritimati.
    expect(
      await statuses([[tick(1)], [zone('Pacific/Kiritimati'), tick(2)], [zone('UTC'), tick(3)]]),
    ).toEqual([[200], [200, 200], [200, 200]])
    const { body } = await daymark.ask('GET', '/api/export', { cookie: ada.cookie })
    const days = body.todos.map(({ id, completed_on }: { id: string; completed_on: string }) => [
      id,
      completed_on,
    ])
    expect(Object.fromEntries(days)).toEqual({
      [id(1)]: '2026-11-20',
      [id(2)]: '2026-11-21',
      [id(3)]: '2026-11-20',
    })
  })

  it('each gets the response that it would get alone, in the order in which they were sent', async () => {
    const habit = { id: id(50), name: 'Read', start_date: '2026-11-01' }
    const changes: Sent[] = [
      add(1),
      rename(1, ' '),
      rename(2, 'not there'),
      { method: 'POST', path: '/api/habits', body: habit },
      { method: 'POST', path: `/api/habits/${id(50)}/complete`, body: { date: '2026-11-02' } },
      { method: 'DELETE', path: `/api/habits/${id(50)}/completions?from=2026-11-01&to=2026-11-30` },
      { method: 'DELETE', path: `/api/habits/${id(50)}/completions?from=2026-11-31&to=2026-11-30` },
      { method: 'POST', path: '/api/focus', body: { id: id(60), duration: 60 } },
      { method: 'PUT', path: '/api/focus/timer', body: { timer: { status: 'idle' } } },
      { method: 'PATCH', path: '/api/preferences', body: { week_start: 7 } },
      remove(1, '?at=2026-11-20T11:00:00.000Z'),
      restore(1),
    ]
    const responses = []
    for (const change of changes) responses.push(...(await send([[change]])).body.rows.flat())
    await open()
    const expected = []
    for (const change of changes) {
      const { status, body } = await alone(change)
      expected.push({ status, body })
    }
    expect(responses).toEqual(expected)
  })

  it('changes to one row are made in their order, and one that fails does not stop other rows', async () => {
    expect(await statuses([[add(1), rename(1, 'A')], [rename(9, 'none')], [add(2), rename(2, 'B')]])).toEqual(
      [[201, 200], [404], [201, 200]],
    )
    expect(await titles()).toEqual(['A', 'B'])
  })

  it('a change that depends on a failed one is not tried', async () => {
    expect(await statuses([[add(1), rename(1, ' '), remove(1)], [add(2)]])).toEqual([[201, 400], [201]])
    expect(await titles()).toEqual(['todo 1', 'todo 2'])
  })

  it('a hundred are accepted; with one more, none is', async () => {
    const rows = Array.from({ length: maxChanges + 1 }, (_, number) => [add(number)])
    expect((await send(rows)).status).toBe(400)
    expect(await titles()).toEqual([])
    expect((await statuses(rows.slice(1))).flat()).toEqual(Array(maxChanges).fill(201))
    expect(await titles()).toHaveLength(maxChanges)
  })

  it('to a tag with any characters is made', async () => {
    const todo = { ...add(1), body: { ...add(1).body, tags: ['to do/ü', 'a.b'] } }
    const rename = (tag: string, to: string) => ({
      method: 'PUT',
      path: `/api/tags/${encodeURIComponent(tag)}`,
      body: { tag: to },
    })
    expect((await statuses([[todo]])).flat()).toEqual([201])
    expect((await statuses([[rename('to do/ü', 'done')], [rename('a.b', 'ab')]])).flat()).toEqual([200, 200])
  })

  it.each([
    ['signing out', { method: 'POST', path: '/api/auth/sign-out', body: {} }],
    ['a new password', { method: 'POST', path: '/api/auth/change-password', body: {} }],
    ['an import', { method: 'POST', path: '/api/import', body: {} }],
    ['changes in changes', { method: 'POST', path: '/api/changes', body: { rows: [[add(2)]] } }],
    ['a test push', { method: 'POST', path: `/api/reminders/devices/${id(1)}/test` }],
    ['a list', { method: 'GET', path: '/api/todos' }],
    ['another method', { method: 'PUT', path: '/api/todos' }],
    ['another server', { method: 'POST', path: 'https://daymark.example/api/todos' }],
    ['a path in other words', { method: 'POST', path: '/api/../api/todos' }],
    ['a header beside it', { ...add(2), headers: { cookie: 'a=b' } }],
  ])('%s is not a change, and nothing in the same request is made', async (_, change) => {
    const before = await dump(database)
    const asked = await send([[add(1)], [change]])
    expect(asked.status).toBe(400)
    expect(asked.body).toEqual(
      expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
    )
    expect(await dump(database)).toEqual(before)
  })

  it('are made only for the account that they are meant for', async () => {
    const before = await dump(database)
    expect((await send([[add(1)]], { 'x-daymark-user': 'eve' })).status).toBe(401)
    expect((await send([[add(1)]], { origin: 'https://evil.example' })).status).toBe(403)
    expect(await dump(database)).toEqual(before)
    expect((await send([[add(1)]], { 'x-daymark-user': ada.id })).status).toBe(200)
  })

  it("once an account's budget is spent, each change is rate-limited and told for how long", async () => {
    await open({ capacity: 600, perSecond: 10 })
    const { status, body } = await send(Array.from({ length: 60 }, (_, number) => [add(number)]))
    expect(status).toBe(200)
    const responses: { status: number; retry_after?: number }[] = body.rows.flat()
    const made = responses.filter((each) => each.status === 201).length
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(60)
    const limited = responses.filter((each) => each.status === 429)
    expect(limited).toHaveLength(60 - made)
    for (const { retry_after } of limited) expect(retry_after).toBeGreaterThan(0)
    expect(await database.read.selectFrom('todos').selectAll().execute()).toHaveLength(made)
  })

  it('many such requests at once do not deadlock', async () => {
    const batches = Array.from({ length: 30 }, (_, batch) =>
      send(Array.from({ length: 5 }, (_, number) => [add(batch * 5 + number)])),
    )
    for (const { status } of await Promise.all(batches)) expect(status).toBe(200)
    expect(await titles()).toHaveLength(150)
  })

  it('a server error in one of them is the response to that one only', async () => {
    const { writeFor } = database
    const spy = vi.spyOn(database, 'writeFor')
    spy.mockImplementation((...asked) => {
      if (asked[1].includes('habits')) throw new Error('A fault that was planted')
      return writeFor.apply(database, asked)
    })
    const habit = { id: id(2), name: 'Read', start_date: '2026-11-01' }
    const failing: Sent[] = [
      { method: 'POST', path: '/api/habits', body: habit },
      { method: 'POST', path: `/api/habits/${id(2)}/complete`, body: { date: '2026-11-02' } },
    ]
    // The rows are written side by side, in any order.
    const responses = await statuses([[add(1)], failing, [add(3)]])
    spy.mockRestore()
    expect(responses).toEqual([[201], [500], [201]])
    expect(await titles()).toHaveLength(2)
  })
})
