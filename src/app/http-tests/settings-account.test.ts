import { existsSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describeEachEngine, describeEachEngineUrl } from '#platform/database/testing/engines.ts'
import { waitFor } from '#testing/wait.ts'
import {
  type Application,
  cookieOf,
  openApplication,
  type Person,
  password,
  type TestResponse,
} from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour
const newPassword = 'a better password than before'

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#165e42' } })

function dataUrl(bytes: Uint8Array | string, type = 'image/png'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

const green = async () => dataUrl(await blank(30, 20).png().toBuffer())
/** A picture that is still being converted when everything sent with it has arrived. */
const slow = async () => dataUrl(await blank(3_000, 3_000).png().toBuffer())

/** The calls of the settings as one signed-in browser makes them. */
function browserOf(daymark: Application, cookie: string) {
  const post = (name: string, body?: unknown) => daymark.ask('POST', `/api/auth/${name}`, { cookie, body })
  const get = (path: string) => daymark.ask('GET', path, { cookie })
  return {
    cookie,
    get,
    change: (body: unknown) => post('update-user', body),
    changePassword: (body: unknown) => post('change-password', body),
    devices: () => get('/api/auth/list-sessions'),
    end: (token: unknown) => post('revoke-session', { token }),
    endOthers: () => post('revoke-other-sessions'),
    endAll: () => post('revoke-sessions'),
    deleteAccount: (body: unknown = { callbackURL: '/', password }) => post('delete-user', body),
    session: async () => (await get('/api/auth/get-session')).body,
    isIn: async () => (await get('/api/todos')).status === 200,
  }
}

async function signIn(daymark: Application, email: string, agent = 'a browser', secret = password) {
  const headers = { 'user-agent': agent }
  const body = { email, password: secret }
  return daymark.ask('POST', '/api/auth/sign-in/email', { body, headers })
}

function setDate(now: number): void {
  if (!vi.isFakeTimers()) onTestFinished(() => void vi.useRealTimers())
  vi.useFakeTimers({ toFake: ['Date'], now })
}

describeEachEngine('the profile', (openEmpty) => {
  let database: Database
  let daymark: Application
  let person: Person
  let ada: ReturnType<typeof browserOf>
  beforeAll(async () => {
    database = await openEmpty()
    daymark = openApplication(database)
    person = await daymark.signUp('Ada')
    ada = browserOf(daymark, person.cookie)
  })
  const image = async () => (await ada.session()).user.image

  it('a changed name is on every device at once', async () => {
    const other = browserOf(daymark, cookieOf(await signIn(daymark, person.email)))
    expect(await ada.change({ name: '  Grace ' })).toMatchObject({ status: 200, body: { status: true } })
    expect((await ada.session()).user).toMatchObject({ name: 'Grace', email: person.email, image: null })
    expect((await other.session()).user.name).toBe('Grace')
  })

  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['Siobhán O’Neill Jr.', "Siobhán O'Neill Jr."],
    [' Zoe\u0308 ', 'Zoë'],
    ['李小龍', '李小龍'],
    ['मीरा शर्मा', 'मीरा शर्मा'],
  ])('a full name in any script is stored, in its normalised form: %j', async (typed, name) => {
    expect(await ada.change({ name: typed })).toMatchObject({ status: 200 })
    expect((await ada.session()).user.name).toBe(name)
  })

  it.each([
    ['Al', 'Name must be at least 3 characters'],
    ['x'.repeat(31), 'Name must not exceed 30 characters'],
    ['1Ada', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Ada  Lovelace', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    ['Ada\0', 'Name must start with a letter and contain only letters, numbers, or dashes'],
    [null, 'Name must be at least 3 characters'],
  ])('an invalid name is refused with the messages of sign-up: %j', async (name, message) => {
    const before = await dump(database)
    expect(await ada.change({ name })).toMatchObject({
      status: 400,
      body: { message, fields: { name: message } },
    })
    expect(await dump(database)).toEqual(before)
  })

  it('only name and picture can be changed', async () => {
    const { user } = await ada.session()
    expect((await ada.change({ email: 'eve@example.org', emailVerified: true })).status).toBe(400)
    expect(
      (await ada.change({ name: user.name, email: 'eve@example.org', emailVerified: true, id: 'x' })).status,
    ).toBe(200)
    expect((await ada.session()).user).toEqual({ ...user, updatedAt: expect.any(String) })
  })

  it('a changed picture is served as 256×256 WebP', async () => {
    expect(await ada.change({ image: await green() })).toMatchObject({ status: 200, body: { status: true } })
    const address = await image()
    expect(address).toMatch(/^\/api\/pictures\/[\da-f-]{36}$/)
    const served = await ada.get(address)
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe('image/webp')
    expect(served.headers.get('cache-control')).toBe('private, no-cache')
    expect(served.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(served.bytes).toString('latin1', 8, 12)).toBe('WEBP')
    // Width and height of a lossy one, less 1, follow its start code.
    expect(Buffer.from(served.bytes).readUInt16LE(26) & 0x3fff).toBe(256)
    const head = await daymark.ask('HEAD', address, { cookie: ada.cookie })
    expect([head.status, head.bytes.length, head.headers.get('content-type')]).toEqual([200, 0, 'image/webp'])
  })

  it('a new picture has a new address, and the old one is gone', async () => {
    await ada.change({ image: await green() })
    const first = await image()
    await ada.change({ image: await green() })
    const second = await image()
    expect(second).not.toBe(first)
    expect((await ada.get(first)).status).toBe(404)
    expect((await ada.get(second)).status).toBe(200)
    expect((await dump(database)).pictures).toHaveLength(1)
  })

  it('a picture can be removed', async () => {
    await ada.change({ image: await green() })
    const address = await image()
    expect((await ada.change({ image: null })).status).toBe(200)
    expect(await image()).toBeNull()
    expect((await ada.get(address)).status).toBe(404)
    expect((await dump(database)).pictures).toEqual([])
    expect((await ada.change({ image: null })).status).toBe(200)
  })

  it('a picture is visible only to its person', async () => {
    await ada.change({ image: await green() })
    const address = await image()
    const eve = await daymark.signUp('Eve')
    expect(await daymark.ask('GET', address, { cookie: eve.cookie })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
    expect((await daymark.ask('GET', address)).status).toBe(401)
  })

  it('a picture that the browser has is a 304, but only for its person, and only while they are signed in', async () => {
    const { cookie } = await daymark.signUp('Zoe')
    await daymark.ask('POST', '/api/auth/update-user', { cookie, body: { image: await green() } })
    const address = (await daymark.ask('GET', '/api/auth/get-session', { cookie })).body.user.image
    const tag = (await daymark.ask('GET', address, { cookie })).headers.get('etag') ?? ''
    const headers = { 'if-none-match': tag }
    const again = await daymark.ask('GET', address, { cookie, headers })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect(again.headers.get('etag')).toBe(tag)
    expect(again.headers.get('cache-control')).toBe('private, no-cache')
    const other = { 'if-none-match': '"another"' }
    expect((await daymark.ask('GET', address, { cookie, headers: other })).status).toBe(200)
    expect((await daymark.ask('GET', address, { cookie: ada.cookie, headers })).status).toBe(404)
    await daymark.ask('POST', '/api/auth/sign-out', { cookie, body: {} })
    expect((await daymark.ask('GET', address, { cookie, headers })).status).toBe(401)
    expect((await daymark.ask('GET', address, { headers })).status).toBe(401)
    await database.write((tx) => tx.deleteFrom('pictures').execute())
  })

  it('of many pictures sent at once the first is converted and the last one stays; the others are told so', async () => {
    const before = await image()
    const sent = await slow()
    const asked = await Promise.all(Array.from({ length: 6 }, () => ada.change({ image: sent })))
    expect(asked.map(({ status }) => status)).toEqual([200, 422, 422, 422, 422, 200])
    expect(asked[1]?.body).toEqual({
      code: 'PICTURE_REPLACED',
      message: 'A newer picture was uploaded before this one was ready.',
    })
    expect(await image()).not.toBe(before)
    expect((await ada.get(await image())).status).toBe(200)
    expect((await dump(database)).pictures).toHaveLength(1)
  })

  it('a picture that would wait behind too many others is refused for now, together with the name', async () => {
    const sent = await slow()
    const people = await Promise.all(
      Array.from({ length: 10 }, (_, place) => daymark.signUp(`Crowd-${place}`)),
    )
    const asked = await Promise.all(
      people.map(({ cookie }) => browserOf(daymark, cookie).change({ image: sent, name: 'Crowded' })),
    )
    const refused = asked.filter(({ status }) => status !== 200)
    expect(refused).toMatchObject([
      {
        status: 503,
        body: {
          code: 'BUSY',
          message: 'Too many pictures are being uploaded right now. Try again in a few seconds.',
        },
      },
    ])
    expect(refused[0]?.headers.get('retry-after')).toBe('5')
    const named = database.read.selectFrom('user').select('id').where('name', '=', 'Crowded')
    expect(await named.execute()).toHaveLength(9)
  })

  it('name and picture sent together are both changed, or neither', async () => {
    expect((await ada.change({ name: 'Both', image: await green() })).status).toBe(200)
    const before = await dump(database)
    expect((await ada.change({ name: 'Neither', image: dataUrl('<svg/>') })).status).toBe(400)
    expect((await ada.change({ name: '?', image: await green() })).status).toBe(400)
    expect(await dump(database)).toEqual(before)
    expect((await ada.session()).user.name).toBe('Both')
  })

  it.each([
    ['an address of somewhere else', 'https://evil.example/track.gif', "isn't a JPG"],
    [
      'the address of a picture of our own',
      '/api/pictures/019a0000-0000-7000-8000-000000000000',
      "isn't a JPG",
    ],
    ['a script', 'javascript:alert(1)', "isn't a JPG"],
    [
      'an SVG',
      dataUrl('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'),
      "isn't a JPG",
    ],
    ['a page renamed .png', dataUrl('<!doctype html><script>alert(1)</script>'), "isn't a JPG"],
    [
      'a PNG that is cut off',
      dataUrl(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')),
      "can't be read",
    ],
    ['text with a NUL', 'data:image/png;base64,\0', "isn't a JPG"],
  ])("the picture can't be %s: a clear message, and nothing changed", async (_, wrong, message) => {
    const before = await dump(database)
    const asked = await ada.change({ image: wrong })
    expect(asked).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', message: expect.stringContaining(message) },
    })
    expect(asked.body.fields).toEqual({ image: asked.body.message })
    expect(await dump(database)).toEqual(before)
  })

  it('a picture of 5 MB is accepted, a larger one is refused for its size, and one of 6 MB before it is read', async () => {
    const png = await blank(9, 9).png().toBuffer()
    const of = (size: number) => dataUrl(Buffer.concat([png, Buffer.alloc(size - png.length)]))
    expect((await ada.change({ image: of(5 * 2 ** 20) })).status).toBe(200)
    const before = await dump(database)
    expect(await ada.change({ image: of(5 * 2 ** 20 + 1) })).toMatchObject({
      status: 400,
      body: { fields: { image: 'Pictures can be up to 5 MB' } },
    })
    const body = JSON.stringify({ image: of(6 * 2 ** 20) })
    const tooLarge = { status: 413, body: { code: 'TOO_LARGE', message: 'The body is larger than 7 MB.' } }
    expect(await ada.change(body)).toMatchObject(tooLarge)
    const headers = { 'content-length': String(body.length) }
    expect(
      await daymark.ask('POST', '/api/auth/update-user', { cookie: ada.cookie, body, headers }),
    ).toMatchObject(tooLarge)
    expect(await dump(database)).toEqual(before)
  })

  it('no other call accepts more than 64 KB', async () => {
    const body = JSON.stringify({ title: 'x'.repeat(64 * 1024), completed: 0 })
    for (const { method, path, takes } of daymark.endpoints) {
      if (!takes.body || path === '/api/auth/update-user') continue
      const address = path.replace('{id}', '019a0000-0000-7000-8000-000000000000')
      const asked = await daymark.ask(method, address, { cookie: ada.cookie, body })
      expect({ path, status: asked.status }).toEqual({ path, status: 413 })
    }
  })
})

