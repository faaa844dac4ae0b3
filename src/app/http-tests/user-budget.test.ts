import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { exportedHabit } from '#features/habits/testing/habits.ts'
import { todos } from '#features/todos/testing/todos.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { splitIntoPieces } from '#features/your-data/pieces.ts'
import { exportedAccount } from '#features/your-data/testing/exported-account.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { usualBounds } from '#platform/http/budget/budget-bounds.ts'
import { listen } from '#platform/http/request/listen.ts'
import { openApplication, type Person } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const instant = '2026-11-19T12:00:00.000Z'
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
/** Units are what is counted: how long a machine takes for that differs. */
const unhurried = {
  pace: Number.POSITIVE_INFINITY,
  rest: 0,
  microsecondsPerUnit: Number.POSITIVE_INFINITY,
}

describeEachEngine('the request budget of an account', (openEmpty) => {
  async function limited(bounds: Partial<typeof usualBounds> = {}, rateLimit = true) {
    const database = await openEmpty()
    let now = noon
    const daymark = openApplication(database, {
      settings: { rateLimit },
      bounds: { ...usualBounds, ...unhurried, ...bounds },
      clock: () => now,
    })
    const [ada, eve] = [await daymark.signUp('Ada'), await daymark.signUp('Eve')]
    const ask = (method: string, path: string, body?: unknown, of = ada, headers = {}) =>
      daymark.ask(method, path, { body, cookie: of.cookie, headers })
    const pass = (milliseconds: number) => {
      now += milliseconds
    }
    return { database, daymark, ada, eve, ask, pass }
  }

  it('two hundred queued writes are all accepted, sent at once over as many connections', async () => {
    const { daymark, ada, ask } = await limited()
    const listening = await listen(daymark.app, '127.0.0.1', 0, pino({ level: 'silent' }))
    const agent = new Agent({ keepAlive: true })
    onTestFinished(() => listening.close(0))
    onTestFinished(() => agent.destroy())
    const add = async (number: number) => {
      const body = Buffer.from(JSON.stringify({ id: id(number), title: `todo ${number}` }))
      const asking = request({
        agent,
        host: '127.0.0.1',
        port: listening.port,
        method: 'POST',
        path: '/api/todos',
        headers: { cookie: ada.cookie, 'content-type': 'application/json', 'content-length': body.length },
      })
      asking.end(body)
      const [response] = await once(asking, 'response')
      response.resume()
      await once(response, 'end')
      return response.statusCode
    }
    const statuses = await Promise.all(Array.from({ length: 200 }, (_, number) => add(number)))
    expect(new Set(statuses)).toEqual(new Set([201]))
    expect((await ask('GET', '/api/todos')).body.todos).toHaveLength(200)
  })

  it('5,000 to-dos and 20 habits with 36,500 completions are imported without being rate-limited', async () => {
    // A tenth of everything, to save time.
    const { ask } = await limited({ capacity: usualBounds.capacity / 10 })
    const manyTodos = Array.from({ length: 500 }, (_, number) =>
      todos.file({
        id: id(number),
        title: `Water the plants in the hall, number ${number}`,
        completed: 1 as const,
        completed_at: instant,
        completed_on: '2026-11-19' as Day,
        created_at: instant,
        updated_at: instant,
      }),
    )
    const manyHabits = Array.from({ length: 2 }, (_, number) => ({
      ...exportedHabit({ id: id(number), start_date: '2021-01-01' as Day, created_at: instant }),
      completions: Array.from({ length: 1_825 }, (_, place) => addDays('2021-01-01' as Day, place)),
    }))
    const imported = { todos: 0, completions: 0 }
    for (const piece of splitIntoPieces(exportedAccount({ todos: manyTodos, habits: manyHabits }), false)) {
      const { status, body } = await ask('POST', '/api/import', piece)
      expect(status).toBe(200)
      imported.todos += body.todos.added
      imported.completions += body.completions.added
    }
    expect(imported).toEqual({ todos: 500, completions: 3_650 })
  })

  it('somebody with 36,500 to-dos can make twenty changes in two minutes while three devices read the list after each', async () => {
    // A tenth of everything, to save time.
    const { capacity: most, perSecond } = usualBounds
    const { database, daymark, ada, ask, pass } = await limited({
      capacity: most / 10,
      perSecond: perSecond / 10,
    })
    await addTodos(database, ada, 3_650, 20)
    for (let change = 0; change < 20; change += 1) {
      expect((await ask('PUT', `/api/todos/${id(change)}`, { completed: 1 })).status).toBe(200)
      const begun = await Promise.all(
        [1, 2, 3].map(() => daymark.app.request('/api/todos', { headers: { cookie: ada.cookie } })),
      )
      for (const { status, body } of begun) {
        expect(status).toBe(200)
        for await (const piece of body ?? []) expect(piece.length).toBeGreaterThan(0)
      }
      pass(6_000)
    }
  })

  it('whoever has spent it is rate-limited, nothing is changed, and others are not affected', async () => {
    const { ask, eve, pass } = await limited({ capacity: 300, perSecond: 30 })
    const add = (title: string, of?: Person) => ask('POST', '/api/todos', { title }, of)
    let added = 0
    let refused = await add('todo')
    for (; refused.status === 201; refused = await add('todo')) added += 1
    expect(added).toBeGreaterThan(2)
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(refused.body).toEqual({
      code: 'TOO_MANY_REQUESTS',
      message: `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    })
    expect((await ask('GET', '/api/todos')).status).toBe(429)
    expect((await add('theirs', eve)).status).toBe(201)
    pass(seconds * 1_000)
    expect((await add('again')).status).toBe(201)
    pass(60_000)
    const { todos } = (await ask('GET', '/api/todos')).body
    expect(todos).toHaveLength(added + 1)
  })

  it('a rate-limited piece of an import is not stored, and is once the time has passed', async () => {
    const { ask, pass } = await limited({ capacity: 1_000, perSecond: 100 })
    const todo = (number: number) => todos.file({ id: id(number), created_at: instant, updated_at: instant })
    const piece = (from: number) => ({ todos: Array.from({ length: 150 }, (_, n) => todo(from + n)) })
    expect((await ask('POST', '/api/import', piece(0))).status).toBe(200)
    const refused = await ask('POST', '/api/import', piece(150))
    expect(refused.status).toBe(429)
    pass(Number(refused.headers.get('retry-after')) * 1_000)
    expect((await ask('GET', '/api/todos')).body.todos).toHaveLength(150)
    pass(10_000)
    expect((await ask('POST', '/api/import', piece(150))).body.todos.added).toBe(150)
  })

  it('a 304 costs nothing', async () => {
    const { ask, ada } = await limited({ capacity: 300, perSecond: 1 })
    await ask('POST', '/api/todos', { title: 'Write' })
    const tag = (await ask('GET', '/api/todos')).headers.get('etag') ?? ''
    const again = () => ask('GET', '/api/todos', undefined, ada, { 'if-none-match': tag })
    for (let count = 0; count < 200; count += 1) expect((await again()).status).toBe(304)
    expect((await ask('POST', '/api/todos', { title: 'Read' })).status).toBe(201)
  })

  it('RATE_LIMIT=off turns it off', async () => {
    const { ask } = await limited({ capacity: 1, perSecond: 0.001, light: 1, slots: 1, queue: 0 }, false)
    const all = Array.from({ length: 20 }, () => ask('POST', '/api/todos', { title: 'Write' }))
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([201]))
    const lists = Array.from({ length: 20 }, () => ask('GET', '/api/focus'))
    expect(new Set((await Promise.all(lists)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('20,000 to-dos are read in small pages that let others in between, and are never held as one text', async () => {
    const { database, daymark, ada } = await limited({}, false)
    await addTodos(database, ada, 20_000, 490)
    const stringify = vi.spyOn(JSON, 'stringify')
    onTestFinished(() => stringify.mockRestore())
    let turns = 0
    let reading = true
    const counting = (async () => {
      for (; reading; turns += 1) await turn()
    })()
    const asked = await daymark.ask('GET', '/api/todos', { cookie: ada.cookie })
    reading = false
    await counting
    expect(asked.body.todos).toHaveLength(20_000)
    expect(new Set(asked.body.todos.map((todo: { id: string }) => todo.id)).size).toBe(20_000)
    expect(turns).toBeGreaterThan(150)
    const longest = Math.max(...stringify.mock.results.map(({ value }) => String(value).length))
    expect(longest).toBeGreaterThan(10_000)
    expect(longest).toBeLessThan(100_000)
  })

  it('others are served while a large piece of an import is being stored', async () => {
    const { ask } = await limited({}, false)
    const habit = { id: id(1), name: 'Read', description: '', frequency: 'daily', start_date: '2010-01-01' }
    const days = Array.from({ length: 2_000 }, (_, place) => addDays('2010-01-01' as Day, place))
    const piece = {
      habits: [{ ...habit, reminder: null, created_at: instant }],
      completions: [{ habit_id: habit.id, days }],
    }
    // On a machine so slow that everything takes 20 ms or more.
    let passed = 0
    const slow = vi.spyOn(performance, 'now').mockImplementation(() => (passed += 20))
    onTestFinished(() => slow.mockRestore())
    let over = false
    const importing = ask('POST', '/api/import', piece).finally(() => {
      over = true
    })
    let turns = 0
    while (!over) {
      turns += 1
      await turn()
    }
    expect((await importing).body.completions).toEqual({ added: 2_000 })
    expect(turns).toBeGreaterThan(10)
  })
})

/** Bypasses the program, which would be slow. */
async function addTodos(
  database: Database,
  { id: user }: Person,
  count: number,
  length: number,
): Promise<void> {
  for (let first = 0; first < count; first += 500) {
    const rows = Array.from({ length: Math.min(500, count - first) }, (_, place) => ({
      ...todoRows.newRow(user, id(first + place), { title: 'x'.repeat(length) }, noon),
      created_at: noon + Math.floor((first + place) / 3),
    }))
    await database.writeFor(user, ['todos'], (tx) => tx.insertInto('todos').values(rows).execute())
  }
}
