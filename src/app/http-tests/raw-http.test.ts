import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Pace, usualPace } from '#platform/http/request/arrival.ts'
import type { HttpHandler } from '#platform/http/request/context.ts'
import { type Listening, listen, notYet } from '#platform/http/request/listen.ts'
import { waitFor } from '#testing/wait.ts'
import { openApplication } from '../testing/application.ts'

describe('invalid HTTP', () => {
  let folder: string
  let database: Database
  let listening: Listening
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daymark-raw-'))
    database = await openDatabase(`sqlite:${join(folder, 'daymark.db')}`)
    listening = await listen(openApplication(database).app, '127.0.0.1', 0, pino({ level: 'silent' }))
  })
  afterAll(async () => {
    await listening.close(0)
    await database.close()
    await rm(folder, { recursive: true })
  })

  const host = 'Host: localhost\r\n'
  const json = 'Content-Type: application/json\r\n'
  it.each<[string, string, number]>([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['no host', 'GET /api/health HTTP/1.1\r\n\r\n', 400],
    ['a host that is none', 'GET /api/health HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['two hosts', `GET /api/health HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`, 400],
    ['the same host twice', `GET /api/health HTTP/1.1\r\n${host}hOST: localhost\r\n\r\n`, 400],
    ['two hosts, of a list', `GET /api/todos HTTP/1.1\r\n${host}${host}\r\n`, 400],
    [
      'two hosts, of a write',
      `POST /api/todos HTTP/1.1\r\n${host}${host}${json}Content-Length: 2\r\n\r\n{}`,
      400,
    ],
    ['two hosts, of a page', `GET / HTTP/1.1\r\n${host}${host}\r\n`, 400],
    ['a target with another host', `GET http://evil.example/api/health HTTP/1.1\r\n${host}\r\n`, 400],
    ['a target with another port', `GET HTTP://localhost:81/api/health HTTP/1.1\r\n${host}\r\n`, 400],
    ['a target that is no address', `GET http://[/api/health HTTP/1.1\r\n${host}\r\n`, 400],
    ['a method that there is none of', `BREW /api/todos HTTP/1.1\r\n${host}\r\n`, 400],
    ['a path with a NUL', `GET /api/\0 HTTP/1.1\r\n${host}\r\n`, 400],
    ['a path with a backslash', `GET /api\\todos HTTP/1.1\r\n${host}\r\n`, 400],
    ['a header without a colon', `GET /api/health HTTP/1.1\r\n${host}nonsense\r\n\r\n`, 400],
    ['a header with a NUL', `GET /api/health HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`, 400],
    ['headers of 20 KB', `GET /api/health HTTP/1.1\r\n${host}X-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a length that is none', `POST /api/todos HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`, 400],
    ['a negative length', `POST /api/todos HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, 400],
    ['two lengths', `POST /api/todos HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    [
      'a length and chunks',
      `POST /api/todos HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'a chunk that is none',
      `POST /api/auth/sign-in/email HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
      400,
    ],
    [
      'a terabyte that is only promised',
      `POST /api/auth/sign-in/email HTTP/1.1\r\n${host}${json}Content-Length: 1000000000000\r\n\r\n`,
      413,
    ],
    [
      'chunks of more than 64 KB',
      `POST /api/auth/sign-in/email HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\n` +
        `${`4000\r\n${' '.repeat(0x4000)}\r\n`.repeat(6)}`,
      413,
    ],
  ])('gets an error in the usual form, and the server keeps running: %s', async (_, request, status) => {
    const socket = connect(listening.port, '127.0.0.1')
    socket.write(request)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(body)).toEqual({ code: expect.any(String), message: expect.any(String) })
    expect((await fetch(`http://127.0.0.1:${listening.port}/api/health`)).status).toBe(200)
  })
})