describeEachEngine('the password', (openEmpty) => {
  let database: Database
  let daymark: Application
  let person: Person
  let ada: ReturnType<typeof browserOf>
  const open = async () => {
    database = await openEmpty()
    daymark = openApplication(database)
    person = await daymark.signUp('Ada')
    ada = browserOf(daymark, person.cookie)
  }
  const change = { currentPassword: password, newPassword, revokeOtherSessions: true }

  it('can be changed; this browser stays signed in, and only the new one signs in', async () => {
    await open()
    const asked = await ada.changePassword(change)
    expect(asked).toMatchObject({ status: 200, body: { user: { id: person.id, email: person.email } } })
    const renewed = browserOf(daymark, cookieOf(asked))
    expect((await renewed.session()).session.token).toBe(asked.body.token)
    expect((await signIn(daymark, person.email)).status).toBe(401)
    expect((await signIn(daymark, person.email, 'a browser', newPassword)).status).toBe(200)
    expect(asked.body.user).not.toHaveProperty('password')
    // A copy of the old cookie is useless, wherever it is.
    expect(await ada.isIn()).toBe(false)
  })

  it('the browser is left with the new cookie, even if the old one was due to be extended', async () => {
    await open()
    setDate(Date.now() + 2 * hour)
    const asked = await ada.changePassword(change)
    const lastOf = ({ headers }: TestResponse) =>
      headers.getSetCookie().findLast((each) => each.startsWith('daymark.session_token=')) ?? ''
    const last = lastOf(asked).split(';')[0] ?? ''
    expect((await browserOf(daymark, last).session()).session.token).toBe(asked.body.token)
    const gone = await browserOf(daymark, last).deleteAccount({ password: newPassword })
    expect(lastOf(gone)).toContain('daymark.session_token=; Max-Age=0')
  })

  it('a second browser is signed out on its very next request', async () => {
    await open()
    const second = browserOf(daymark, cookieOf(await signIn(daymark, person.email)))
    expect(await second.isIn()).toBe(true)
    const { revokeOtherSessions: _, ...withoutSayingSo } = change
    expect((await ada.changePassword(withoutSayingSo)).status).toBe(200)
    expect(await second.isIn()).toBe(false)
    expect(await second.session()).toBeNull()
  })

  it('no sign-in with the old password outlives the change, whenever it started', async () => {
    await open()
    const signIns = Array.from({ length: 16 }, async (_, place) => {
      await new Promise((begin) => setTimeout(begin, place * 25))
      return signIn(daymark, person.email)
    })
    await new Promise((begin) => setTimeout(begin, 50))
    expect((await ada.changePassword(change)).status).toBe(200)
    for (const asked of await Promise.all(signIns)) {
      expect([200, 401]).toContain(asked.status)
      if (asked.status === 200) expect(await browserOf(daymark, cookieOf(asked)).isIn()).toBe(false)
    }
  })

  it('a wrong current password is refused, and nothing changes', async () => {
    await open()
    const second = browserOf(daymark, cookieOf(await signIn(daymark, person.email)))
    const before = await dump(database)
    expect(await ada.changePassword({ ...change, currentPassword: 'not the password' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PASSWORD', message: 'Your current password is incorrect.' },
    })
    expect(await dump(database)).toEqual(before)
    expect([await ada.isIn(), await second.isIn()]).toEqual([true, true])
  })

  it.each([
    ['currentPassword', '1234567', 'Current password must be at least 8 characters long'],
    ['newPassword', '1234567', 'New password must be at least 8 characters long'],
    ['newPassword', 'x'.repeat(129), 'New password must not exceed 128 characters'],
    ['newPassword', 'a nul \0 inside', "New password contains characters that can't be stored"],
    ['newPassword', undefined, 'New password must be at least 8 characters long'],
    ['revokeOtherSessions', false, 'A new password always signs out all other devices'],
  ])('%s %j is refused', async (field, value, message) => {
    await open()
    expect(await ada.changePassword({ ...change, [field]: value })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', message, fields: { [field]: message } },
    })
    expect((await signIn(daymark, person.email)).status).toBe(200)
  })

  it.each([
    ['one browser', async () => Array.from({ length: 5 }, () => ada)],
    [
      'five browsers',
      async () => {
        const signedIn = Array.from({ length: 5 }, () => signIn(daymark, person.email))
        return (await Promise.all(signedIn)).map((asked) => browserOf(daymark, cookieOf(asked)))
      },
    ],
  ])(
    'of five changes at once from %s one is made, and the others end nothing of it',
    async (_, openBrowsers) => {
      await open()
      const browsers = await openBrowsers()
      const chosen = browsers.map((_, place) => `${newPassword} ${place}`)
      const asked = await Promise.all(
        browsers.map((browser, place) => browser.changePassword({ ...change, newPassword: chosen[place] })),
      )
      const made = asked.filter(({ status }) => status === 200)
      expect(made).toHaveLength(1)
      for (const { status, body } of asked) {
        // The sign-in session of one that came late has ended by then.
        expect([200, 400, 401]).toContain(status)
        if (status === 400) expect(body).toMatchObject({ code: 'INVALID_PASSWORD' })
      }
      for (const response of made) expect(await browserOf(daymark, cookieOf(response)).isIn()).toBe(true)
      for (const [place, { status }] of asked.entries()) {
        const signedIn = await signIn(daymark, person.email, 'a browser', chosen[place])
        expect(signedIn.status).toBe(status === 200 ? 200 : 401)
      }
    },
  )
})

