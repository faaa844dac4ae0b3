import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person, password } from './testing/application.ts'
import { dump } from './testing/dump.ts'

/** Whoever may ask: a call that is open to everybody says what it shows to nobody. */
type Try = { open: (body: unknown) => void; body?: unknown } | { closed: true; path?: string; body?: unknown }

// Every call there is. A new one fails the test below until somebody has said here who may make it.
const tries = (todo: string): Record<string, Try> => ({
  'GET /api/health': { open: (body) => expect(body).toEqual({ status: 'ok', version: expect.any(String) }) },
  'GET /api/openapi.json': { open: (body) => expect(body).toMatchObject({ openapi: '3.1.1' }) },
  'POST /api/auth/sign-up/email': {
    body: { name: 'Ada', email: 'ada@example.org', password: 'another password' },
    open: (body) => expect(body).toMatchObject({ code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL' }),
  },
  'POST /api/auth/sign-in/email': {
    body: { email: 'ada@example.org', password: 'another password' },
    open: (body) => expect(body).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' }),
  },
  'POST /api/auth/sign-out': { body: {}, open: (body) => expect(body).toEqual({ success: true }) },
  'GET /api/auth/get-session': { open: (body) => expect(JSON.stringify(body)).not.toContain('ada@') },
  'GET /api/todos': { closed: true },
  'GET /api/todos/completed': { closed: true },
  'POST /api/todos': { closed: true, body: { id: todo, title: 'Mine now', completed: 1 } },
  'PUT /api/todos/{id}': {
    closed: true,
    path: `/api/todos/${todo}`,
    body: { completed: 1, title: 'Mine now' },
  },
  'PUT /api/todos/{id}/edit': { closed: true, path: `/api/todos/${todo}/edit`, body: { title: 'Mine now' } },
  'DELETE /api/todos/{id}': { closed: true, path: `/api/todos/${todo}` },
  'POST /api/todos/{id}/restore': { closed: true, path: `/api/todos/${todo}/restore` },
})

describeEachEngine("no one reaches another's data", (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person
  let eve: Person
  let todo: string
  const secretTitle = 'The title that only Ada knows'
  beforeAll(async () => {
    database = await openEmpty()
    daymark = openApplication(database)
    ada = await daymark.signUp('Ada')
    eve = await daymark.signUp('Eve')
    const added = await daymark.ask('POST', '/api/todos', {
      cookie: ada.cookie,
      body: { title: secretTitle, completed: 0 },
    })
    todo = added.body.todo.id
  })

  it('every call of the document is tried here', () => {
    const calls = daymark.endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(tries(todo)).sort()).toEqual(calls.sort())
  })

  it('nobody: a call is refused, or shows what everybody may see', async () => {
    const before = await dump(database)
    for (const [call, tried] of Object.entries(tries(todo))) {
      const [method = '', pattern = ''] = call.split(' ')
      const path = 'path' in tried && tried.path ? tried.path : pattern
      const asked = await daymark.ask(method, path, { body: tried.body })
      if ('open' in tried) tried.open(asked.body)
      else
        expect({ call, status: asked.status, code: asked.body.code }).toEqual({
          call,
          status: 401,
          code: 'NOT_SIGNED_IN',
        })
      expect(JSON.stringify(asked.body)).not.toContain(secretTitle)
    }
    expect(await dump(database)).toEqual(before)
  })

  it('a second user: finds nothing of the first, and changes nothing of theirs', async () => {
    const before = await dump(database, ada.id)
    // The order puts the making of a row of the same id last: it makes one of Eve's own.
    const calls = Object.entries(tries(todo)).sort(
      ([a], [b]) =>
        Number(a.startsWith('POST /api/todos')) - Number(b.startsWith('POST /api/todos')) ||
        b.localeCompare(a),
    )
    for (const [call, tried] of calls) {
      if (!('closed' in tried)) continue
      const [method = '', pattern = ''] = call.split(' ')
      const asked = await daymark.ask(method, tried.path ?? pattern, { cookie: eve.cookie, body: tried.body })
      if (pattern.includes('{')) expect({ call, status: asked.status }).toEqual({ call, status: 404 })
      else expect({ call, status: asked.status }).toEqual({ call, status: method === 'POST' ? 201 : 200 })
      expect(JSON.stringify(asked.body)).not.toContain(secretTitle)
    }
    expect(await dump(database, ada.id)).toEqual(before)
    const { body } = await daymark.ask('GET', '/api/todos', { cookie: ada.cookie })
    expect(body.todos).toMatchObject([{ id: todo, title: secretTitle, completed: 0 }])
  })

  it('a row of the same id is each user their own', async () => {
    const { body } = await daymark.ask('GET', '/api/todos', { cookie: eve.cookie })
    expect(body.todos).toMatchObject([{ id: todo, title: 'Mine now', completed: 1 }])
    expect((await daymark.ask('DELETE', `/api/todos/${todo}`, { cookie: eve.cookie })).status).toBe(200)
    const { body: still } = await daymark.ask('GET', '/api/todos', { cookie: ada.cookie })
    expect(still.todos).toMatchObject([{ title: secretTitle }])
  })

  it('signing one out leaves the other signed in', async () => {
    const asked = await daymark.ask('POST', '/api/auth/sign-in/email', {
      body: { email: eve.email, password },
    })
    expect(asked.status).toBe(200)
    await daymark.ask('POST', '/api/auth/sign-out', { cookie: eve.cookie })
    expect((await daymark.ask('GET', '/api/todos', { cookie: ada.cookie })).status).toBe(200)
  })
})
