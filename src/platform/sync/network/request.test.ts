import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sendRequest } from './request.ts'

type Reply = (response: ServerResponse) => void

let server: Server
let reply: Reply
let received: { method?: string; headers: Record<string, unknown>; body: string }

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received = { method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() }
    reply(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  // A browser resolves the path against the page; everything else of the request stays as it is.
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

// Every response of Node has one.
const date = expect.any(Number)
const failure = { code: 'NO', message: 'No.' }
const put = { method: 'PUT', path: '/api/notes/1', body: { text: 'a' } } as const
const never = new AbortController().signal

describe('a request that the page has sent early', () => {
  const get = { method: 'GET', path: '/api/notes', early: true } as const
  const askedAt = Date.now()
  const ask = (response: Promise<Response>, at = askedAt) => {
    globalThis.earlyReads = { account: 'ann', responses: { '/api/notes': { askedAt: at, response } } }
  }

  it('is answered once with that, and says when it was asked', async () => {
    ask(Promise.resolve(Response.json({ notes: 'early' })))
    const early = await sendRequest(get, 'ann', never)
    expect(early).toEqual({ kind: 'done', body: { notes: 'early' }, date: undefined, askedAt })
    expect(await sendRequest(get, 'ann', never)).toMatchObject({ kind: 'done', body: {} })
  })

  it('is sent again for anybody else, and for whoever needs what is true now', async () => {
    ask(Promise.resolve(Response.json({ notes: 'early' })))
    expect(await sendRequest(get, 'ben', never)).toMatchObject({ body: {} })
    expect(await sendRequest({ ...get, early: false }, 'ann', never)).toMatchObject({ body: {} })
  })

  it('is sent again if that was long ago', async () => {
    ask(Promise.resolve(Response.json({ notes: 'early' })), askedAt - 31_000)
    expect(await sendRequest(get, 'ann', never)).toMatchObject({ body: {} })
  })

  it('is given up as every request is, if that never ends', async () => {
    ask(new Promise(() => {}))
    const giveUp = new AbortController()
    const early = sendRequest(get, 'ann', giveUp.signal)
    giveUp.abort()
    expect(await early).toEqual({ kind: 'none', retryAfter: undefined })
  })

  it('got no response if that failed', async () => {
    ask(Promise.reject(new TypeError('Failed to fetch')))
    expect(await sendRequest(get, 'ann', never)).toEqual({ kind: 'none', retryAfter: undefined })
  })
})

describe('a request to the server', () => {
  it('names the account, and declares JSON only if it has a body', async () => {
    await sendRequest(put, 'ann', never)
    expect(received).toMatchObject({ method: 'PUT', body: '{"text":"a"}' })
    expect(received.headers).toMatchObject({ 'x-daymark-user': 'ann', 'content-type': 'application/json' })
    await sendRequest({ method: 'DELETE', path: '/api/notes/1' }, 'ann', never)
    expect(received.headers['content-type']).toBeUndefined()
  })

  it('is done if the response is a success in our JSON', async () => {
    reply = json(201, { note: 1 })
    expect(await sendRequest(put, 'ann', never)).toEqual({ kind: 'done', body: { note: 1 }, date })
  })

  it('does not get again what it already has, and only accepts a 304 for exactly that', async () => {
    const read = { method: 'GET', path: '/api/notes' } as const
    reply = json(200, { notes: [1] }, { etag: '"first"' })
    const response = await sendRequest(read, 'ann', never)
    expect(response).toEqual({ kind: 'done', body: { notes: [1] }, tag: '"first"', date })
    expect(received.headers['if-none-match']).toBeUndefined()
    const cached = { body: { notes: [1] }, tag: '"first"' }
    reply = (response) => response.writeHead(304, { etag: '"first"' }).end()
    expect(await sendRequest({ ...read, cached }, 'ann', never)).toEqual({ ...response, date })
    expect(received.headers['if-none-match']).toBe('"first"')
    // That of a compressed response.
    const weakened = { ...cached, tag: 'W/"first"' }
    expect(await sendRequest({ ...read, cached: weakened }, 'ann', never)).toEqual({
      kind: 'done',
      ...weakened,
      date,
    })
    reply = (response) => response.writeHead(304, { etag: '"portal"' }).end()
    expect(await sendRequest({ ...read, cached }, 'ann', never)).toMatchObject({ kind: 'none' })
    reply = json(200, { notes: [2] })
    expect(await sendRequest({ ...read, cached }, 'ann', never)).toEqual({
      kind: 'done',
      body: { notes: [2] },
      date,
    })
  })

  it.each([400, 403, 404, 409, 413, 415, 500])('is refused by our own failure %i', async (status) => {
    reply = json(status, failure)
    expect(await sendRequest(put, 'ann', never)).toEqual({ kind: 'refused', status, failure, date })
  })

  it('is signed out by our own 401', async () => {
    reply = json(401, failure)
    expect(await sendRequest(put, 'ann', never)).toEqual({ kind: 'signed-out', date })
  })

  it("learns the server's time, even from a 304", async () => {
    const noon = { date: 'Fri, 20 Nov 2026 12:00:00 GMT' }
    reply = json(200, {}, noon)
    expect(await sendRequest(put, 'ann', never)).toMatchObject({ date: Date.parse('2026-11-20T12:00:00Z') })
    const cached = { body: {}, tag: '"first"' }
    reply = (response) => response.writeHead(304, { etag: '"first"', ...noon }).end()
    const response = await sendRequest({ method: 'GET', path: '/api/notes', cached }, 'ann', never)
    expect(response).toMatchObject({ kind: 'done', date: Date.parse('2026-11-20T12:00:00Z') })
  })

  it.each([408, 425, 429, 502, 503, 504])('counts %i as no response, whoever sends it', async (status) => {
    reply = json(status, failure)
    expect(await sendRequest(put, 'ann', never)).toEqual({
      kind: 'none',
      retryAfter: undefined,
      by: 'server',
    })
    reply = html(status)
    expect(await sendRequest(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: undefined })
  })

  it('says when a response begins to arrive', async () => {
    const onResponseStart = vi.fn()
    reply = (response) => response.destroy()
    await sendRequest(put, 'ann', never, onResponseStart)
    expect(onResponseStart).not.toHaveBeenCalled()
    reply = json(200, {})
    await sendRequest(put, 'ann', never, onResponseStart)
    expect(onResponseStart).toHaveBeenCalledOnce()
  })

  it('passes on why the server cannot store anything, but only if the server itself says so', async () => {
    const full = { code: 'STORAGE_FULL', message: 'The disk is full.' }
    reply = json(503, full, { 'retry-after': '5' })
    expect(await sendRequest(put, 'ann', never)).toEqual({
      kind: 'none',
      retryAfter: 5_000,
      by: 'server',
      storageProblem: 'The disk is full.',
    })
    for (const other of [json(503, failure), json(502, full), html(503)]) {
      reply = other
      expect(await sendRequest(put, 'ann', never)).not.toHaveProperty('storageProblem')
    }
  })

  const others: [string, number, Reply][] = [
    ['the page of a captive portal', 200, html(200)],
    ["a proxy's 404", 404, html(404)],
    ["a proxy's 401", 401, html(401)],
    ["a firewall's 403", 403, html(403)],
    ["a proxy's 500", 500, html(500)],
    ['JSON that is not an object', 200, json(200, ['welcome'])],
    ['a failure of another shape', 404, json(404, { error: 'not found' })],
    ['a 401 of another shape', 401, json(401, { error: 'log in' })],
    [
      'JSON that breaks off',
      200,
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a'),
    ],
  ]
  it.each(others)('counts %s as the response of something else', async (_what, status, given) => {
    reply = given
    expect(await sendRequest(put, 'ann', never)).toEqual({
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
      'a response that breaks off',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{')
        setImmediate(() => response.destroy())
      },
    ],
  ]
  it.each(silences)('counts %s as no response', async (_what, given) => {
    reply = given
    expect(await sendRequest(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: undefined })
  })

  it('says how long the server wants to be left alone, from seconds or a date, an hour at most', async () => {
    reply = json(429, failure, { 'retry-after': '7' })
    expect(await sendRequest(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: 7_000, by: 'server' })
    reply = json(503, failure, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() })
    const response = await sendRequest(put, 'ann', never)
    expect(response.kind === 'none' && response.retryAfter).toSatisfy(
      (ms) => Number(ms) > 60_000 && Number(ms) <= 90_000,
    )
    // The clock of this device was set back by a day: how far away the date is goes by the clock of the server.
    const ahead = Date.now() + 24 * 60 * 60_000
    const dates = {
      date: new Date(ahead).toUTCString(),
      'retry-after': new Date(ahead + 90_000).toUTCString(),
    }
    reply = json(503, failure, dates)
    expect(await sendRequest(put, 'ann', never)).toEqual({ kind: 'none', retryAfter: 90_000, by: 'server' })
    reply = json(429, failure, { 'retry-after': '99999999' })
    expect(await sendRequest(put, 'ann', never)).toEqual({
      kind: 'none',
      retryAfter: 3_600_000,
      by: 'server',
    })
    reply = json(429, failure, { 'retry-after': 'soon' })
    expect(await sendRequest(put, 'ann', never)).toEqual({
      kind: 'none',
      retryAfter: undefined,
      by: 'server',
    })
  })

  it('gives up on a connection that hangs', async () => {
    reply = () => {}
    const impatient = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort())
    expect(await sendRequest(put, 'ann', never)).toMatchObject({ kind: 'none' })
    expect(impatient).toHaveBeenCalledWith(30_000)
    impatient.mockRestore()
  })
})