describeEachEngine('the signed-in devices', (openEmpty) => {
  let database: Database
  let daymark: Application
  let person: Person
  let ada: ReturnType<typeof browserOf>
  const open = async () => {
    database = await openEmpty()
    daymark = openApplication(database)
    person = await daymark.signUp('Ada')
    ada = browserOf(daymark, person.cookie)
  }
  const device = async (agent: string) =>
    browserOf(daymark, cookieOf(await signIn(daymark, person.email, agent)))
  const tokenOf = async (browser: ReturnType<typeof browserOf>) => (await browser.session()).session.token

  it('are listed with what they are and when they were last used, including this one', async () => {
    await open()
    const phone = await device('a phone')
    const asked = await ada.devices()
    expect(asked.status).toBe(200)
    expect(asked.body).toHaveLength(2)
    expect(asked.body.map(({ userAgent }: { userAgent: string }) => userAgent)).toContain('a phone')
    const tokens = asked.body.map(({ token }: { token: string }) => token)
    expect(tokens.toSorted()).toEqual([await tokenOf(ada), await tokenOf(phone)].toSorted())
  })

  it('are listed, and can be ended, long after signing in', async () => {
    await open()
    const phone = await device('a phone')
    setDate(Date.now() + 20 * day)
    expect((await ada.devices()).body).toHaveLength(2)
    expect((await ada.end(await tokenOf(phone))).status).toBe(200)
    expect((await ada.devices()).body).toHaveLength(1)
  })

  it('show their last use to the hour', async () => {
    await open()
    const start = Date.now()
    const phone = await device('a phone')
    const lastUse = async () => {
      const { body } = await ada.devices()
      return body.find(({ userAgent }: { userAgent: string }) => userAgent === 'a phone').updatedAt
    }
    const atFirst = await lastUse()
    setDate(start + 50 * 60_000)
    await phone.isIn()
    expect(await lastUse()).toBe(atFirst)
    setDate(start + 65 * 60_000)
    await phone.isIn()
    expect(await lastUse()).toBe(new Date(start + 65 * 60_000).toISOString())
    setDate(start + 20 * day)
    const asked = await ada.devices()
    expect(asked.body[0].updatedAt).toBe(new Date(start + 20 * day).toISOString())
    expect(asked.body[1].userAgent).toBe('a phone')
  })

  it('that have expired are not listed', async () => {
    await open()
    await device('a phone')
    setDate(Date.now() + 29 * day)
    expect(await ada.isIn()).toBe(true)
    setDate(Date.now() + 2 * day)
    expect((await ada.devices()).body).toHaveLength(1)
  })

  it('one can be ended, and is out on its very next request; the others stay', async () => {
    await open()
    const [phone, tablet] = [await device('a phone'), await device('a tablet')]
    expect(await ada.end(await tokenOf(phone))).toMatchObject({ status: 200, body: { status: true } })
    expect([await ada.isIn(), await phone.isIn(), await tablet.isIn()]).toEqual([true, false, true])
  })

  it('ending one that has ended succeeds', async () => {
    await open()
    const token = await tokenOf(await device('a phone'))
    for (const _ of [1, 2]) expect((await ada.end(token)).status).toBe(200)
    expect((await ada.end('there-never-was-such-a-token')).status).toBe(200)
    for (const wrong of ['a nul \0', '\ud800', 'x'.repeat(201), 7, null, undefined]) {
      expect((await ada.end(wrong)).status).toBe(400)
    }
  })

  it("somebody else's cannot be ended, even with its token", async () => {
    await open()
    const eve = browserOf(daymark, (await daymark.signUp('Eve')).cookie)
    expect((await eve.end(await tokenOf(ada))).status).toBe(200)
    await eve.endOthers()
    await eve.endAll()
    expect(await ada.isIn()).toBe(true)
    expect((await ada.devices()).body).toHaveLength(1)
  })

  it('all others can be ended at once, however many there are', async () => {
    await open()
    const { internalAdapter } = await daymark.auth.$context
    for (let count = 0; count < 98; count++) await internalAdapter.createSession(person.id)
    const phone = await device('a phone')
    expect((await ada.devices()).body).toHaveLength(100)
    expect(await ada.endOthers()).toMatchObject({ status: 200, body: { status: true } })
    expect([await ada.isIn(), await phone.isIn()]).toEqual([true, false])
    expect((await dump(database)).session).toHaveLength(1)
  })

  it('all can be ended, including this one', async () => {
    await open()
    const phone = await device('a phone')
    expect(await ada.endAll()).toMatchObject({ status: 200, body: { status: true } })
    expect([await ada.isIn(), await phone.isIn()]).toEqual([false, false])
    expect((await signIn(daymark, person.email)).status).toBe(200)
  })
})

