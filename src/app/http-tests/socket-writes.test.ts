import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Listening, listen } from '#platform/http/request/listen.ts'
import { waitUntil } from '#testing/wait.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const id = '01900000-0000-7000-8000-000000000001'
const habit = '01900000-0000-7000-8000-000000000002'
const todo = { id, title: 'Write', completed: 0 }

interface Call {
  body?: object | string | Buffer
  headers?: Record<string, string>
  /** Undefined: signed out. Left out: signed in. */
  cookie?: string | undefined
  /** Without announcing the length of the body. */
  chunked?: boolean
}

/** In an order in which each call finds what it needs. */
const calls: [string, number, string, Call][] = [
  ['an addition', 201, 'POST /api/todos', { body: todo }],
  ['the same again', 200, 'POST /api/todos', { body: todo }],
  ['text of several bytes', 200, 'PUT /api/todos/{id}/edit', { body: { title: 'Grüße 🌱' } }],
  ['a completion', 200, 'PUT /api/todos/{id}', { body: { completed: 1 } }],
  ['a reopening', 200, 'PUT /api/todos/{id}', { body: { completed: 0, title: 'Read' } }],
  ['a habit', 201, 'POST /api/habits', { body: { id: habit, name: 'Run', start_date: '2026-11-01' } }],
  ['no body where there may be one', 200, `POST /api/habits/${habit}/complete`, {}],
  ['a deletion', 200, 'DELETE /api/todos/{id}', {}],
  ['what is deleted already', 404, 'DELETE /api/todos/{id}', {}],
  ['an addition that was deleted', 404, 'POST /api/todos', { body: todo }],
  ['a restoration', 200, 'POST /api/todos/{id}/restore', {}],
  ['a query', 200, 'DELETE /api/todos/{id}?at=2026-11-20T11:00:00.000Z', {}],
  ['of two in a query the first', 400, 'DELETE /api/todos/{id}?at=x&at=2026-11-20T11:00:00.000Z', {}],
  ['an id that is not there', 404, `PUT /api/todos/${habit}`, { body: { completed: 1 } }],
  ['an id that is none', 404, 'PUT /api/todos/x', { body: { completed: 1 } }],
  ['an id in other words', 200, `PUT /api/todos/%30${id.slice(1)}`, { body: { completed: 1 } }],
  ['a path in other words', 200, 'PUT /%61pi/x/../todos/{id}', { body: { completed: 1 } }],
  ['a path that stands for no text', 404, 'PUT /api/todos/%ff', { body: { completed: 1 } }],
  ['an unknown value', 400, 'PUT /api/todos/{id}', { body: { completed: 2 } }],
  ['no title', 400, 'POST /api/todos', { body: { title: ' ', completed: 0 } }],
  ['a day that is not there yet', 400, 'PUT /api/todos/{id}', { body: { completed: 1, day: '2026-12-01' } }],
  ['no body where one is needed', 400, 'POST /api/todos', {}],
  ['no object', 400, 'POST /api/todos', { body: '7' }],
  ['a byte order mark', 200, 'PUT /api/todos/{id}', { body: '\uFEFF{"completed":1}' }],
  ['bad JSON', 400, 'POST /api/todos', { body: '{"title":' }],
  ['no UTF-8', 400, 'POST /api/todos', { body: Buffer.from([0x22, 0xff, 0x22]) }],
  ['another type', 415, 'POST /api/todos', { body: todo, headers: { 'content-type': 'text/plain' } }],
  ['a packed body', 415, 'POST /api/todos', { body: todo, headers: { 'content-encoding': 'gzip' } }],
  ['a body that is too long', 413, 'POST /api/todos', { body: { title: 'x'.repeat(70_000) } }],
  ['a body where none is taken', 200, 'DELETE /api/todos/{id}', { body: todo }],
  ['a body of unknown length', 404, 'PUT /api/todos/{id}', { body: { completed: 1 }, chunked: true }],
  ['a foreign page', 403, 'POST /api/todos', { body: todo, headers: { origin: 'https://evil.example' } }],
  ['a foreign site', 403, 'POST /api/todos', { body: todo, headers: { 'sec-fetch-site': 'cross-site' } }],
  ['an unknown host', 503, 'POST /api/todos', { body: todo, headers: { host: 'daymark.example' } }],
  ['somebody else', 401, 'POST /api/todos', { body: todo, headers: { 'x-daymark-user': 'eve' } }],
  ['nobody', 401, 'POST /api/todos', { body: todo, cookie: undefined }],
  ['a cookie that is none', 401, 'POST /api/todos', { body: todo, cookie: 'daymark.session_token=a.b' }],
  ['an unknown path', 404, 'POST /api/todo', { body: todo }],
  ['a path that goes on', 404, 'POST /api/todos/', { body: todo }],
  ['an unknown method', 405, 'PATCH /api/todos', { body: todo }],
  ['a call that is counted', 400, 'POST /api/auth/change-password', { body: {} }],
]

