import { randomUUIDv7 } from 'node:crypto'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { todos } from '#features/todos/testing/todos.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { listen } from '#platform/http/request/listen.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

const path = '/api/todos'
const byBrowser = { 'accept-encoding': 'gzip, deflate, br, zstd' }

describeEachEngine('a response', (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person
  beforeEach(async () => {
    database = await openEmpty()
    daymark = openApplication(database)
    ada = await daymark.signUp('Ada')
  })

  it.each([
    ['of a usual length', 500],
    ['so long that it is sent as it is written', 3_000],
  ])('%s is compressed for whoever takes it so, at first and from the cache', async (_, rows) => {
    await add(rows)
    const ask = await overHttp()
    const plain = await ask('GET')
    expect(JSON.parse(plain.text).todos).toHaveLength(rows)
    expect(plain.headers['content-encoding']).toBeUndefined()
    // Changes the revision, so that the next one finds nothing cached.
    await add(1)
    const first = await ask('GET', byBrowser)
    const cached = await ask('GET', byBrowser)
    for (const { headers, bytes, text } of [first, cached]) {
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
      expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
      expect(JSON.parse(text).todos).toHaveLength(rows + 1)
    }
    expect(cached.bytes.length).toBe(Number(cached.headers['content-length']))
  })

  it('is compressed for nobody who does not ask for it, though it is cached for others', async () => {
    await add(500)
    const ask = await overHttp()
    const compressed = await ask('GET', byBrowser)
    for (const headers of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip;q=0, identity' }]) {
      const plain = await ask('GET', headers)
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(plain.headers).toMatchObject({
        vary: 'Accept-Encoding',
        'content-length': String(plain.bytes.length),
      })
      expect(plain.bytes.toString()).toBe(compressed.text)
    }
  })

  it('that is short stays as it is', async () => {
    await add(5)
    const ask = await overHttp()
    const { headers, bytes } = await ask('GET', byBrowser)
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers['content-length']).toBe(String(bytes.length))
  })

  it.each([500, 3_000])(
    'with %i rows that a client has, compressed or not, is not sent to it again, either way',
    async (rows) => {
      await add(rows)
      const ask = await overHttp()
      const tags = [await ask('GET', byBrowser), await ask('GET')].map(({ headers }) => headers.etag)
      expect(tags[0]).toBe(`W/${tags[1]}`)
      for (const tag of tags) {
        for (const headers of [byBrowser, {}]) {
          const { status, bytes } = await ask('GET', { ...headers, 'if-none-match': tag })
          expect([status, bytes.length]).toEqual([304, 0])
        }
      }
    },
  )

  it.each([500, 3_000])('with %i rows has the same headers for HEAD, and no bytes', async (rows) => {
    await add(rows)
    const ask = await overHttp()
    for (const _ of ['new', 'cached']) {
      const head = await ask('HEAD', byBrowser)
      expect(head.bytes).toHaveLength(0)
      expect(head.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
      const { etag } = (await ask('GET', byBrowser)).headers
      expect(head.headers.etag).toBe(etag)
    }
  })

  it('that is downloaded as a file is compressed too', async () => {
    await add(500)
    const ask = await overHttp()
    const { headers, text } = await ask('GET', byBrowser, '/api/export')
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(headers['content-disposition']).toMatch(/^attachment; /)
    expect(JSON.parse(text).todos).toHaveLength(500)
  })

  async function add(rows: number): Promise<void> {
    const all = Array.from({ length: rows }, () => todos.file({ id: randomUUIDv7() }))
    for (let next = 0; next < rows; next += 100) {
      const body = { todos: all.slice(next, next + 100) }
      expect((await daymark.ask('POST', '/api/import', { body, cookie: ada.cookie })).status).toBe(200)
    }
  }

  /** Over a socket, by a client that decodes nothing by itself. */
  async function overHttp() {
    const listening = await listen(daymark.app, '127.0.0.1', 0, pino({ level: 'silent' }))
    onTestFinished(() => listening.close(0))
    return async (method: 'GET' | 'HEAD', headers: OutgoingHttpHeaders = {}, at = path) => {
      const asking = request({
        host: '127.0.0.1',
        port: listening.port,
        method,
        path: at,
        headers: { ...headers, cookie: ada.cookie },
      }).end()
      const response = await new Promise<IncomingMessage>((resolve, reject) =>
        asking.once('response', resolve).once('error', reject),
      )
      const bytes = await buffer(response)
      const isPacked = response.headers['content-encoding'] === 'gzip' && bytes.length > 0
      const text = (isPacked ? gunzipSync(bytes) : bytes).toString()
      return { status: response.statusCode, headers: response.headers, bytes, text }
    }
  }
})