describeEachEngineUrl('several processes', (emptyUrl) => {
  it('a sign-in session that one process ends is refused on its very next request to any other', async () => {
    const url = await emptyUrl()
    const processes: Application[] = []
    for (const _ of [1, 2]) {
      const database = await openDatabase(url)
      onTestFinished(() => database.close())
      processes.push(openApplication(database))
    }
    const [one, other] = processes
    if (!one || !other) throw new Error('There should be two')
    const { email, cookie } = await one.signUp('Ada')
    const ada = browserOf(one, cookie)
    const inOther = async () => {
      const browser = browserOf(other, cookieOf(await signIn(other, email)))
      expect(await browser.isIn()).toBe(true)
      return browser
    }
    const ways: ((browser: ReturnType<typeof browserOf>) => Promise<TestResponse>)[] = [
      async (browser) => ada.end((await browser.session()).session.token),
      () => ada.endOthers(),
      () => ada.changePassword({ currentPassword: password, newPassword: password }),
    ]
    for (const way of ways) {
      const browser = await inOther()
      expect((await way(browser)).status).toBe(200)
      expect(await browser.isIn()).toBe(false)
    }
    const browser = await inOther()
    const renewed = browserOf(one, cookieOf(await signIn(one, email)))
    expect((await renewed.deleteAccount()).status).toBe(200)
    expect(await browser.isIn()).toBe(false)
    expect((await browser.change({ name: 'Nobody' })).status).toBe(401)
  })
})

