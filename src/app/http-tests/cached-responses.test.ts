import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine, describePostgresUrl } from '#platform/database/testing/engines.ts'
import { waitUntil } from '#testing/wait.ts'
import { type Application, openApplication, type Person, password } from '../testing/application.ts'

// A Friday.
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const lists = ['/api/todos', '/api/habits', '/api/focus', '/api/preferences']

describeEachEngine('a repeated request', (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person
  let now: number
  beforeEach(async () => {
    now = noon
    database = await openEmpty()
    daymark = openApplication(database, { clock: () => now })
    ada = await daymark.signUp('Ada')
    await ask('PATCH', '/api/preferences', { time_zone: 'Europe/Berlin' })
    await ask('POST', '/api/todos', { title: 'Write', completed: 0 })
  })

  const ask = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    of = ada,
  ) => daymark.ask(method, path, { body, headers, cookie: of.cookie })
  /** Bypasses the program: only a cached response can still show the to-do. */
  const takeAwayUnseen = () => database.write((tx) => tx.deleteFrom('todos').execute())

  it('gets the same bytes and headers, and the rows are not read again', async () => {
    for (const path of lists) {
      const first = await ask('GET', path)
      const second = await ask('GET', path)
      expect(second.status).toBe(200)
      expect(second.body).toEqual(first.body)
      const headersOf = ({ headers }: typeof first) =>
        [...headers].filter(([name]) => name !== 'x-request-id')
      expect(headersOf(second)).toEqual(headersOf(first))
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
      expect(first.headers.get('cache-control')).toBe('private, no-cache')
    }
    await takeAwayUnseen()
    expect((await ask('GET', '/api/todos')).body.todos).toHaveLength(1)
  })

  it('is logged like any other', async () => {
    await ask('GET', '/api/todos')
    await ask('GET', '/api/todos')
    const [first, second] = daymark.lines.slice(-2).map((line) => JSON.parse(line))
    expect(Object.keys(second)).toEqual(Object.keys(first))
    expect(second).toMatchObject({ method: 'GET', route: '/api/todos', status: 200 })
  })

  it('gets a 304 if the client has the response, even from a process that has nothing cached, and no rows are read', async () => {
    const { headers } = await ask('GET', '/api/todos')
    const tag = headers.get('etag') ?? ''
    const other = openApplication(database, { clock: () => now, build: daymark.build })
    await takeAwayUnseen()
    for (const process of [daymark, other, other]) {
      const again = await process.ask('GET', '/api/todos', {
        cookie: ada.cookie,
        headers: { 'if-none-match': tag },
      })
      expect({ status: again.status, length: again.bytes.length }).toEqual({ status: 304, length: 0 })
      expect(again.headers.get('etag')).toBe(tag)
    }
    for (const known of [`W/${tag}`, `"other", ${tag}`]) {
      expect((await ask('GET', '/api/todos', undefined, { 'if-none-match': known })).status).toBe(304)
    }
    expect((await ask('GET', '/api/todos', undefined, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('is answered from the database after a write, in every process', async () => {
    const other = openApplication(database, { clock: () => now })
    const seen = async (process: Application) => {
      const { body } = await process.ask('GET', '/api/todos', { cookie: ada.cookie })
      return body.todos.map(({ title }: { title: string }) => title)
    }
    for (const title of ['Read', 'Run', 'Rest']) {
      await seen(daymark)
      await seen(other)
      await ask('POST', '/api/todos', { title, completed: 0 })
      expect((await seen(daymark))[0]).toBe(title)
      expect((await seen(other))[0]).toBe(title)
    }
  })

  it("is answered from the database on the person's next day, even if nothing was written", async () => {
    const habit = { name: 'Read', start_date: '2026-11-01' }
    const { id } = (await ask('POST', '/api/habits', habit)).body.habit
    await ask('POST', `/api/habits/${id}/complete`)
    const shown = async () => {
      const { headers, body } = await ask('GET', '/api/habits')
      return { tag: headers.get('etag') ?? '', completed: body.habits[0].completed }
    }
    // Berlin is one hour ahead.
    now = Date.parse('2026-11-20T22:59:59.999Z')
    const before = await shown()
    expect(before.completed).toBe(true)
    expect(await shown()).toEqual(before)
    now += 1
    const after = await shown()
    expect(after.completed).toBe(false)
    expect(after.tag).not.toBe(before.tag)
    const asked = await ask('GET', '/api/habits', undefined, { 'if-none-match': before.tag })
    expect(asked.status).toBe(200)
    // After the clock is set back, tomorrow's response must not count as today's.
    now -= 1
    expect((await shown()).completed).toBe(true)
  })

  it('gets a new response from another build', async () => {
    const tag = (await ask('GET', '/api/todos')).headers.get('etag') ?? ''
    const newer = openApplication(database, { clock: () => now, build: 'newer' })
    const asked = await newer.ask('GET', '/api/todos', {
      cookie: ada.cookie,
      headers: { 'if-none-match': tag },
    })
    expect(asked.status).toBe(200)
  })

  it("never gets another person's response, whichever tag it sends", async () => {
    const eve = await daymark.signUp('Eve')
    await ask('PATCH', '/api/preferences', { theme: 'dark' }, {}, eve)
    for (const path of lists) {
      const tag = (await ask('GET', path)).headers.get('etag') ?? ''
      await ask('GET', path, undefined, {}, eve)
      const asked = await ask('GET', path, undefined, { 'if-none-match': tag }, eve)
      expect(asked.status).toBe(200)
      expect(asked.headers.get('etag')).not.toBe(tag)
    }
    expect((await ask('GET', '/api/todos', undefined, {}, eve)).body).toEqual({ todos: [] })
    const meant = { 'x-daymark-user': eve.id }
    expect(await ask('GET', '/api/todos', undefined, meant)).toMatchObject({
      status: 401,
      body: { code: 'SIGNED_IN_AS_SOMEONE_ELSE' },
    })
  })

  describe('a session is refused on the very next request', () => {
    const ways: Record<string, (own: Person) => Promise<unknown>> = {
      'signed out': (own) => ask('POST', '/api/auth/sign-out', {}, {}, own),
      'ended from another device': async (own) => {
        const { body } = await ask('GET', '/api/auth/get-session', undefined, {}, own)
        await ask('POST', '/api/auth/revoke-session', { token: body.session.token })
      },
      'every one ended': () => ask('POST', '/api/auth/revoke-sessions', {}),
      'password changed elsewhere': () =>
        ask('POST', '/api/auth/change-password', {
          currentPassword: password,
          newPassword: 'another password',
        }),
      'account deleted': () => ask('POST', '/api/auth/delete-user', { password }),
    }
    it.each(Object.entries(ways))(
      'after it was %s, even while responses are cached and requested',
      async (_, end) => {
        const signedIn = await daymark.ask('POST', '/api/auth/sign-in/email', {
          body: { email: ada.email, password },
        })
        const own = { ...ada, cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
        const tag = (await ask('GET', '/api/todos', undefined, {}, own)).headers.get('etag') ?? ''
        let ended = false
        let asking = true
        const wrong: number[] = []
        const keepAsking = async (headers: Record<string, string>) => {
          while (asking) {
            const startedAfter = ended
            const { status } = await ask('GET', '/api/todos', undefined, headers, own)
            if (startedAfter && status !== 401) wrong.push(status)
            await pause(0)
          }
        }
        const tagged = { 'if-none-match': tag }
        const traffic = [keepAsking({}), keepAsking({}), keepAsking(tagged), keepAsking(tagged)]
        await pause(20)
        await end(own)
        ended = true
        for (let turn = 0; turn < 20; turn += 1) {
          expect((await ask('GET', '/api/todos', undefined, { 'if-none-match': tag }, own)).status).toBe(401)
        }
        asking = false
        await Promise.all(traffic)
        expect(wrong).toEqual([])
      },
    )
  })

  it('a session that expired signs nobody in', async () => {
    await ask('GET', '/api/todos')
    const expiresAt = instantForAuth(database.engine, Date.now() - 1)
    await database.auth.updateTable('session').set({ expiresAt }).execute()
    expect((await ask('GET', '/api/todos')).status).toBe(401)
  })

  it('over https, the cookie that browsers send only over https counts', async () => {
    const secure = openApplication(database, {
      settings: { baseUrl: 'https://daymark.example' },
      clock: () => now,
    })
    const signedIn = await secure.ask('POST', '/api/auth/sign-in/email', {
      body: { email: ada.email, password },
    })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect(cookie).toMatch(/^__Host-daymark\.session_token=/)
    const first = await secure.ask('GET', '/api/todos', { cookie })
    await takeAwayUnseen()
    const second = await secure.ask('GET', '/api/todos', { cookie })
    expect(second.body.todos).toHaveLength(1)
    expect(second.headers.get('strict-transport-security')).toBe(
      first.headers.get('strict-transport-security'),
    )
    expect((await secure.ask('GET', '/api/todos', { cookie: ada.cookie })).status).toBe(401)
  })

  it('of two cookies of the same name, better-auth decides which counts', async () => {
    const eve = await daymark.signUp('Eve')
    const cookie = `${ada.cookie}; ${eve.cookie}`
    const counts = (await daymark.ask('GET', '/api/auth/get-session', { cookie })).body.user.id
    const { todos } = (await daymark.ask('GET', '/api/todos', { cookie })).body
    expect(todos).toHaveLength(counts === ada.id ? 1 : 0)
  })
})

describePostgresUrl('two processes over one database', (emptyUrl) => {
  it('refuse a session ended at the other one on the very next request, under load', async () => {
    const environment = {
      DATABASE_URL: await emptyUrl(),
      AUTH_SECRET: 'a secret of the tests that is long enough',
    }
    const [one, other] = await Promise.all([startServer(environment), startServer(environment)])
    const post = (path: string, body: object, cookie = '') =>
      fetch(one + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      })
    const account = { name: 'Ada', email: 'ada@example.org', password }
    const signedUp = await post('/api/auth/sign-up/email', account)
    const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    await post('/api/todos', { title: 'Write', completed: 0 }, cookie)
    const statusAt = async (address: string) => {
      const response = await fetch(`${address}/api/todos`, { headers: { cookie } })
      await response.arrayBuffer()
      return response.status
    }
    let ended = false
    let asking = true
    const late: number[] = []
    let before = 0
    const keepAsking = async (address: string) => {
      while (asking) {
        const startedAfter = ended
        const status = await statusAt(address)
        if (startedAfter) late.push(status)
        else if (status === 200) before += 1
      }
    }
    const traffic = [one, other, one, other, one, other].map(keepAsking)
    await waitUntil(() => before > 100)
    await post('/api/auth/sign-out', {}, cookie)
    ended = true
    expect(await Promise.all([statusAt(one), statusAt(other)])).toEqual([401, 401])
    await waitUntil(() => late.length > 20)
    asking = false
    await Promise.all(traffic)
    expect(new Set(late)).toEqual(new Set([401]))
  })
})

/** Where a separate process listens; it ends with the test. */
async function startServer(environment: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server.ts')], {
    env: { PATH: process.env.PATH, PORT: '0', RATE_LIMIT: 'off', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for await (const chunk of child.stderr) {
    said += chunk
    const ready = /Daymark is ready at http:\/\/localhost:(\d+)\n/.exec(said)?.[1]
    if (ready) return `http://127.0.0.1:${ready}`
  }
  throw new Error(`It did not start: ${said}`)
}
