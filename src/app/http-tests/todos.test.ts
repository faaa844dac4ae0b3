import { beforeAll, describe, expect, it } from 'vitest'
import { todos } from '#features/todos/testing/todos.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

describeEachEngine('the to-do API', (openEmpty) => {
  let daymark: Application
  let ada: Person
  let now = noon
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => now })
    ada = await daymark.signUp('Ada')
  })

  const ask = (method: string, path: string, body?: unknown) =>
    daymark.ask(method, path, { body, cookie: ada.cookie })
  const add = async (title: string, more: object = {}) =>
    (await ask('POST', '/api/todos', { title, completed: 0, ...more })).body.todo

  it('GET /api/todos answers an object with a todos array, newest first', async () => {
    const older = await add('Older', { at: '2026-11-20T08:00:00.000Z' })
    const newer = await add('Newer', { at: '2026-11-20T09:00:00.000Z' })
    const { status, body } = await ask('GET', '/api/todos')
    expect(status).toBe(200)
    expect(body.todos.map((todo: { id: string }) => todo.id)).toEqual([newer.id, older.id])
  })

  it('GET /api/todos/completed counts every day of a range and lists the newest 50 completed ones', async () => {
    const eve = await daymark.signUp('Eve')
    const asEve = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, { body, cookie: eve.cookie })
    const complete = (title: string, day: string, at: string) =>
      asEve('POST', '/api/todos', { title, completed: 1, day, at })
    await complete('First', '2026-11-17', '2026-11-17T08:00:00.000Z')
    await complete('Second', '2026-11-19', '2026-11-19T08:00:00.000Z')
    const deleted = await complete('Gone', '2026-11-19', '2026-11-19T09:00:00.000Z')
    await asEve('DELETE', `/api/todos/${deleted.body.todo.id}`)
    await asEve('POST', '/api/todos', { title: 'Open', completed: 0 })

    const response = await asEve('GET', '/api/todos/completed?from=2026-11-17&to=2026-11-19')
    expect(response).toMatchObject({
      status: 200,
      body: {
        count: 2,
        days: [
          { day: '2026-11-17', count: 1 },
          { day: '2026-11-18', count: 0 },
          { day: '2026-11-19', count: 1 },
        ],
        todos: [{ title: 'Second' }, { title: 'First' }],
      },
    })
    const { body } = await asEve('GET', '/api/todos/completed')
    expect([body.days[0].day, body.days.at(-1).day, body.days.length]).toEqual([
      '2026-10-22',
      '2026-11-20',
      30,
    ])
    const wrong = ['from=2026-11-20&to=2026-11-19', 'from=2010-01-01&to=2026-11-19', 'from=yesterday']
    for (const range of wrong) {
      expect(await asEve('GET', `/api/todos/completed?${range}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: expect.any(Object) },
      })
    }
  })

  it('GET /api/todos/completed?before continues with older ones, page by page, until all were listed once', async () => {
    const grace = await daymark.signUp('Grace')
    const asGrace = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, { body, cookie: grace.cookie })
    // Three at every instant, so that a page ends among equal ones.
    for (let made = 0; made < 120; made += 1) {
      const at = new Date(
        Date.UTC(2026, 10, 1 + Math.floor(made / 12), Math.floor(made / 3) % 4),
      ).toISOString()
      const day = at.slice(0, 10)
      await asGrace('POST', '/api/todos', { title: `${made}`, completed: 1, day, at, id: id(made) })
    }
    const seen: { id: string; completed_on: string; completed_at: string }[] = []
    const sizes: number[] = []
    const page = async (before: string) =>
      (await asGrace('GET', `/api/todos/completed?from=2026-11-02&to=2026-11-10${before}`)).body
    for (let body = await page(''); body.todos.length > 0; body = await page(`&before=${seen.at(-1)?.id}`)) {
      seen.push(...body.todos)
      sizes.push(body.todos.length)
      expect(body).toMatchObject({ count: 108, days: Array.from({ length: 9 }, () => ({ count: 12 })) })
    }
    expect(sizes).toEqual([50, 50, 8])
    expect(seen.map((todo) => todo.id)).toEqual(Array.from({ length: 108 }, (_, place) => id(119 - place)))
    expect(seen.every((todo) => todo.completed_on === todo.completed_at.slice(0, 10))).toBe(true)
  })

  it("GET /api/todos/completed?before refuses a to-do that is missing, open, deleted or somebody else's", async () => {
    const open = await add('Open')
    const other = await daymark.signUp('Other')
    const ofOther = await daymark.ask('POST', '/api/todos', {
      body: { title: 'Done elsewhere', completed: 1 },
      cookie: other.cookie,
    })
    const deleted = await add('Gone', { completed: 1 })
    await ask('DELETE', `/api/todos/${deleted.id}`)
    for (const before of [id(999), open.id, ofOther.body.todo.id, deleted.id]) {
      expect(await ask('GET', `/api/todos/completed?before=${before}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { before: 'There is no completed to-do with this id' } },
      })
    }
    expect((await ask('GET', '/api/todos/completed?before=7')).body.fields).toEqual({
      before: "Expected a to-do's id, or id:day",
    })
  })

  describe('GET /api/todos?done=recent', () => {
    it('answers the open ones and those of the last 30 days, and how many are completed in all and in each list', async () => {
      const kim = await daymark.signUp('Kim')
      const asKim = (method: string, path: string, body?: unknown) =>
        daymark.ask(method, path, { body, cookie: kim.cookie })
      const [home, gone] = [id(501), id(502)]
      const add = (title: string, at: string, more: object = {}) =>
        asKim('POST', '/api/todos', { title, completed: 0, at, ...more })
      await add('Old and open', '2020-01-01T08:00:00.000Z', { list_id: home })
      await add('Long done', '2026-10-21T08:00:00.000Z', { completed: 1, day: '2026-10-21', list_id: gone })
      await add('Done on the first day', '2026-10-22T08:00:00.000Z', {
        completed: 1,
        day: '2026-10-22',
        list_id: home,
      })
      await add('Done today', '2026-11-20T08:00:00.000Z', { completed: 1, day: '2026-11-20' })
      await add('New', '2026-11-20T09:00:00.000Z')

      const { status, body } = await asKim('GET', '/api/todos?done=recent')
      expect(status).toBe(200)
      expect(body.todos.map(({ title }: { title: string }) => title)).toEqual([
        'New',
        'Done today',
        'Done on the first day',
        'Old and open',
      ])
      expect(body.completed).toEqual({ total: 3, by_list: { [gone]: 1, [home]: 1 } })
      const all = (await asKim('GET', '/api/todos')).body
      expect(Object.keys(all)).toEqual(['todos'])
      expect(all.todos).toHaveLength(5)
      expect(all.todos.filter(({ title }: { title: string }) => title !== 'Long done')).toEqual(body.todos)
    })

    it("goes by the person's own day, also if nothing was written since", async () => {
      const lea = await daymark.signUp('Lea')
      const read = async (path: string, tag?: string) => {
        const headers: Record<string, string> = tag === undefined ? {} : { 'if-none-match': tag }
        const {
          status,
          body,
          headers: received,
        } = await daymark.ask('GET', path, {
          cookie: lea.cookie,
          headers,
        })
        return { status, count: body?.todos?.length, tag: received.get('etag') ?? '' }
      }
      // Berlin is one hour ahead.
      const preferences = { time_zone: 'Europe/Berlin' }
      await daymark.ask('PATCH', '/api/preferences', { body: preferences, cookie: lea.cookie })
      const done = { title: 'Done', completed: 1, day: '2026-10-22', at: '2026-10-22T08:00:00.000Z' }
      await daymark.ask('POST', '/api/todos', { body: done, cookie: lea.cookie })
      now = Date.parse('2026-11-20T22:59:59.999Z')
      const [before, all] = [await read('/api/todos?done=recent'), await read('/api/todos')]
      expect([before.count, all.count]).toEqual([1, 1])
      expect((await read('/api/todos?done=recent', before.tag)).status).toBe(304)
      now += 1
      expect(await read('/api/todos?done=recent', before.tag)).toMatchObject({ status: 200, count: 0 })
      // It is read again, too: what repeats may be due on the new day.
      expect(await read('/api/todos', all.tag)).toMatchObject({ status: 200, count: 1 })
      now = noon
    })

    it('is refused for another word', async () => {
      expect(await ask('GET', '/api/todos?done=all')).toMatchObject({
        status: 400,
        body: { fields: { done: "Expected 'recent', or nothing for all" } },
      })
    })
  })

  it('GET /api/todos/completed?range=all lists every completed to-do by fifties, by text and by list', async () => {
    const max = await daymark.signUp('Max')
    const asMax = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, { body, cookie: max.cookie })
    const home = id(600)
    for (let years = 0; years < 12; years += 1) {
      const day = `${2026 - years}-11-19`
      const body = { title: `${years % 2 ? 'Größe' : '100 %'} ${years}`, completed: 1, day }
      await asMax('POST', '/api/todos', {
        ...body,
        at: `${day}T08:00:00.000Z`,
        list_id: years % 3 ? null : home,
      })
    }
    const read = async (query: string) => (await asMax('GET', `/api/todos/completed?range=all${query}`)).body
    const titles = ({ todos: listed }: { todos: { title: string }[] }) => listed.map(({ title }) => title)
    const all = await read('')
    expect(all).toMatchObject({ count: 12 })
    expect(all.days.at(0)).toEqual({ day: '2015-11-19', count: 1 })
    expect(all.days).toHaveLength(12)
    expect(titles(await read('&search=r%C3%B6%C3%9Fe'))).toEqual([])
    for (const search of ['%20gr%C3%B6SSE%20', '%20GR%C3%B6%C3%9Fe%20', 'gro']) {
      expect(await read(`&search=${search}`)).toMatchObject({ count: 6 })
    }
    expect(await read(`&search=%25&list_id=${home}`)).toMatchObject({
      count: 2,
      days: [
        { day: '2020-11-19', count: 1 },
        { day: '2026-11-19', count: 1 },
      ],
    })
    const [, second] = all.todos
    expect(titles(await read(`&list_id=${home}&before=${second.id}`))).toEqual([
      'Größe 3',
      '100 % 6',
      'Größe 9',
    ])
    expect(titles((await asMax('GET', '/api/todos/completed?search=100')).body)).toEqual(['100 % 0'])

    for (const [query, field, message] of [
      ['search=%20', 'search', 'Search must not be empty'],
      [`search=${'x'.repeat(201)}`, 'search', 'Search must not exceed 200 characters'],
      ['search=%00', 'search', "Search contains characters that can't be stored"],
      ['list_id=7', 'list_id', 'Expected a UUIDv7 or UUIDv8'],
      ['range=year', 'range', "Expected 'all', or nothing for the days from 'from' to 'to'"],
      ['range=all&from=2026-11-19', 'range', "Expected either 'range', or 'from' and 'to'"],
    ]) {
      expect(await asMax('GET', `/api/todos/completed?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { [`${field}`]: message } },
      })
    }
  })

  it('a list and a position are taken when a to-do is added and changed, and refused if they are none', async () => {
    const home = id(700)
    const todo = await add('Placed', { list_id: home, position: 'a0V' })
    expect(todo).toMatchObject({ list_id: home, position: 'a0V' })
    const edit = (body: object) => ask('PUT', `/api/todos/${todo.id}/edit`, body)
    expect((await edit({ position: 'a1' })).body.todo).toMatchObject({ list_id: home, position: 'a1' })
    expect((await edit({ list_id: null })).body.todo).toMatchObject({ list_id: null, position: 'a1' })
    for (const [body, field, message] of [
      [{ list_id: 'home' }, 'list_id', 'Expected a UUIDv7 or UUIDv8'],
      [{ position: '' }, 'position', 'Expected a position, such as a0'],
      [{ position: 'a00' }, 'position', 'Expected a position, such as a0'],
      [{ position: null }, 'position', 'Expected a position'],
      [{ position: `a0${'k'.repeat(249)}` }, 'position', 'A position must not exceed 250 characters'],
    ] as const) {
      expect(await edit(body)).toMatchObject({ status: 400, body: { fields: { [field]: message } } })
      expect((await ask('POST', '/api/todos', { title: 'x', ...body })).status).toBe(400)
    }
    const long = `a0${'k'.repeat(200)}`
    const stored = (await edit({ position: long })).body.todo.position
    expect(stored.length).toBeLessThanOrEqual(60)
    const { body } = await ask('GET', '/api/todos')
    expect(body.todos.find((each: { id: string }) => each.id === todo.id).position).toBe(stored)
  })

  it('POST /api/todos with {title, completed: 0} adds an open to-do and responds with 201', async () => {
    const { status, body } = await ask('POST', '/api/todos', { title: 'Buy milk', completed: 0 })
    expect(status).toBe(201)
    expect(body.todo).toEqual(
      todos.wire({
        id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
        title: 'Buy milk',
        completed: 0,
        completed_at: null,
        position: expect.stringMatching(/^h[\dA-Za-z]+$/),
        created_at: '2026-11-20T12:00:00.000Z',
        updated_at: '2026-11-20T12:00:00.000Z',
      }),
    )
  })

  it('PUT /api/todos/{id} with {completed, title} completes and reopens', async () => {
    const todo = await add('Call the bank')
    const completed = await ask('PUT', `/api/todos/${todo.id}`, { completed: 1, title: 'Call the bank' })
    expect(completed).toMatchObject({
      status: 200,
      body: { todo: { completed: 1, completed_at: '2026-11-20T12:00:00.000Z', title: 'Call the bank' } },
    })
    const reopened = await ask('PUT', `/api/todos/${todo.id}`, { completed: 0 })
    expect(reopened).toMatchObject({ status: 200, body: { todo: { completed: 0, completed_at: null } } })
  })

  it('a completion that is put back keeps the instant and the day that it had, none later than the change', async () => {
    const { id } = (await ask('POST', '/api/todos', { title: 'Long ago', completed: 0 })).body.todo
    const completed_at = '2025-03-01T08:00:00.000Z'
    const put = await ask('PUT', `/api/todos/${id}`, { completed: 1, day: '2025-03-01', completed_at })
    expect(put.body.todo).toMatchObject({ completed: 1, completed_at })
    const days = (await ask('GET', '/api/todos/completed?from=2025-03-01&to=2025-03-01')).body
    expect(days).toMatchObject({ count: 1, todos: [{ id, completed_on: '2025-03-01', completed_at }] })
    await ask('PUT', `/api/todos/${id}`, { completed: 0 })
    const late = await ask('PUT', `/api/todos/${id}`, {
      completed: 1,
      completed_at: '2199-01-01T00:00:00.000Z',
    })
    expect(Date.parse(late.body.todo.completed_at)).toBeLessThanOrEqual(Date.now())
    await ask('DELETE', `/api/todos/${id}`)
  })

  it('of an archived list, completed to-dos are listed only there and in a search', async () => {
    const list = (await ask('POST', '/api/lists', { name: 'Norway' })).body.list
    const { id } = (
      await ask('POST', '/api/todos', { title: 'Pack the tent', completed: 1, list_id: list.id })
    ).body.todo
    const listed = async (query: string) => {
      const { body } = await ask('GET', `/api/todos/completed?range=all${query}`)
      return body.todos.some((todo: { id: string }) => todo.id === id)
    }
    const { count } = (await ask('GET', '/api/todos/completed?range=all')).body
    await ask('PUT', `/api/lists/${list.id}`, { archived_at: '2026-11-20T12:00:00.000Z' })
    expect([await listed(''), await listed(`&list_id=${list.id}`), await listed('&search=tent')]).toEqual([
      false,
      true,
      true,
    ])
    expect((await ask('GET', '/api/todos/completed?range=all')).body.count).toBe(count - 1)
    await ask('DELETE', `/api/lists/${list.id}`)
    expect(await listed('')).toBe(true)
    await ask('DELETE', `/api/todos/${id}`)
  })

  it('PUT /api/todos/{id}/edit with {title} renames, and trims the title', async () => {
    const todo = await add('Wrte')
    const renamed = await ask('PUT', `/api/todos/${todo.id}/edit`, { title: '  Write  ' })
    expect(renamed).toMatchObject({ status: 200, body: { todo: { id: todo.id, title: 'Write' } } })
  })

  it('DELETE /api/todos/{id} removes it from the list, and a second time finds nothing', async () => {
    const todo = await add('Delete me')
    expect(await ask('DELETE', `/api/todos/${todo.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await ask('DELETE', `/api/todos/${todo.id}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    const { body } = await ask('GET', '/api/todos')
    expect(body.todos.map((each: { id: string }) => each.id)).not.toContain(todo.id)
  })

  it('a deletion can be undone without a body', async () => {
    const todo = await add('Back again')
    await ask('DELETE', `/api/todos/${todo.id}`)
    expect(await ask('POST', `/api/todos/${todo.id}/restore`)).toMatchObject({
      status: 200,
      body: { todo: { id: todo.id, title: 'Back again' } },
    })
  })

  it('a deleted to-do can be neither edited nor added again', async () => {
    const todo = await add('Gone')
    await ask('DELETE', `/api/todos/${todo.id}`)
    expect((await ask('PUT', `/api/todos/${todo.id}/edit`, { title: 'Here' })).status).toBe(404)
    expect((await ask('PUT', `/api/todos/${todo.id}`, { completed: 1 })).status).toBe(404)
    expect((await ask('POST', '/api/todos', { title: 'Gone', completed: 0, id: todo.id })).status).toBe(404)
  })

  it('a change made after a deletion restores the to-do, one made before it is a 404', async () => {
    const todo = await add('Back by an edit', { at: '2026-11-20T10:00:00.000Z' })
    await ask('DELETE', `/api/todos/${todo.id}?at=2026-11-20T10:02:00.000Z`)
    const edit = (title: string, at: string) => ask('PUT', `/api/todos/${todo.id}/edit`, { title, at })
    expect((await edit('Before', '2026-11-20T10:01:00.000Z')).status).toBe(404)
    expect(await edit('After', '2026-11-20T10:03:00.000Z')).toMatchObject({
      status: 200,
      body: { todo: { title: 'After' } },
    })
    const { body } = await ask('GET', '/api/todos')
    expect(body.todos.map((each: { id: string }) => each.id)).toContain(todo.id)
  })

  it('the same id sent twice exists once: 201, then 200 with what is stored', async () => {
    const first = await ask('POST', '/api/todos', { title: 'Once', completed: 0, id: id(1) })
    const second = await ask('POST', '/api/todos', { title: 'Twice', completed: 0, id: id(1) })
    expect([first.status, second.status]).toEqual([201, 200])
    expect(second.body).toEqual(first.body)
  })

  it('an id in upper case is the same id', async () => {
    const upper = '01900000-0000-7000-8000-00000000ABCD'
    const { body } = await ask('POST', '/api/todos', { title: 'Letters', completed: 0, id: upper })
    expect(body.todo.id).toBe(upper.toLowerCase())
    expect((await ask('PUT', `/api/todos/${upper}`, { completed: 1 })).status).toBe(200)
  })

  it('a change keeps the instant at which it was made on the device', async () => {
    const todo = await add('Offline', { at: '2026-11-19T21:30:00.000Z' })
    expect(todo.created_at).toBe('2026-11-19T21:30:00.000Z')
    const { body } = await ask('PUT', `/api/todos/${todo.id}`, {
      completed: 1,
      at: '2026-11-19T22:00:00.000Z',
    })
    expect(body.todo.completed_at).toBe('2026-11-19T22:00:00.000Z')
  })

  it('a change from a fast clock counts as made now', async () => {
    const todo = await add('Ahead', { at: '2031-01-01T00:00:00.000Z' })
    expect(todo.created_at).toBe('2026-11-20T12:00:00.000Z')
    now = noon + 1000
    const renamed = await ask('PUT', `/api/todos/${todo.id}/edit`, {
      title: 'Later',
      at: '2026-11-20T12:00:01.000Z',
    })
    now = noon
    expect(renamed.body.todo.title).toBe('Later')
  })

  it('a future day from a fast clock becomes the day on which the change was made', async () => {
    const todo = await add('Far ahead', { at: '2026-11-19T21:30:00.000Z' })
    const completed = { completed: 1, day: '2026-12-24', at: '2026-11-19T22:00:00.000Z' }
    expect((await ask('PUT', `/api/todos/${todo.id}`, completed)).status).toBe(200)
    const { body } = await ask('GET', '/api/todos/completed?from=2026-11-19&to=2026-11-19')
    expect(body.todos).toContainEqual(expect.objectContaining({ id: todo.id, completed_on: '2026-11-19' }))
  })

  it('of two changes to the same field the later one wins, whichever arrives first', async () => {
    const todo = await add('Race', { at: '2026-11-20T10:00:00.000Z' })
    await ask('PUT', `/api/todos/${todo.id}/edit`, { title: 'Second', at: '2026-11-20T10:02:00.000Z' })
    const late = await ask('PUT', `/api/todos/${todo.id}/edit`, {
      title: 'First',
      at: '2026-11-20T10:01:00.000Z',
    })
    expect(late).toMatchObject({ status: 200, body: { todo: { title: 'Second' } } })
  })

  it('deleting and restoring give their instant in the query', async () => {
    const todo = await add('Query', { at: '2026-11-20T10:00:00.000Z' })
    expect((await ask('DELETE', `/api/todos/${todo.id}?at=2026-11-20T10:02:00.000Z`)).status).toBe(200)
    expect((await ask('POST', `/api/todos/${todo.id}/restore?at=2026-11-20T10:01:00.000Z`)).status).toBe(404)
    expect((await ask('POST', `/api/todos/${todo.id}/restore?at=2026-11-20T10:03:00.000Z`)).status).toBe(200)
  })

  describe('an invalid title is refused, and the reason is given', () => {
    it.each([
      ['no title', { completed: 0 }, 'Title must be text'],
      ['an empty title', { title: '', completed: 0 }, 'Title must not be empty'],
      ['a title of blanks', { title: ' \t\n ', completed: 0 }, 'Title must not be empty'],
      ['501 characters', { title: 'x'.repeat(501), completed: 0 }, 'Title must not exceed 500 characters'],
      ['a number', { title: 7, completed: 0 }, 'Title must be text'],
      ['a NUL', { title: 'a\0b', completed: 0 }, "Title contains characters that can't be stored"],
      [
        'half a character',
        '{"title":"a\\ud800","completed":0}',
        "Title contains characters that can't be stored",
      ],
    ])('%s', async (_, body, message) => {
      expect(await ask('POST', '/api/todos', body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', message, fields: { title: message } },
      })
    })
  })

  it('500 characters, emoji and any script are valid in a title', async () => {
    for (const title of [
      'x'.repeat(500),
      '👩‍👩‍👧‍👦 семья 家族',
      "Robert'); drop table todos;--",
      '<b>&amp;</b>',
    ]) {
      expect((await add(title)).title).toBe(title)
    }
  })

  it.each([
    ['completed is neither 0 nor 1', { title: 'x', completed: true }, 'completed', 'Expected 0 or 1'],
    ['the id is no UUIDv7', { title: 'x', completed: 0, id: '7' }, 'id', 'Expected a UUIDv7 or UUIDv8'],
    [
      'the day is none',
      { title: 'x', completed: 0, day: '2026-02-30' },
      'day',
      'Expected a day as YYYY-MM-DD',
    ],
    [
      'the instant is none',
      { title: 'x', completed: 0, at: 'now' },
      'at',
      'Expected an instant in UTC, such as 2026-11-20T09:30:00.000Z',
    ],
    [
      'the day is nowhere yet',
      { title: 'x', completed: 0, day: '2026-11-22' },
      'day',
      "This day hasn't started in any time zone yet.",
    ],
  ])('refuses an invalid field: %s', async (_, body, field, message) => {
    expect(await ask('POST', '/api/todos', body)).toMatchObject({
      status: 400,
      body: { fields: { [field]: message } },
    })
  })

  it('accepts a day that has begun in Kiribati', async () => {
    const todo = await add('East')
    expect((await ask('PUT', `/api/todos/${todo.id}`, { completed: 1, day: '2026-11-21' })).status).toBe(200)
  })

  it.each(['nope', '7', id(1).replace('-7', '-4'), '%00', '..%2f..', '%ff'])(
    'an address that names no to-do is a 404: %s',
    async (path) => {
      expect((await ask('PUT', `/api/todos/${path}`, { completed: 1 })).status).toBe(404)
      expect((await ask('PUT', `/api/todos/${path}/edit`, { title: 'x' })).status).toBe(404)
      expect((await ask('DELETE', `/api/todos/${path}`)).status).toBe(404)
      expect((await ask('POST', `/api/todos/${path}/restore`)).status).toBe(404)
    },
  )
})