describeEachEngine('deleting the account', (openEmpty) => {
  let database: Database
  let daymark: Application
  let person: Person
  let ada: ReturnType<typeof browserOf>
  const open = async () => {
    database = await openEmpty()
    daymark = openApplication(database)
    person = await daymark.signUp('Ada')
    ada = browserOf(daymark, person.cookie)
  }

  it('takes the callback and the password, and signs every browser out', async () => {
    await open()
    const second = browserOf(daymark, cookieOf(await signIn(daymark, person.email)))
    const asked = await ada.deleteAccount({ callbackURL: '/', password })
    expect(asked).toMatchObject({ status: 200, body: { success: true } })
    expect(asked.headers.get('location')).toBeNull()
    expect(asked.headers.getSetCookie().join()).toContain('daymark.session_token=; Max-Age=0')
    expect([await ada.isIn(), await second.isIn()]).toEqual([false, false])
    expect((await signIn(daymark, person.email)).status).toBe(401)
  })

  it.each([0, day + 1000])('always asks for the password, %i ms after the sign-in', async (later) => {
    await open()
    setDate(Date.now() + later)
    await ada.isIn()
    const before = await dump(database)
    for (const none of [{}, { callbackURL: '/' }, { password: '' }, { password: null }, { password: 7 }]) {
      expect(await ada.deleteAccount(none)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { password: 'Enter your password' } },
      })
    }
    expect((await ada.deleteAccount({ password: 'x'.repeat(129) })).status).toBe(400)
    for (const wrong of ['not the password', 'x']) {
      expect(await ada.deleteAccount({ callbackURL: '/', password: wrong })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PASSWORD', message: 'Incorrect password.' },
      })
    }
    expect(await dump(database)).toEqual(before)
    expect((await ada.deleteAccount({ password })).status).toBe(200)
    expect(await ada.isIn()).toBe(false)
  })

  it('of two deletions at once one succeeds, and the other succeeds or is told that it is signed out', async () => {
    await open()
    const statuses = (await Promise.all([ada.deleteAccount(), ada.deleteAccount()])).map(
      ({ status }) => status,
    )
    expect(statuses).toContain(200)
    for (const status of statuses) expect([200, 401]).toContain(status)
  })

  it('an account that is gone when the password is checked counts as signed out', async () => {
    await open()
    // The moment between reading the sign-in session and checking the password, in which another deletion finishes.
    await database.write((tx) => tx.deleteFrom('account').where('userId', '=', person.id).execute())
    expect((await ada.deleteAccount()).status).toBe(401)
    expect((await ada.changePassword({ currentPassword: password, newPassword })).status).toBe(401)
  })

  it('frees the email for a new account, which starts with nothing', async () => {
    await open()
    await daymark.ask('POST', '/api/todos', { cookie: ada.cookie, body: { title: 'Old', completed: 0 } })
    await ada.deleteAccount()
    const again = browserOf(daymark, (await daymark.signUp('Ada')).cookie)
    expect((await again.get('/api/todos')).body).toEqual({ todos: [] })
  })

  it("changes nothing of anyone else's", async () => {
    await open()
    const eve = await daymark.signUp('Eve')
    const before = await dump(database, eve.id)
    await ada.deleteAccount()
    expect(await dump(database, eve.id)).toEqual(before)
    expect(await browserOf(daymark, eve.cookie).isIn()).toBe(true)
  })
})

