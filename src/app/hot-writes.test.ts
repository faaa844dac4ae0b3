import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { listen } from '#platform/http/listen.ts'
import { waitUntil } from '#testing/wait.ts'
import { type Application, openApplication, type Person } from './testing/application.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const id = '01900000-0000-7000-8000-000000000001'
const habit = '01900000-0000-7000-8000-000000000002'
const todo = { id, title: 'Write', completed: 0 }

interface Call {
  body?: object | string | Buffer
  headers?: Record<string, string>
  /** Undefined for nobody; somebody who is signed in when left out. */
  cookie?: string | undefined
  /** Without saying how long the body is. */
  chunked?: boolean
}

/** In an order in which each finds what it needs, and which way each goes: `neither` is refused before. */
const calls: [string, 'quick' | 'long' | 'neither', string, Call][] = [
  ['an addition', 'quick', 'POST /api/todos', { body: todo }],
  ['the same again', 'quick', 'POST /api/todos', { body: todo }],
  ['text of several bytes', 'quick', 'PUT /api/todos/{id}/edit', { body: { title: 'Grüße 🌱' } }],
  ['a completion', 'quick', 'PUT /api/todos/{id}', { body: { completed: 1 } }],
  ['a reopening', 'quick', 'PUT /api/todos/{id}', { body: { completed: 0, title: 'Read' } }],
  ['a habit', 'quick', 'POST /api/habits', { body: { id: habit, name: 'Run', start_date: '2026-11-01' } }],
  ['no body where there may be one', 'quick', `POST /api/habits/${habit}/complete`, {}],
  ['a deletion', 'quick', 'DELETE /api/todos/{id}', {}],
  ['what is deleted already', 'quick', 'DELETE /api/todos/{id}', {}],
  ['an addition that was deleted', 'quick', 'POST /api/todos', { body: todo }],
  ['a restoration', 'quick', 'POST /api/todos/{id}/restore', {}],
  ['a query', 'long', 'DELETE /api/todos/{id}?at=2026-11-20T11:00:00.000Z', {}],
  ['an id that is not there', 'quick', `PUT /api/todos/${habit}`, { body: { completed: 1 } }],
  ['an id that is none', 'quick', 'PUT /api/todos/x', { body: { completed: 1 } }],
  ['an id in other words', 'long', `PUT /api/todos/%30${id.slice(1)}`, { body: { completed: 1 } }],
  ['an unknown value', 'quick', 'PUT /api/todos/{id}', { body: { completed: 2 } }],
  ['no title', 'quick', 'POST /api/todos', { body: { title: ' ', completed: 0 } }],
  [
    'a day that is not there yet',
    'quick',
    'PUT /api/todos/{id}',
    { body: { completed: 1, day: '2026-12-01' } },
  ],
  ['no body where one is needed', 'quick', 'POST /api/todos', {}],
  ['no object', 'quick', 'POST /api/todos', { body: '7' }],
  ['a byte order mark', 'quick', 'PUT /api/todos/{id}', { body: '\uFEFF{"completed":1}' }],
  ['bad JSON', 'long', 'POST /api/todos', { body: '{"title":' }],
  ['no UTF-8', 'long', 'POST /api/todos', { body: Buffer.from([0x22, 0xff, 0x22]) }],
  ['another type', 'long', 'POST /api/todos', { body: todo, headers: { 'content-type': 'text/plain' } }],
  ['a packed body', 'long', 'POST /api/todos', { body: todo, headers: { 'content-encoding': 'gzip' } }],
  ['a body that is too long', 'long', 'POST /api/todos', { body: { title: 'x'.repeat(70_000) } }],
  ['a body where none is taken', 'long', 'DELETE /api/todos/{id}', { body: todo }],
  ['a body of unknown length', 'long', 'PUT /api/todos/{id}', { body: { completed: 1 }, chunked: true }],
  ['a foreign page', 'long', 'POST /api/todos', { body: todo, headers: { origin: 'https://evil.example' } }],
  ['a foreign site', 'long', 'POST /api/todos', { body: todo, headers: { 'sec-fetch-site': 'cross-site' } }],
  ['a host that is none', 'neither', 'POST /api/todos', { body: todo, headers: { host: 'a b' } }],
  ['somebody else', 'long', 'POST /api/todos', { body: todo, headers: { 'x-daymark-user': 'eve' } }],
  ['nobody', 'long', 'POST /api/todos', { body: todo, cookie: undefined }],
  ['a cookie that is none', 'long', 'POST /api/todos', { body: todo, cookie: 'daymark.session_token=a.b' }],
  ['an unknown path', 'long', 'POST /api/todo', { body: todo }],
  ['an unknown method', 'long', 'PATCH /api/todos', { body: todo }],
  ['a call that is counted', 'long', 'POST /api/auth/change-password', { body: {} }],
]

