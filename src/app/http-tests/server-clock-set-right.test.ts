import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

// The clock of the server ran two days ahead, and then it was set right: what was written meanwhile has instants that are still to
// come. And of two processes one is three seconds ahead.

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const twoDays = 172_800_000
const today = '2026-11-20'
const newId = () => `01900000-0000-7000-8000-${String(++ids).padStart(12, '0')}`
let ids = 0

type Ask = (method: string, path: string, body?: object) => ReturnType<Application['ask']>
/** For calls without a body, their instant is in the query. */
type Send = (method: string, path: string, body?: object) => ReturnType<Application['ask']>

interface Change {
  name: string
  /** Done while the clock is ahead. Returns what `change` and `read` get. */
  before(ask: Ask): Promise<string>
  change(send: Send, id: string): ReturnType<Application['ask']>
  read(ask: Ask, id: string): Promise<unknown>
  /** What is read afterwards if the change counts, and if it does not. */
  becomes: unknown
  was: unknown
  /** What the response names if it does not. */
  late: string[] | 'not found'
}

const added = (path: string, body: object) => async (ask: Ask) => {
  const id = newId()
  expect((await ask('POST', path, { id, ...body })).status).toBe(201)
  return id
}
const todoWith = async (ask: Ask, id: string) =>
  (await ask('GET', '/api/todos')).body.todos.find((todo: { id: string }) => todo.id === id)
const habitWith = async (ask: Ask, id: string) =>
  (await ask('GET', '/api/habits')).body.habits.find((habit: { id: string }) => habit.id === id)
const dayOfHabit = async (ask: Ask, id: string) =>
  (await ask('GET', `/api/habits/${id}/days?from=${today}&to=${today}`)).body.days[0]
