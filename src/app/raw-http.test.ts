import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#platform/database/database.ts'
import type { HttpEnv } from '#platform/http/context.ts'
import { type Listening, listen } from '#platform/http/listen.ts'
import { openApplication } from './testing/application.ts'

describe('what is no proper HTTP', () => {
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
  ])('is answered in the one shape, and the server goes on: %s', async (_, request, status) => {
    const socket = connect(listening.port, '127.0.0.1')
    socket.write(request)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(body)).toEqual({ code: expect.any(String), message: expect.any(String) })
    expect((await fetch(`http://127.0.0.1:${listening.port}/api/health`)).status).toBe(200)
  })
})

it('a request that never ends does not keep the server from ending', async () => {
  const app = new Hono<HttpEnv>().post('/', () => new Promise<Response>(() => {}))
  const listening = await listen(app, '127.0.0.1', 0, pino({ level: 'silent' }))
  const socket = connect(listening.port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n')
  await once(socket, 'data')
  socket.resume()
  await listening.close(50)
  await once(socket, 'close')
})
