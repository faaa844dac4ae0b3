import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person, password } from '../testing/application.ts'

const title = { title: 'x', completed: 0 }

describeEachEngine('the guards of the API', (openEmpty) => {
  let daymark: Application
  let ada: Person
  beforeAll(async () => {
    daymark = openApplication(await openEmpty())
    ada = await daymark.signUp('Ada')
  })
  const add = (headers: Record<string, string>, body: unknown = title) =>
    daymark.ask('POST', '/api/todos', { cookie: ada.cookie, headers, body })

  describe('a write from a page of another address is refused', () => {
    const host = 'daymark.lan:3000'
    it.each<Record<string, string>>([
      { origin: 'https://evil.example' },
      { origin: 'http://daymark.lan:3001' },
      { origin: 'http://daymark.lan' },
      { origin: 'http://daymark.lan:3000.evil.example' },
      { origin: 'null' },
      { origin: 'daymark.lan:3000' },
      { origin: 'file://daymark.lan:3000' },
      { origin: '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: `http://${host}`, 'sec-fetch-site': 'cross-site' },
    ])('%o', async (headers) => {
      expect(await add({ host, ...headers })).toMatchObject({ status: 403, body: { code: 'FOREIGN_ORIGIN' } })
      const body = { email: ada.email, password }
      const signIn = await daymark.ask('POST', '/api/auth/sign-in/email', {
        headers: { host, ...headers },
        body,
      })
      expect(signIn).toMatchObject({ status: 403, body: { code: 'FOREIGN_ORIGIN' } })
    })

    it.each<Record<string, string>>([
      {},
      { origin: `http://${host}` },
      { origin: `https://${host}` },
      { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ])('but not from its own page, and not from a program: %o', async (headers) => {
      expect((await add({ host, ...headers })).status).toBe(201)
    })

    it('and only the public address counts as its own, besides the machine itself, if it is set', async () => {
      const proxied = openApplication(await openEmpty(), { settings: { baseUrl: 'https://daymark.example' } })
      const ask = (origin: string, host = '10.0.0.7:3000') =>
        proxied.ask('POST', '/api/auth/sign-out', { headers: { host, origin } })
      expect((await ask('https://daymark.example')).status).toBe(200)
      expect((await ask('http://daymark.example')).status).toBe(403)
      expect((await ask('https://daymark.example.evil.example')).status).toBe(403)
      expect((await ask('http://rebound.example:3000', 'rebound.example:3000')).status).toBe(403)
      expect((await ask('http://10.0.0.7:3000')).status).toBe(403)
      expect((await ask('http://localhost:4000')).status).toBe(403)
      for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
        expect((await ask(`http://${host}`, host)).status).toBe(200)
    })

    it('and none needs to be set if Daymark is reached by a name of its own network', async () => {
      const hosts = [
        ...[
          'localhost',
          'LOCALHOST:3000',
          'localhost.',
          'daymark.localhost:3000',
          '127.0.0.1',
          '127.8.8.8:3000',
        ],
        ...[
          '10.0.0.7:3000',
          '8.8.8.8',
          '[::1]:3000',
          '[::1]',
          '[FE80::1]:3000',
          '[2606:4700::1]',
          'nas',
          'NAS:8080',
        ],
        ...[
          'my_nas',
          'daymark.local',
          'Daymark.Local.:3000',
          'daymark.lan',
          'a.b.lan:3000',
          'daymark.home.arpa',
        ],
        ...['daymark.internal', 'xn--bcher-kva.local', 'local'],
      ]
      for (const host of hosts) {
        const own = { host, origin: `http://${host.toLowerCase()}` }
        expect((await add(own)).status, host).toBe(201)
        expect((await add({ host })).status, host).toBe(201)
      }
    })

    it('but a name that somebody on the internet could point here is refused until it is set, with what to set', async () => {
      const hosts = [
        ...[
          'daymark.example',
          'DAYMARK.example:3000',
          'evil.example.',
          'localhost.evil.example',
          'evil-localhost.com',
        ],
        ...[
          '127.0.0.1.evil.example',
          '127.0.0.1.nip.io',
          'local.evil.example',
          'evillocal.com',
          'a.notlocal',
        ],
        ...[
          'lan.com',
          'homearpa.example',
          'arpa.example',
          'xn--bcher-kva.example',
          'daymark..local',
          '.local',
        ],
        ...[
          '1.2.3',
          '0x7f.0.0.1',
          '127.1',
          '1.2.3.4.5',
          '[::1',
          '[::1].evil.example',
          'daymark.local:x',
          'a b',
        ],
        `${'a'.repeat(300)}.local`,
      ]
      for (const host of hosts) {
        const ofPage = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
        for (const headers of [{ host }, ofPage]) {
          // No browser has ever treated this as a refusal: it keeps its queued writes.
          const refused = { status: 503, body: { code: 'UNKNOWN_HOST' } }
          expect(await add(headers), host).toMatchObject(refused)
          const body = { name: 'Eve', email: 'eve@example.org', password }
          const signUp = await daymark.ask('POST', '/api/auth/sign-up/email', { headers, body })
          expect(signUp, host).toMatchObject(refused)
        }
      }
      const message = async (headers: Record<string, string>) => (await add(headers)).body.message
      // Nobody has said whether it is https outside.
      expect(await message({ host: 'daymark.example:3000' })).toBe(
        "Daymark doesn't recognize daymark.example:3000 as its own address. If it is, start Daymark with BASE_URL set to the address shown in the browser",
      )
      expect(await add({ host: '' })).toMatchObject({
        status: 400,
        body: { code: 'MALFORMED_REQUEST', message: "This request doesn't name a host." },
      })
      expect(await message({ host: 'daymark.example:3000', origin: 'http://daymark.example:3000' })).toBe(
        "Daymark doesn't recognize daymark.example:3000 as its own address. If it is, start Daymark with BASE_URL=http://daymark.example:3000",
      )
      // Behind a proxy that terminates TLS.
      expect(await message({ host: 'daymark.example', origin: 'https://daymark.example' })).toBe(
        "Daymark doesn't recognize daymark.example as its own address. If it is, start Daymark with BASE_URL=https://daymark.example",
      )
      const known = openApplication(await openEmpty(), { settings: { baseUrl: 'http://daymark.example' } })
      const headers = { host: 'daymark.example', origin: 'http://daymark.example' }
      expect((await known.ask('POST', '/api/auth/sign-out', { headers })).status).toBe(200)
    })

    it('while reading is not a write', async () => {
      const headers = { origin: 'https://evil.example' }
      expect((await daymark.ask('GET', '/api/todos', { cookie: ada.cookie, headers })).status).toBe(200)
      expect(
        (await daymark.ask('OPTIONS', '/api/todos', { headers })).headers.get('access-control-allow-origin'),
      ).toBeNull()
    })
  })

  describe('a body', () => {
    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json; charset=utf-16',
      '',
    ])('that does not claim to be JSON is a 415: %s', async (type) => {
      expect(await add({ 'content-type': type })).toMatchObject({ status: 415, body: { code: 'NOT_JSON' } })
    })
    it.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
      'that says so is read: %s',
      async (type) => {
        expect((await add({ 'content-type': type })).status).toBe(201)
      },
    )
    it('that is compressed is a 415', async () => {
      expect((await add({ 'content-encoding': 'gzip' })).status).toBe(415)
    })
    it.each(['{', '{"title":"x"', "{'title':'x'}", 'title', '{"title":"x",}', '\u0000', 'NaN'])(
      'that is not valid JSON is a 400: %s',
      async (body) => {
        expect(await add({}, body)).toMatchObject({ status: 400, body: { code: 'MALFORMED_JSON' } })
      },
    )
    it.each(['[]', '"x"', '7', 'null', 'true', ''])('that is not an object is a 400: %s', async (body) => {
      expect(await add({}, body)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    })
    it('with invalid UTF-8 is a 400', async () => {
      const body = new Uint8Array([
        ...Buffer.from('{"title":"'),
        0xff,
        0xfe,
        ...Buffer.from('","completed":0}'),
      ])
      expect(await add({}, body)).toMatchObject({ status: 400, body: { code: 'MALFORMED_JSON' } })
    })
    it('of more than 64 KB is a 413, with or without a length', async () => {
      const large = JSON.stringify({ ...title, more: 'x'.repeat(64 * 1024) })
      expect(await add({}, large)).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } })
      expect(await add({ 'content-length': String(large.length) }, large)).toMatchObject({ status: 413 })
      for (const [method, path] of [
        ['DELETE', '/api/todos/x'],
        ['POST', '/api/todos/x/restore'],
        ['POST', '/api/auth/sign-out'],
      ] as const) {
        expect((await daymark.ask(method, path, { cookie: ada.cookie, body: large })).status).toBe(413)
      }
    })
    it('that is only announced as larger is a 413, even where no body is expected', async () => {
      const headers = { 'content-length': '9e9' }
      expect((await daymark.ask('GET', '/api/health', { headers })).status).toBe(413)
    })
    it('of exactly 64 KB is read', async () => {
      const frame = JSON.stringify({ ...title, more: '' })
      const body = JSON.stringify({ ...title, more: 'x'.repeat(64 * 1024 - frame.length) })
      expect((await add({}, body)).status).toBe(201)
    })
    it('nested 30,000 levels deep does no harm', async () => {
      const deep = '['.repeat(30_000) + ']'.repeat(30_000)
      expect((await add({}, deep)).status).toBe(400)
      expect((await add({}, `{"title":"x","completed":0,"more":${deep}}`)).status).toBe(201)
      expect((await add({}, '{"title":'.repeat(7000))).status).toBe(400)
    })
    it('cannot reach prototypes', async () => {
      const body =
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"title":"x","completed":0}'
      expect((await add({}, body)).status).toBe(201)
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    })
  })

  it.each(['/api', '/api/', '/api/nope', '/api/todos/', '/api//todos', '/api/Todos', '/api/index.html'])(
    'an unknown path is a JSON 404, never the web page: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect(await daymark.ask(method, path, { cookie: ada.cookie })).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        })
      }
    },
  )

  it('an unsupported method is a 405 that lists the supported ones', async () => {
    const asked = await daymark.ask('PATCH', '/api/todos', { cookie: ada.cookie })
    expect(asked).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
    expect(asked.headers.get('allow')).toBe('GET, HEAD, POST')
    const options = await daymark.ask('OPTIONS', '/api/todos')
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST'])
  })

  it('HEAD answers like GET, without the body', async () => {
    const head = await daymark.ask('HEAD', '/api/todos', { cookie: ada.cookie })
    expect([head.status, head.body, head.headers.get('content-type')]).toEqual([200, '', 'application/json'])
    expect((await daymark.ask('HEAD', '/api/todos')).status).toBe(401)
  })

  it('every page has the security headers', async () => {
    for (const path of ['/', '/todos', '/nope.js']) {
      const { headers } = await daymark.ask('GET', path)
      expect(headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/)
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('cache-control')).toBeNull()
    }
  })

  it('no API response can be run, framed, sniffed or cached', async () => {
    for (const path of ['/api/health', '/api/todos', '/api/nope', '/api']) {
      const { headers } = await daymark.ask('GET', path)
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  it('tells browsers to stay on https if the public address is https', async () => {
    const secure = openApplication(await openEmpty(), { settings: { baseUrl: 'https://daymark.example' } })
    expect((await secure.ask('GET', '/')).headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  it('health says ok and which version this is', async () => {
    expect(await daymark.ask('GET', '/api/health')).toMatchObject({
      status: 200,
      body: { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    })
  })
})

describeEachEngine('the log', (openEmpty) => {
  it('has one line per request, except for health checks, with pattern, status and time, and nothing about the person', async () => {
    const daymark = openApplication(await openEmpty())
    const ada = await daymark.signUp('Ada')
    const { body } = await daymark.ask('POST', '/api/todos', {
      cookie: ada.cookie,
      body: { title: 'Secret plan', completed: 0 },
    })
    await daymark.ask('DELETE', `/api/todos/${body.todo.id}?at=2026-11-20T10:00:00.000Z`, {
      cookie: ada.cookie,
    })
    await daymark.ask('GET', '/api/health')
    await daymark.ask('GET', '/search?q=ada@example.org')
    await daymark.ask('POST', '/api/auth/sign-in/email', {
      body: { email: ada.email, password: 'wrong password' },
    })
    const lines = daymark.lines.map((line) => JSON.parse(line))
    expect(lines).toEqual(
      [
        ['POST', '/api/auth/sign-up/email', 200],
        ['POST', '/api/todos', 201],
        ['DELETE', '/api/todos/{id}', 200],
        ['GET', 'page', 404],
        ['POST', '/api/auth/sign-in/email', 401],
      ].map(([method, route, status]) => ({
        level: 30,
        time: expect.any(Number),
        requestId: expect.any(String),
        method,
        route,
        status,
        ms: expect.any(Number),
      })),
    )
    // The random ids are hexadecimal, and so is 'ada'.
    const text = daymark.lines.join('').replaceAll(/"requestId":"[^"]*"/g, '')
    for (const secret of ['ada', 'Ada', 'Secret', body.todo.id, ada.id, ada.cookie, '192.0.2.1', 'search']) {
      expect(text).not.toContain(secret)
    }
  })
})