describeEachEngine('a write', (openEmpty) => {
  let daymark: Application
  let ada: Person
  let listening: Listening
  let within: { daymark: Application; ada: Person }
  beforeAll(async () => {
    const open = async () => {
      const opened = openApplication(await openEmpty(), {
        clock: () => now,
        settings: { rateLimit: true },
      })
      return { daymark: opened, ada: await opened.signUp('Ada') }
    }
    const opened = await open()
    daymark = opened.daymark
    ada = opened.ada
    within = await open()
    listening = await listen(daymark.app, '127.0.0.1', 0, pino({ level: 'silent' }))
  })

  afterAll(() => listening.close(0))

  it.each(calls)(
    'over a socket gets the same response as within the process: %s',
    async (_, status, call, asking) => {
      const response = await askOverSocket(call, asking)
      expect(response.status).toBe(status)
      expect(response).toEqual(await askWithin(call, asking))
    },
  )

  it('that breaks off in its body writes nothing, and is logged as cut off', async () => {
    const cut = { title: 'Never sent in full', completed: 0 }
    const before = await askOverSocket('GET /api/todos', {})
    const socket = connect(listening.port, '127.0.0.1')
    await once(socket, 'connect')
    const head = ['POST /api/todos HTTP/1.1', 'Host: localhost', `Cookie: ${ada.cookie}`]
    const said = [...head, 'Content-Type: application/json', 'Content-Length: 1000', '', JSON.stringify(cut)]
    await new Promise((resolve) => socket.write(said.join('\r\n'), resolve))
    socket.destroy()
    await waitUntil(() => daymark.lines.at(-1)?.includes('"status":400'))
    expect(JSON.parse(daymark.lines.at(-1) ?? '')).toMatchObject({ route: '/api/todos', cut: true })
    expect(await askOverSocket('GET /api/todos', {})).toEqual(before)
  })

  it('that is answered before it has fully arrived ends its connection if the rest does not come soon', async () => {
    const socket = connect(listening.port, '127.0.0.1')
    const head = 'POST /api/todos HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
    socket.write(`${head}1\r\n{\r\n`)
    socket.resume()
    await once(socket, 'close')
    expect((await askOverSocket('GET /api/health', {})).status).toBe(200)
  })

  it('HEAD and OPTIONS get only the headers', async () => {
    const got = await askOverSocket('GET /api/todos', {})
    const head = await askOverSocket('HEAD /api/todos', {})
    expect(got.text).not.toBe('')
    expect(head).toEqual({ ...got, text: '' })
    const options = await askOverSocket('OPTIONS /api/todos', {})
    expect(options).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, POST' }, text: '' })
  })

  async function askOverSocket(call: string, { body, headers, chunked, ...who }: Call) {
    const [method, path] = call.replace('{id}', id).split(' ')
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(textOf(body))
    const cookie = 'cookie' in who ? who.cookie : ada.cookie
    const asking = request({
      host: '127.0.0.1',
      port: listening.port,
      method,
      path,
      headers: {
        host: 'localhost',
        ...(cookie !== undefined && { cookie }),
        ...(bytes && { 'content-type': 'application/json' }),
        ...(bytes && (chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.byteLength })),
        ...headers,
      },
    })
    asking.end(bytes)
    const [response] = await once(asking, 'response')
    const { date, connection, 'keep-alive': keepAlive, 'x-request-id': requestId, ...said } = response.headers
    const text = (await buffer(response)).toString()
    return { status: response.statusCode, headers: said, named: requestId !== undefined, text }
  }

  async function askWithin(call: string, { body, headers, chunked, ...who }: Call) {
    const [method = '', path = ''] = call.replace('{id}', id).split(' ')
    const cookie = 'cookie' in who ? who.cookie : within.ada.cookie
    const asking = { body, ...(headers && { headers }), ...(cookie !== undefined && { cookie }) }
    const response = await within.daymark.ask(method, path, asking)
    const { connection, 'x-request-id': requestId, ...said } = Object.fromEntries(response.headers)
    const text = Buffer.from(response.bytes).toString()
    return { status: response.status, headers: said, named: requestId !== undefined, text }
  }
})

function textOf(body: object | string): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}