describeEachEngineUrl('after an account is deleted', (emptyUrl, engine) => {
  // All text that a person leaves behind, each to be found again.
  const traces = {
    name: 'Zenobia',
    laterName: 'Xanthippe',
    email: 'zenobia@example.org',
    title: 'Quince marmalade for Aunt Ottilie',
    laterTitle: 'Rhubarb marmalade for Aunt Ottilie',
    deletedTitle: 'Plum marmalade for Aunt Ottilie',
    habit: 'Practise the bassoon',
    laterHabit: 'Practise the contrabassoon',
    description: 'Scales in flat keys first',
    zone: 'Antarctica/Troll',
    run: '01900000-0000-7000-8000-00000000f0c5',
    agent: 'Nokia Communicator of Zenobia',
    address: '203.0.113.77',
  }

  it('leaves no byte in a dump of the database nor, some seconds later, in the files of SQLite', async () => {
    const url = await emptyUrl()
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const daymark = openApplication(database, { settings: { rateLimit: true } })
    const ask = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, {
        cookie,
        body,
        headers: { 'user-agent': traces.agent },
        from: traces.address,
      })
    let cookie = ''
    const signedUp = await ask('POST', '/api/auth/sign-up/email', {
      name: traces.name,
      email: traces.email,
      password,
    })
    cookie = cookieOf(signedUp)
    const { id: userId } = signedUp.body.user
    const eve = await daymark.signUp('Eve')
    await daymark.ask('POST', '/api/todos', {
      cookie: eve.cookie,
      body: { title: 'Kept of Eve', completed: 0 },
    })

    for (let count = 0; count < 40; count++) {
      await ask('POST', '/api/todos', { title: `${traces.title} ${count}`, completed: 0 })
    }
    const { todos } = (await ask('GET', '/api/todos')).body
    await ask('PUT', `/api/todos/${todos[0].id}/edit`, { title: traces.laterTitle })
    await ask('PUT', `/api/todos/${todos[1].id}`, { completed: 1 })
    await ask('PUT', `/api/todos/${todos[2].id}/edit`, { title: traces.deletedTitle })
    await ask('DELETE', `/api/todos/${todos[2].id}`)
    const { habit } = (
      await ask('POST', '/api/habits', {
        name: traces.habit,
        description: traces.description,
        start_date: '2026-11-01',
      })
    ).body
    await ask('POST', `/api/habits/${habit.id}/complete`, { date: '2026-11-02' })
    await ask('PUT', `/api/habits/${habit.id}`, { name: traces.laterHabit, description: traces.description })
    await ask('POST', '/api/focus', { duration: 1500 })
    const timer = { status: 'paused', run: { id: traces.run, stretches: [] } }
    expect((await ask('PUT', '/api/focus/timer', { timer })).status).toBe(200)
    await ask('PATCH', '/api/preferences', { time_zone: traces.zone, day_start: 180 })
    await ask('POST', '/api/auth/update-user', { name: traces.laterName, image: await green() })
    const picture = (await ask('GET', '/api/auth/get-session')).body.user.image
    const { bytes } = await ask('GET', picture)
    await ask('POST', '/api/auth/change-password', { currentPassword: 'not the password', newPassword })
    const changed = await ask('POST', '/api/auth/change-password', { currentPassword: password, newPassword })
    cookie = cookieOf(changed)
    await signIn(daymark, traces.email, traces.agent, newPassword)
    const { internalAdapter } = await daymark.auth.$context
    const verification = { expiresAt: new Date(Date.now() + day) }
    await internalAdapter.createVerificationValue({
      ...verification,
      identifier: 'reset-password:x',
      value: userId,
    })
    await internalAdapter.createVerificationValue({ ...verification, identifier: traces.email, value: 'y' })

    const inBase64 = Buffer.from(bytes).toString('base64')
    const ofPerson = [...Object.values(traces), userId, picture, inBase64.slice(60, 160), changed.body.token]
    // A client's calls in the last hour are counted by its address alone, which is not stored with any account.
    const counted = new Set([traces.address])
    // Old names and titles are in no table any more.
    const overwritten = new Set([traces.name, traces.habit])
    const before = JSON.stringify(await dump(database))
    for (const trace of ofPerson) if (!overwritten.has(trace)) expect(before).toContain(trace)

    expect(
      (await ask('POST', '/api/auth/delete-user', { callbackURL: '/', password: newPassword })).status,
    ).toBe(200)

    const tables = await dump(database)
    const after = JSON.stringify(tables)
    for (const trace of ofPerson) if (!counted.has(trace)) expect(after).not.toContain(trace)
    expect(after).toContain('Kept of Eve')
    for (const [table, rows] of Object.entries(tables)) {
      if (table.startsWith('kysely_') || table === 'rateLimit') continue
      // Only by a hash can its browsers be told that it was deleted.
      const others = rows.filter((row) => !/"ended:.+"(account-deleted|password-changed)"/.test(row))
      expect([0, 1]).toContain(others.length)
    }
    expect(tables.rateLimit?.join()).toContain(traces.address)

    if (engine === 'postgres') return
    const path = url.replace(/^sqlite:/, '')
    const inFiles = () => {
      for (const file of [path, `${path}-wal`, `${path}-shm`].filter((each) => existsSync(each))) {
        const content = readFileSync(file).toString('latin1')
        for (const trace of ofPerson) if (!counted.has(trace)) expect(content).not.toContain(trace)
      }
    }
    await waitFor(inFiles)
    expect(readFileSync(path).toString('latin1')).toContain('Kept of Eve')
  })
})