describeEachEngine('a write on the hot path', (openEmpty) => {
  let quick: Served
  let long: Served
  beforeAll(async () => {
    quick = await serve(await openEmpty(), ({ fetch, firstTry }) => ({ fetch, firstTry }))
    long = await serve(await openEmpty(), ({ fetch }) => ({ fetch }))
  })

  afterAll(() => Promise.all([quick.close(), long.close()]))

  it.each(calls)('is answered as the long way answers it: %s', async (_, way, call, asking) => {
    const known = quick.longWay.mock.calls.length
    const answers = [await quick.ask(call, asking), await long.ask(call, asking)]
    expect(answers[0]).toEqual(answers[1])
    expect(quick.longWay.mock.calls.length - known).toBe(way === 'long' ? 1 : 0)
  })

  it('says in the log what the long way says', async () => {
    const lineOf = async ({ ask, daymark }: Served) => {
      await ask('PUT /api/todos/{id}', { body: { completed: 1 } })
      // It is written when the answer has left.
      await waitUntil(() => daymark.lines.at(-1)?.includes('"method":"PUT"'))
      return { ...JSON.parse(daymark.lines.at(-1) ?? ''), time: 0, ms: 0, requestId: '' }
    }
    expect(await lineOf(quick)).toEqual(await lineOf(long))
  })

  it('that breaks off in its body writes nothing, and is in the log as the long way has it', async () => {
    const cut = { title: 'Never sent in full', completed: 0 }
    for (const { daymark, port, ada, ask } of [quick, long]) {
      const before = await ask('GET /api/todos', {})
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      const head = ['POST /api/todos HTTP/1.1', 'Host: localhost', `Cookie: ${ada.cookie}`]
      const said = [
        ...head,
        'Content-Type: application/json',
        'Content-Length: 1000',
        '',
        JSON.stringify(cut),
      ]
      await new Promise((resolve) => socket.write(said.join('\r\n'), resolve))
      socket.destroy()
      await waitUntil(() => daymark.lines.at(-1)?.includes('"status":400'))
      expect(JSON.parse(daymark.lines.at(-1) ?? '')).toMatchObject({ route: '/api/todos', cut: true })
      expect(await ask('GET /api/todos', {})).toEqual(before)
    }
  })
})

type Served = Awaited<ReturnType<typeof serve>>
type App = Application['app']

/** A server with somebody who is signed in; `doorOf` says how it is entered. */
async function serve(database: Database, doorOf: (app: App) => Pick<App, 'fetch'> & Partial<App>) {
  const daymark = openApplication(database, { clock: () => now, settings: { rateLimit: true } })
  const longWay = vi.fn()
  const door = doorOf(daymark.app)
  const { fetch } = door
  const counting: App['fetch'] = (...asked) => {
    longWay()
    return fetch(...asked)
  }
  const listening = await listen({ ...door, fetch: counting }, '127.0.0.1', 0, pino({ level: 'silent' }))
  const ada: Person = await daymark.signUp('Ada')

  async function ask(call: string, { body, headers, chunked, ...who }: Call) {
    const [method, path] = call.replace('{id}', id).split(' ')
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(textOf(body))
    const cookie = 'cookie' in who ? who.cookie : ada.cookie
    const asking = request({
      host: '127.0.0.1',
      port: listening.port,
      method,
      path,
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...(bytes && { 'content-type': 'application/json' }),
        ...(bytes && (chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.byteLength })),
        ...headers,
      },
    })
    asking.end(bytes)
    const [response] = await once(asking, 'response')
    const { date, 'x-request-id': requestId, ...said } = response.headers
    const text = (await buffer(response)).toString()
    return { status: response.statusCode, headers: said, named: requestId !== undefined, text }
  }
  return { daymark, ada, port: listening.port, longWay, ask, close: () => listening.close(0) }
}

function textOf(body: object | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}
