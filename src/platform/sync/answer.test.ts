import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask } from './answer.ts'

type Reply = (response: ServerResponse) => void

let server: Server
let reply: Reply
let asked: { method?: string; headers: Record<string, unknown>; body: string }

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    asked = { method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() }
    reply(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  // A browser adds the page's own address; everything else of the request is as it is sent.
  const realFetch = fetch
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    realFetch(`http://127.0.0.1:${port}${path}`, init),
  )
})

afterAll(() => {
  vi.unstubAllGlobals()
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  reply = json(200, {})
})

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body))

const html =
  (status: number): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Welcome to our network</h1>')

// What every answer of Node says.
const date = expect.any(Number)
const failure = { code: 'NO', message: 'No.' }
const put = { method: 'PUT', path: '/api/notes/1', body: { text: 'a' } } as const
const never = new AbortController().signal

describe('asking the server', () => {
  it('names the account, and says JSON only where there is any', async () => {
    await ask(put, 'ann', never)
    expect(asked).toMatchObject({ method: 'PUT', body: '{"text":"a"}' })
    expect(asked.headers).toMatchObject({ 'x-daymark-user': 'ann', 'content-type': 'application/json' })
    await ask({ method: 'DELETE', path: '/api/notes/1' }, 'ann', never)
    expect(asked.headers['content-type']).toBeUndefined()
  })

  it('takes a success in our JSON for done', async () => {
    reply = json(201, { note: 1 })
    expect(await ask(put, 'ann', never)).toEqual({ kind: 'done', body: { note: 1 }, date })
  })

  it('is not sent again what it knows, and takes only the 304 of that for the same', async () => {
    const read = { method: 'GET', path: '/api/notes' } as const
    reply = json(200, { notes: [1] }, { etag: '"first"' })
    const answer = await ask(read, 'ann', never)
    expect(answer).toEqual({ kind: 'done', body: { notes: [1] }, tag: '"first"', date })
    expect(asked.headers['if-none-match']).toBeUndefined()
    const known = { body: { notes: [1] }, tag: '"first"' }
    reply = (response) => response.writeHead(304, { etag: '"first"' }).end()
    expect(await ask({ ...read, known }, 'ann', never)).toEqual({ ...answer, date })
    expect(asked.headers['if-none-match']).toBe('"first"')
    // As behind a proxy that compresses what is sent, and passes a 304 on as it is.
    const weakened = { ...known, tag: 'W/"first"' }
    expect(await ask({ ...read, known: weakened }, 'ann', never)).toEqual({ kind: 'done', ...weakened, date })
    reply = (response) => response.writeHead(304, { etag: '"portal"' }).end()
    expect(await ask({ ...read, known }, 'ann', never)).toMatchObject({ kind: 'none' })
    reply = json(200, { notes: [2] })
    expect(await ask({ ...read, known }, 'ann', never)).toEqual({ kind: 'done', body: { notes: [2] }, date })
  })

  it.each([400, 403, 404, 409, 413, 415, 500])('takes our own failure %i for a refusal', async (status) => {
    reply = json(status, failure)
    expect(await ask(put, 'ann', never)).toEqual({ kind: 'refused', status, failure, date })
  })

  it('takes our own 401 for being signed out', async () => {
    reply = json(401, failure)
    expect(await ask(put, 'ann', never)).toEqual({ kind: 'signed-out', date })
  })

  it('hears what time it is there, also from who has nothing new to say', async () => {
    const noon = { date: 'Fri, 20 Nov 2026 12:00:00 GMT' }
    reply = json(200, {}, noon)
    expect(await ask(put, 'ann', never)).toMatchObject({ date: Date.parse('2026-11-20T12:00:00Z') })
    const known = { body: {}, tag: '"first"' }
    reply = (response) => response.writeHead(304, { etag: '"first"', ...noon }).end()
    const answer = await ask({ method: 'GET', path: '/api/notes', known }, 'ann', never)
    expect(answer).toMatchObject({ kind: 'done', date: Date.parse('2026-11-20T12:00:00Z') })
  })

  it.each([408, 425, 429, 502, 503, 504])('takes %i for no answer, whoever gives it', async (status) => {
    reply = json(status, failure)
    expect(await ask(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: undefined, by: 'server' })
    reply = html(status)
    expect(await ask(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: undefined })
  })

  it('says when an answer begins to arrive', async () => {
    const begun = vi.fn()
    reply = (response) => response.destroy()
    await ask(put, 'ann', never, begun)
    expect(begun).not.toHaveBeenCalled()
    reply = json(200, {})
    await ask(put, 'ann', never, begun)
    expect(begun).toHaveBeenCalledOnce()
  })

  it('keeps why the server can store nothing, as only it says', async () => {
    const full = { code: 'STORAGE_FULL', message: 'The disk is full.' }
    reply = json(503, full, { 'retry-after': '5' })
    expect(await ask(put, 'ann', never)).toEqual({
      kind: 'none',
      retryAfter: 5_000,
      by: 'server',
      trouble: 'The disk is full.',
    })
    for (const other of [json(503, failure), json(502, full), html(503)]) {
      reply = other
      expect(await ask(put, 'ann', never)).not.toHaveProperty('trouble')
    }
  })

  const others: [string, number, Reply][] = [
    ['the page of a captive portal', 200, html(200)],
    ["a proxy's 404", 404, html(404)],
    ["a proxy's 401", 401, html(401)],
    ["a firewall's 403", 403, html(403)],
    ["a proxy's 500", 500, html(500)],
    ['JSON that is no object', 200, json(200, ['welcome'])],
    ['a failure of another shape', 404, json(404, { error: 'not found' })],
    ['a 401 of another shape', 401, json(401, { error: 'log in' })],
    [
      'JSON that breaks off',
      200,
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a'),
    ],
  ]
  it.each(others)('takes %s for no answer, and for that of something else', async (_what, status, given) => {
    reply = given
    expect(await ask(put, 'ann', never)).toEqual({
      kind: 'none',
      retryAfter: undefined,
      by: 'something else',
      status,
    })
  })

  const silences: [string, Reply][] = [
    ['a redirect', (response) => response.writeHead(302, { location: '/portal' }).end()],
    ['a connection that breaks', (response) => response.destroy()],
    [
      'an answer that breaks',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{')
        setImmediate(() => response.destroy())
      },
    ],
  ]
  it.each(silences)('takes %s for no answer', async (_what, given) => {
    reply = given
    expect(await ask(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: undefined })
  })

  it('says how long the server wants to be left alone, in seconds or as a date, an hour at most', async () => {
    reply = json(429, failure, { 'retry-after': '7' })
    expect(await ask(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: 7_000, by: 'server' })
    reply = json(503, failure, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() })
    const answer = await ask(put, 'ann', never)
    expect(answer.kind === 'none' && answer.retryAfter).toSatisfy(
      (ms) => Number(ms) > 60_000 && Number(ms) <= 90_000,
    )
    reply = json(429, failure, { 'retry-after': '99999999' })
    expect(await ask(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: 3_600_000, by: 'server' })
    reply = json(429, failure, { 'retry-after': 'soon' })
    expect(await ask(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: undefined, by: 'server' })
  })

  it('gives up a connection that hangs', async () => {
    reply = () => {}
    const impatient = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort())
    expect(await ask(put, 'ann', never)).toMatchObject({ kind: 'none' })
    expect(impatient).toHaveBeenCalledWith(30_000)
    impatient.mockRestore()
  })
})