const preferences = async (ask: Ask) => (await ask('GET', '/api/preferences')).body.preferences
const todo = added('/api/todos', { title: 'Milk' })
const habit = added('/api/habits', { name: 'Run', start_date: '2026-11-01' })
const water = added('/api/habits', {
  name: 'Water',
  start_date: '2026-11-01',
  target: { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' },
})
const daily = added('/api/todos', {
  title: 'Plants',
  due_day: today,
  repeat: { freq: 'day', every: 1, mode: 'due', from: today },
})
/** Adds a row, and then does something with it. */
const and =
  (add: (ask: Ask) => Promise<string>, method: string, path: (id: string) => string, body?: object) =>
  async (ask: Ask) => {
    const id = await add(ask)
    expect((await ask(method, path(id), body)).status).toBeLessThan(300)
    return id
  }

const changes: Change[] = [
  {
    name: 'the title of a task',
    before: todo,
    change: (send, id) => send('PUT', `/api/todos/${id}/edit`, { title: 'Oat milk' }),
    read: async (ask, id) => (await todoWith(ask, id)).title,
    becomes: 'Oat milk',
    was: 'Milk',
    late: ['title'],
  },
  {
    name: 'the tick of a task',
    before: todo,
    change: (send, id) => send('PUT', `/api/todos/${id}`, { completed: 1 }),
    read: async (ask, id) => (await todoWith(ask, id)).completed,
    becomes: 1,
    was: 0,
    late: ['completed'],
  },
  {
    name: 'a tag',
    before: and(todo, 'PUT', (id) => `/api/todos/${id}/edit`, { tags: { add: ['shop'] } }),
    change: (send, id) => send('PUT', `/api/todos/${id}/edit`, { tags: { remove: ['shop'] } }),
    read: async (ask, id) => (await todoWith(ask, id)).tags,
    becomes: [],
    was: ['shop'],
    late: ['tags'],
  },
  {
    name: 'the deletion of a task',
    before: todo,
    change: (send, id) => send('DELETE', `/api/todos/${id}`),
    read: async (ask, id) => (await todoWith(ask, id)) === undefined,
    becomes: true,
    was: false,
    late: ['deleted'],
  },
  {
    name: 'the return of a deleted task',
    before: and(todo, 'DELETE', (id) => `/api/todos/${id}`),
    change: (send, id) => send('POST', `/api/todos/${id}/restore`),
    read: async (ask, id) => (await todoWith(ask, id)) !== undefined,
    becomes: true,
    was: false,
    late: 'not found',
  },
  {
    name: 'an occurrence that is ticked off',
    before: and(daily, 'PUT', (id) => `/api/todos/${id}/days/${today}`, { state: 'skipped' }),
    change: (send, id) => send('PUT', `/api/todos/${id}/days/${today}`, { state: 'done' }),
    read: async (ask, id) =>
      (await ask('GET', `/api/todos/${id}/days?from=${today}&to=${today}`)).body.days[0].state,
    becomes: 'done',
    was: 'skipped',
    late: ['state'],
  },
  {
    name: 'the name of a list',
    before: added('/api/lists', { name: 'Home' }),
    change: (send, id) => send('PUT', `/api/lists/${id}`, { name: 'House' }),
    read: async (ask, id) =>
      (await ask('GET', '/api/lists')).body.lists.find((list: { id: string }) => list.id === id).name,
    becomes: 'House',
    was: 'Home',
    late: ['name'],
  },
  {
    name: 'the name of a habit',
    before: habit,
    change: (send, id) => send('PUT', `/api/habits/${id}`, { name: 'Walk' }),
    read: async (ask, id) => (await habitWith(ask, id)).name,
    becomes: 'Walk',
    was: 'Run',
    late: ['name'],
  },
  {
    name: 'the tick of a habit that is taken back',
    before: and(habit, 'PUT', (id) => `/api/habits/${id}/days/${today}`, { state: 'done' }),
    change: (send, id) => send('PUT', `/api/habits/${id}/days/${today}`, { state: 'none' }),
    read: async (ask, id) => (await dayOfHabit(ask, id)).state,
    becomes: 'open',
    was: 'done',
    late: ['state'],
  },
  {
    name: 'the note of a day',
    before: and(habit, 'PUT', (id) => `/api/habits/${id}/days/${today}`, { note: 'Slow' }),
    change: (send, id) => send('PUT', `/api/habits/${id}/days/${today}`, { note: 'Fast' }),
    read: async (ask, id) => (await dayOfHabit(ask, id)).note,
    becomes: 'Fast',
    was: 'Slow',
    late: ['note'],
  },
  {
    name: 'the rhythm of a habit',
    before: habit,
    change: (send, id) =>
      send('PUT', `/api/habits/${id}`, { rhythm: { times: 3, per: 'week' }, from_day: '2026-11-01' }),
    read: async (ask, id) => (await habitWith(ask, id)).rhythm,
    becomes: { times: 3, per: 'week' },
    was: { every: 1 },
    late: ['rhythm'],
  },
  {
    name: 'an amount that is set anew',
    before: and(water, 'POST', (id) => `/api/habits/${id}/amounts`, { day: today, value: 3_000, set: true }),
    change: (send, id) => send('POST', `/api/habits/${id}/amounts`, { day: today, value: 5_000, set: true }),
    read: async (ask, id) => (await dayOfHabit(ask, id)).amount,
    becomes: 5_000,
    was: 3_000,
    late: ['amount'],
  },
  {
    name: 'an amount that is set after others were added',
    before: and(water, 'POST', (id) => `/api/habits/${id}/amounts`, { day: today, value: 1_000 }),
    change: (send, id) => send('POST', `/api/habits/${id}/amounts`, { day: today, value: 5_000, set: true }),
    read: async (ask, id) => (await dayOfHabit(ask, id)).amount,
    becomes: 5_000,
    was: 6_000,
    late: [],
  },
  {
    name: 'an occurrence that is reopened',
    before: and(daily, 'PUT', (id) => `/api/todos/${id}/days/${today}`, { state: 'done' }),
    change: (send, id) => send('PUT', `/api/todos/${id}/days/${today}`, { state: 'open' }),
    read: async (ask, id) =>
      (await ask('GET', `/api/todos/${id}/days?from=${today}&to=${today}`)).body.days[0].state,
    becomes: 'open',
    was: 'done',
    late: ['state'],
  },
  {
    name: 'a tag that is removed everywhere',
    before: and(todo, 'PUT', (id) => `/api/todos/${id}/edit`, { tags: { add: ['shop'] } }),
    change: (send) => send('DELETE', '/api/tags/shop'),
    read: async (ask, id) => (await todoWith(ask, id)).tags,
    becomes: [],
    was: ['shop'],
    late: [],
  },
  {
    name: 'a task that is completed with a subtask',
    before: async (ask) => {
      const id = await todo(ask)
      await ask('POST', '/api/todos', { title: 'One litre', parent_id: id })
      return id
    },
    change: (send, id) => send('PUT', `/api/todos/${id}`, { completed: 1 }),
    read: async (ask, id) =>
      (await ask('GET', '/api/todos')).body.todos.find(
        ({ parent_id }: { parent_id: string }) => parent_id === id,
      ).completed,
    becomes: 1,
    was: 0,
    late: ['completed'],
  },
  {
    name: 'a subtask of a task that was deleted',
    before: async (ask) => {
      const parent = await todo(ask)
      const id = newId()
      await ask('POST', '/api/todos', { id, title: 'One litre', parent_id: parent })
      await ask('DELETE', `/api/todos/${parent}`)
      return id
    },
    change: (send, id) => send('PUT', `/api/todos/${id}/edit`, { note: 'Oat' }),
    read: async (ask, id) => (await todoWith(ask, id))?.note,
    becomes: 'Oat',
    was: undefined,
    late: ['note'],
  },
  {
    name: 'the end of a pause',
    before: added('/api/pauses', { from_day: today, to_day: null }),
    change: (send, id) => send('PUT', `/api/pauses/${id}`, { to_day: '2026-11-22' }),
    read: async (ask, id) =>
      (await ask('GET', '/api/pauses')).body.pauses.find((pause: { id: string }) => pause.id === id).to_day,
    becomes: '2026-11-22',
    was: null,
    late: ['to_day'],
  },
  {
    name: 'what a focus session was about',
    before: added('/api/focus', { duration: 60 }),
    change: (send, id) =>
      send('PUT', `/api/focus/${id}`, { todo_id: '01900000-0000-7000-8000-000000000fff' }),
    read: async (ask, id) =>
      (await ask('GET', '/api/focus?from=2026-11-01&to=2026-11-30')).body.sessions.find(
        (session: { id: string }) => session.id === id,
      ).todo_id,
    becomes: '01900000-0000-7000-8000-000000000fff',
    was: null,
    late: ['todo_id'],
  },
  {
    name: 'a preference',
    before: async (ask) => {
      await ask('PATCH', '/api/preferences', { theme: 'light' })
      return ''
    },
    change: (send) => send('PATCH', '/api/preferences', { theme: 'dark' }),
    read: async (ask) => (await preferences(ask)).theme,
    becomes: 'dark',
    was: 'light',
    late: ['theme'],
  },
]

describeEachEngine('a server whose clock was set right', (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person
  let now: Instant
  const people = { count: 0 }

  beforeAll(async () => {
    database = await openEmpty()
    daymark = openApplication(database, { clock: () => now })
  })
  beforeEach(async () => {
    now = noon
    ada = await daymark.signUp(`Ada${++people.count}`)
  })

  const ask: Ask = (method, path, body) => daymark.ask(method, path, { body, cookie: ada.cookie })
  const sentAt =
    (at: Instant): Send =>
    (method, path, body) => {
      const text = instantToWire(at)
      return method === 'DELETE' || path.endsWith('/restore')
        ? ask(method, `${path}?at=${text}`, method === 'DELETE' ? undefined : {})
        : ask(method, path, { ...body, at: text })
    }

  describe.each(changes)(
    'after it was two days ahead: $name',
    ({ before, change, read, becomes, was, late }) => {
      const written = async () => {
        now = noon + twoDays
        const id = await before(ask)
        now = noon
        return id
      }

      it.each([
        ['made now', () => ask],
        ['made a moment ago', () => sentAt(noon - 50_000)],
        ['of a device that still knows the wrong time', () => sentAt(noon + twoDays + 5_000)],
      ])('counts, %s', async (_, send) => {
        const id = await written()
        const response = await change(send(), id)
        expect([response.status, response.body.late]).toEqual([
          response.status < 300 ? response.status : 200,
          undefined,
        ])
        expect(await read(ask, id)).toEqual(becomes)
        // And so does the next one, on whichever device.
        now += 30_000
        expect((await change(ask, id)).body.late).toBeUndefined()
      })

      it('loses if it waited for longer, and the response says so', async () => {
        const id = await written()
        const response = await change(sentAt(noon - 7_200_000), id)
        if (late === 'not found') expect(response.status).toBe(404)
        else {
          expect(response.status).toBeLessThan(300)
          expect(response.body.late ?? []).toEqual(late)
        }
        expect(await read(ask, id)).toEqual(was)
      })
    },
  )

  describe.each(changes)(
    'beside one that is three seconds ahead: $name',
    ({ before, change, read, becomes }) => {
      it('counts, whether it says when it was made or not', async () => {
        for (const send of [ask, sentAt(noon + 3_999)]) {
          now = noon + 3_000
          const id = await before(ask)
          now = noon + 500
          expect((await change(send, id)).body.late).toBeUndefined()
          expect(await read(ask, id)).toEqual(becomes)
          now = noon
        }
      })
    },
  )

  it('what was really made earlier loses beside one that is three seconds ahead, too', async () => {
    now = noon + 3_000
    const id = await todo(ask)
    now = noon + 500
    const response = await sentAt(noon - 10_000)('PUT', `/api/todos/${id}/edit`, { title: 'Oat milk' })
    expect(response.body).toMatchObject({ late: ['title'], todo: { title: 'Milk' } })
  })

  it('a change of several parts names only those that a later one changed to something else', async () => {
    const id = await todo(ask)
    now += 10_000
    await ask('PUT', `/api/todos/${id}/edit`, { title: 'Oat milk', note: 'Two' })
    const response = await sentAt(noon + 5_000)('PUT', `/api/todos/${id}/edit`, {
      title: 'Soy milk',
      note: 'Two',
      priority: 3,
    })
    expect(response.body).toMatchObject({
      late: ['title'],
      todo: { title: 'Oat milk', note: 'Two', priority: 3 },
    })
  })

  it('what is written ahead again right after an account was mended wins for a while, and that is told', async () => {
    // Each look at it takes a second, and so does mending.
    let steady = 0
    const slow = openApplication(database, { clock: () => now, steady: () => (steady += 1_000) })
    const rename = (title: string) =>
      slow.ask('PUT', `/api/todos/${id}/edit`, {
        body: { title, at: instantToWire(now) },
        cookie: ada.cookie,
      })
    const id = await todo(ask)
    const renamedAhead = async () => {
      now = noon + twoDays
      await ask('PUT', `/api/todos/${id}/edit`, { title: 'Soy milk' })
      now = noon + 1_000
    }
    await renamedAhead()
    expect((await rename('Oat milk')).body).toMatchObject({ todo: { title: 'Oat milk' } })
    await renamedAhead()
    expect((await rename('Oat milk')).body).toMatchObject({ late: ['title'], todo: { title: 'Soy milk' } })
    steady += 20_000
    expect((await rename('Oat milk')).body).toMatchObject({ todo: { title: 'Oat milk' } })
  })

  it('nothing is added twice, also without an id', async () => {
    now = noon + twoDays
    const id = await water(ask)
    await ask('POST', `/api/habits/${id}/amounts`, { day: today, value: 1_000 })
    now = noon
    await ask('POST', `/api/habits/${id}/amounts`, { day: today, value: 2_000 })
    expect((await dayOfHabit(ask, id)).amount).toBe(3_000)
  })

  it('of many changes sent together every one counts', async () => {
    now = noon + twoDays
    const tasks: string[] = []
    for (let count = 0; count < 12; count++) tasks.push(await todo(ask))
    now = noon
    const at = instantToWire(noon - 5_000)
    const { body } = await ask('POST', '/api/changes', {
      rows: tasks.map((id) => [
        { method: 'PUT', path: `/api/todos/${id}/edit`, body: { title: 'Oat milk', at } },
      ]),
    })
    expect(body.rows.flat().map(({ body }: { body: { late?: string[] } }) => body.late)).toEqual(
      tasks.map(() => undefined),
    )
    const titles = (await ask('GET', '/api/todos')).body.todos.map(({ title }: { title: string }) => title)
    expect(new Set(titles)).toEqual(new Set(['Oat milk']))
  })

  it('together with others the response of each change says what stays as it is', async () => {
    const id = await todo(ask)
    now += 10_000
    await ask('PUT', `/api/todos/${id}/edit`, { title: 'Oat milk' })
    const at = instantToWire(noon + 5_000)
    const { body } = await ask('POST', '/api/changes', {
      rows: [[{ method: 'PUT', path: `/api/todos/${id}/edit`, body: { title: 'Soy milk', at } }]],
    })
    expect(body.rows).toMatchObject([[{ status: 200, body: { late: ['title'] } }]])
  })
})