it('an absolute request target is accepted if it names the same host', async () => {
  const respond: HttpHandler = ({ target }) => ({ status: target === '/here?a' ? 200 : 404, headers: {} })
  const listening = await listen({ respond }, '127.0.0.1', 0, pino({ level: 'silent' }))
  const socket = connect(listening.port, '127.0.0.1')
  socket.write('GET http://localhost:81/here?a HTTP/1.1\r\nHost: LOCALHOST:81\r\nConnection: close\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
  await listening.close(0)
})

/** A clock that stands still except for what the test lets pass. */
function timeThatPasses() {
  let now = 0
  let looks = 0
  const clock = () => {
    looks += 1
    return now
  }
  // One turn of the event loop passes between two checks: a few of them accept a connection and read what was sent.
  const looked = async () => {
    const until = looks + 6
    while (looks < until) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const pass = async (milliseconds: number) => {
    await looked()
    now += milliseconds
    await looked()
  }
  return { pace: { ...usualPace, lookEvery: 5, clock }, pass }
}

describeEachEngine('slow requests', (openEmpty) => {
  const second = 1_000
  const tooSlow = { code: 'TOO_SLOW', message: 'The request timed out.' }

  /** The whole application, with a clock that only the test moves. */
  async function open(pace: Partial<Pace> = {}) {
    const daymark = openApplication(await openEmpty())
    const time = timeThatPasses()
    const silent = pino({ level: 'silent' })
    const listening = await listen(daymark.app, '127.0.0.1', 0, silent, { ...time.pace, ...pace })
    onTestFinished(() => listening.close(0))
    const { cookie } = await daymark.signUp('Ada')
    const begin = (method: string, path: string, length: number) => {
      const socket = connect(listening.port, '127.0.0.1')
      const headers = `Host: localhost\r\nContent-Type: application/json\r\nCookie: ${cookie}\r\n`
      socket.write(`${method} ${path} HTTP/1.1\r\n${headers}Content-Length: ${length}\r\n\r\n`)
      const response = text(socket).then((received) => {
        const [head = '', body = ''] = received.split('\r\n\r\n')
        return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
      })
      return { socket, response }
    }
    const fetchHere = (path: string, body: object) =>
      fetch(`http://127.0.0.1:${listening.port}${path}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    return { daymark, cookie, listening, begin, fetchHere, pass: time.pass }
  }

  it.each([
    ['a sign-in', 'POST', '/api/auth/sign-in/email', 200],
    ['a new to-do', 'POST', '/api/todos', 200],
    ['a picture', 'POST', '/api/auth/update-user', 7_000_000],
    [
      'what is sent though nothing is taken',
      'DELETE',
      '/api/todos/019a0000-0000-7000-8000-000000000000',
      200,
    ],
  ])('are cut off after half a minute of silence, and told why: %s', async (_, method, path, length) => {
    const { daymark, cookie, begin, pass } = await open()
    const { socket, response } = begin(method, path, length)
    socket.write('{')
    await pass(29 * second)
    expect(socket.readyState).toBe('open')
    await pass(2 * second)
    expect(await response).toEqual({ status: 408, body: tooSlow })
    expect((await daymark.ask('GET', '/api/todos', { cookie })).body).toEqual({ todos: [] })
  })

  it('are cut off just as soon if they trickle', async () => {
    const { begin, pass } = await open()
    const { socket, response } = begin('POST', '/api/todos', 1_000)
    for (let seconds = 0; seconds < 32; seconds += 4) {
      socket.write(' ')
      await pass(4 * second)
    }
    expect(await response).toEqual({ status: 408, body: tooSlow })
  })

  it('upload a picture over a slow phone line, even through a tunnel of 20 seconds', async () => {
    const { begin, pass } = await open()
    const body = JSON.stringify({ name: 'Ada', more: 'x'.repeat(7_000_000) })
    const { socket, response } = begin('POST', '/api/auth/update-user', body.length)
    const perSecond = 500_000 / 8
    for (let sent = 0; sent < body.length; sent += 10 * perSecond) {
      socket.write(body.slice(sent, sent + 10 * perSecond))
      await pass((sent === 0 ? 25 : 10) * second)
    }
    socket.end()
    expect(await response).toEqual({ status: 200, body: { status: true } })
  })

  it('are cut off without a second response if the first was sent before them', async () => {
    const respond: HttpHandler = () => ({ status: 200, headers: {}, body: new ReadableStream() })
    const { pace, pass } = timeThatPasses()
    const listening = await listen({ respond }, '127.0.0.1', 0, pino({ level: 'silent' }), pace)
    onTestFinished(() => listening.close(0))
    const socket = connect(listening.port, '127.0.0.1')
    const response = text(socket).catch(() => 'cut')
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n')
    await waitFor(() => expect(socket.bytesRead).toBeGreaterThan(0))
    await pass(31 * second)
    expect(await response).not.toContain('408')
  })

  it('with trickling headers are cut off and told why; a connection that a browser opened in advance is closed silently', async () => {
    const { listening } = await open({ headers: 100 })
    const slow = connect(listening.port, '127.0.0.1')
    slow.write('GET /api/health HTTP/1.1\r\nHost: local')
    const ahead = connect(listening.port, '127.0.0.1')
    const [head = '', body = ''] = (await text(slow)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 408 /)
    expect(JSON.parse(body)).toEqual(tooSlow)
    expect(await text(ahead)).toBe('')
  })

  it('a client that does not close its end of a refused connection loses it', async () => {
    const listening = await listen({ respond: notYet('1.0.0') }, '127.0.0.1', 0, pino({ level: 'silent' }))
    const socket = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    const response = once(socket, 'data')
    socket.write('hello\r\n\r\n')
    expect(String((await response)[0])).toMatch(/^HTTP\/1\.1 400 /)
    // Resolves once every connection is closed; this one would otherwise be waited for as long as allowed.
    await listening.close(600_000)
  })

  it('many large bodies of one person are not all held in memory at once, and nothing else waits for them', async () => {
    const { begin, fetchHere, pass } = await open()
    const large = () => begin('POST', '/api/auth/update-user', 7_000_000)
    const sent = [large(), large(), large(), large()]
    for (const { socket } of sent) socket.write('{'.repeat(100_000))
    // Whichever comes last.
    const refused = await Promise.race(sent.map(async (each) => ({ each, response: await each.response })))
    expect(refused.response).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    const held = sent.filter((each) => each !== refused.each)
    expect((await fetchHere('/api/auth/update-user', { name: 'Eve' })).status).toBe(200)
    expect((await fetchHere('/api/todos', { title: 'x' })).status).toBe(201)
    await pass(40 * second)
    for (const { response } of held) expect((await response).status).toBe(408)
    const after = large()
    after.socket.end(' '.repeat(7_000_000))
    expect((await after.response).status).toBe(400)
  })
})

it('a request that never ends does not keep the server from stopping', async () => {
  const listening = await listen(
    { respond: () => new Promise(() => {}) },
    '127.0.0.1',
    0,
    pino({ level: 'silent' }),
  )
  const socket = connect(listening.port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n')
  await once(socket, 'data')
  socket.resume()
  await listening.close(50)
  await once(socket, 'close')
})
