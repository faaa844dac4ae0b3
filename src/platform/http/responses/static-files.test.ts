import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HttpContext } from '../request/context.ts'
import { inProcess } from '../request/in-process.ts'
import { readWebFiles, serveWeb, type WebFiles } from './static-files.ts'

/** Asks for what is served of `files`. */
function serving(files: WebFiles | undefined) {
  const respond = serveWeb(files)
  return inProcess((request) => respond(new HttpContext(request)))
}

describe('the built web', () => {
  const page = '<!doctype html><title>Daymark</title>'
  const landing = '<!doctype html><title>Daymark</title><h1>Build Better Habits</h1>'
  const todos = '<!doctype html><title>Daymark</title><link rel="modulepreload" />'
  const script = 'console.warn("hello")'.repeat(100)
  let folder: string
  let request: ReturnType<typeof serving>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daymark-web-'))
    await mkdir(join(folder, 'web', 'assets'), { recursive: true })
    await writeFile(join(folder, 'secret.txt'), 'secret')
    await mkdir(join(folder, 'web', 'screens'))
    await writeFile(join(folder, 'web', 'index.html'), page)
    await writeFile(join(folder, 'web', 'landing.html'), landing)
    await writeFile(join(folder, 'web', 'screens', 'todos.html'), todos)
    await writeFile(join(folder, 'web', 'favicon.svg'), '<svg/>')
    await writeFile(join(folder, 'web', 'assets', 'index-B1x9.js'), script)
    await writeFile(join(folder, 'web', 'assets', 'index-B1x9.js.br'), brotliCompressSync(script))
    await writeFile(join(folder, 'web', 'assets', 'index-B1x9.js.gz'), gzipSync(script))
    await writeFile(join(folder, 'web', 'assets', 'font-C2y8.woff2'), new Uint8Array([1, 2, 3]))
    request = serving(await readWebFiles(join(folder, 'web')))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each([
    '/index.html',
    '/landing',
    '/sign-in',
    '/settings/',
    '/habits/01900000-0000-7000-8000-000000000001',
    '/no-such-screen',
  ])('answers the address of a screen with the page: %s', async (path) => {
    const response = await request(path)
    expect([response.status, await response.text()]).toEqual([200, page])
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
  })

  it.each([
    ['/', landing],
    ['/todos', todos],
  ])('has a page of its own for %s, which is asked for again too', async (path, ready) => {
    const response = await request(path)
    expect([response.status, await response.text()]).toEqual([200, ready])
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
  })

  it('keeps files with a hash in their name for ever, and asks again for the others', async () => {
    const hashed = await request('/assets/index-B1x9.js')
    expect(await hashed.text()).toBe(script)
    expect(hashed.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const icon = await request('/favicon.svg')
    expect(icon.headers.get('content-type')).toBe('image/svg+xml')
    expect(icon.headers.get('cache-control')).toBe('no-cache')
    expect((await request('/assets/font-C2y8.woff2')).headers.get('content-type')).toBe('font/woff2')
  })

  it('does not send again what the browser has', async () => {
    const etag = (await request('/')).headers.get('etag') ?? ''
    const again = await request('/', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await request('/', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('sends what the build has packed to browsers that take it, and the bare file to those that do not', async () => {
    const packed = async (accept: string) => {
      const response = await request('/assets/index-B1x9.js', { headers: { 'accept-encoding': accept } })
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      return {
        tag: response.headers.get('etag'),
        encoding: response.headers.get('content-encoding'),
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    }
    const brotli = await packed('gzip, deflate, br')
    expect([brotli.encoding, brotliDecompressSync(brotli.bytes).toString()]).toEqual(['br', script])
    const gzip = await packed('gzip')
    expect([gzip.encoding, gunzipSync(gzip.bytes).toString()]).toEqual(['gzip', script])
    const plain = await packed('identity')
    expect([plain.encoding, plain.bytes.toString()]).toEqual([null, script])
    expect(new Set([brotli.tag, gzip.tag, plain.tag]).size).toBe(3)
    const font = await request('/assets/font-C2y8.woff2', { headers: { 'accept-encoding': 'br' } })
    expect(font.headers.get('content-encoding')).toBeNull()
  })

  it.each([
    '/assets/index-OLD.js',
    '/nope.png',
    '/assets/index-B1x9.js.br',
    '/assets/index-B1x9.js.gz',
    '/secret.txt',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/%00',
    '/%',
    '/%ff',
    '//secret.txt',
    '/etc/passwd%00.html',
  ])('responds to anything else with a 404, and nothing from outside: %s', async (path) => {
    const response = await request(path)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      code: 'NOT_FOUND',
      message: "This doesn't exist, or it was deleted.",
    })
  })

  it('only gives', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await request('/todos', { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
    const head = await request('/todos', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('that is not there says how to get it', async () => {
    expect(await readWebFiles(join(folder, 'nowhere'))).toBeUndefined()
    const response = await serving(undefined)('/')
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('`npm start` builds'),
    ])
  })
})