describe('limits for a signed-in account', () => {
  describeEachEngine('in any process', (openEmpty) => {
    const open = async () => {
      const database = await openEmpty()
      let now = Date.parse('2026-11-20T12:00:00.000Z')
      const wishes = { settings: { rateLimit: true }, clock: () => now }
      const processes = [openApplication(database, wishes), openApplication(database, wishes)] as const
      const pass = (milliseconds: number) => {
        now += milliseconds
      }
      return { processes, pass }
    }

    it('passwords can be tried ten times a minute, over both calls and all addresses together', async () => {
      const { processes, pass } = await open()
      const [one, other] = processes
      const ada = await one.signUp('Ada')
      const eve = await one.signUp('Eve')
      // Too short, so that none is hashed.
      const tryOne = (process: Application, name: string, from: string, { cookie } = ada) =>
        process.ask('POST', `/api/auth/${name}`, { cookie, from, body: { password: '' } })
      for (let count = 0; count < 5; count++) {
        expect((await tryOne(one, 'change-password', `192.0.2.${count}`)).status).toBe(400)
        expect((await tryOne(other, 'delete-user', `198.51.100.${count}`)).status).toBe(400)
      }
      const refused = await tryOne(other, 'change-password', '203.0.113.1')
      expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
      expect(refused.headers.get('retry-after')).toBe('60')
      expect((await tryOne(one, 'delete-user', '203.0.113.2')).status).toBe(429)
      expect((await tryOne(one, 'delete-user', '203.0.113.2', eve)).status).toBe(400)
      expect((await one.ask('GET', '/api/todos', { cookie: ada.cookie })).status).toBe(200)
      pass(60_000)
      expect((await tryOne(one, 'delete-user', '203.0.113.2')).status).toBe(400)
    })

    it("someone signed out uses up nobody's limit", async () => {
      const { processes } = await open()
      const ada = await processes[0].signUp('Ada')
      for (let count = 0; count < 20; count++) {
        const asked = await processes[0].ask('POST', '/api/auth/delete-user', { body: { password: '' } })
        expect(asked.status).toBe(401)
      }
      const body = { password: '' }
      const own = await processes[0].ask('POST', '/api/auth/delete-user', { cookie: ada.cookie, body })
      expect(own.status).toBe(400)
    })

    it('a picture can be chosen thirty times a minute', async () => {
      const { processes } = await open()
      const { cookie } = await processes[0].signUp('Ada')
      const choose = () => processes[0].ask('POST', '/api/auth/update-user', { cookie, body: { image: '' } })
      for (let count = 0; count < 30; count++) expect((await choose()).status).toBe(400)
      expect((await choose()).status).toBe(429)
    })
  })
})
