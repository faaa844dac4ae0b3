import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import {
  type Application,
  cookieOf,
  openApplication,
  type Person,
  password,
  type TestResponse,
} from '../testing/application.ts'

const signUpPath = '/api/auth/sign-up/email'
const signInPath = '/api/auth/sign-in/email'
const signOutPath = '/api/auth/sign-out'
const sessionPath = '/api/auth/get-session'
const day = 24 * 60 * 60 * 1000

describeEachEngine('accounts', (openEmpty) => {
  let daymark: Application
  let ada: Person
  beforeAll(async () => {
    daymark = openApplication(await openEmpty())
    ada = await daymark.signUp('Ada')
  })
  const signIn = (body: unknown) => daymark.ask('POST', signInPath, { body })
  const signUp = (body: unknown) => daymark.ask('POST', signUpPath, { body })
  const session = (cookie: string) => daymark.ask('GET', sessionPath, { cookie })

  it('signing up with name, email and password signs in at once', async () => {
    const asked = await signUp({ name: 'Grace', email: 'Grace@Example.org', password })
    expect(asked).toMatchObject({
      status: 200,
      body: { user: { name: 'Grace', email: 'grace@example.org', image: null } },
    })
    expect(await session(cookieOf(asked))).toMatchObject({ status: 200, body: { user: { name: 'Grace' } } })
  })

  it('signing in with email and password gives a session with name, email and image', async () => {
    const asked = await signIn({ email: 'ADA@example.org', password })
    expect(asked.status).toBe(200)
    expect(await session(cookieOf(asked))).toMatchObject({
      status: 200,
      body: { user: { id: ada.id, name: 'Ada', email: ada.email, image: null } },
    })
  })

  it('GET get-session answers null if nobody is signed in', async () => {
    expect(await daymark.ask('GET', sessionPath)).toMatchObject({ status: 200, body: null })
  })

  it('POST sign-out ends the session itself and not only the cookie', async () => {
    const cookie = cookieOf(await signIn({ email: ada.email, password }))
    const asked = await daymark.ask('POST', '/api/auth/sign-out', { cookie, body: {} })
    expect(asked).toMatchObject({ status: 200, body: { success: true } })
    expect(asked.headers.getSetCookie().join()).toContain('daymark.session_token=; Max-Age=0')
    expect((await session(cookie)).body).toBeNull()
    expect((await daymark.ask('GET', '/api/todos', { cookie })).status).toBe(401)
    expect((await session(ada.cookie)).body.user.id).toBe(ada.id)
  })

  it('signing out succeeds even if nobody was signed in', async () => {
    expect(await daymark.ask('POST', '/api/auth/sign-out')).toMatchObject({
      status: 200,
      body: { success: true },
    })
  })

  it('a wrong password and an unknown email get the same error', async () => {
    const wrong = await signIn({ email: ada.email, password: 'not the password' })
    const unknown = await signIn({ email: 'nobody@example.org', password })
    expect(wrong).toMatchObject({
      status: 401,
      body: { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Incorrect email or password.' },
    })
    expect(unknown.body).toEqual(wrong.body)
    expect(wrong.headers.getSetCookie()).toEqual([])
  })

  it('an email that has an account cannot sign up again, in upper or lower case', async () => {
    expect(
      await signUp({ name: 'Eve', email: 'ADA@example.ORG', password: 'another password' }),
    ).toMatchObject({
      status: 422,
      body: {
        code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
        message: 'An account with this email already exists. Sign in, or use another email.',
      },
    })
    expect((await signIn({ email: ada.email, password })).status).toBe(200)
  })

  it('of two simultaneous sign-ups with one email, one succeeds and the other is told why not', async () => {
    const twin = { name: 'Twin', email: 'twin@example.org', password }
    const asked = await Promise.all([signUp(twin), signUp(twin)])
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(asked.find(({ status }) => status === 422)?.body.code).toBe(
      'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
    )
  })

  describe('invalid input is refused with the messages of the form', () => {
    const valid = { name: 'Mary', email: 'mary@example.org', password }
    const nameRule = 'Name must start with a letter and contain only letters, numbers, or dashes'
    it.each([
      ['name', { name: 'Al' }, 'Name must be at least 3 characters'],
      ['name', { name: undefined }, 'Name must be at least 3 characters'],
      ['name', { name: 'x'.repeat(31) }, 'Name must not exceed 30 characters'],
      ['name', { name: '1Mary' }, nameRule],
      ['name', { name: 'Mary  Ann' }, nameRule],
      ['name', { name: 'Mary Ann!' }, nameRule],
      ['name', { name: 'Mary\0' }, nameRule],
      ['email', { email: 'mary' }, 'Please enter a valid email address'],
      ['email', { email: undefined }, 'Please enter a valid email address'],
      ['email', { email: ['mary@example.org'] }, 'Please enter a valid email address'],
      ['email', { email: `${'m'.repeat(250)}@example.org` }, 'Please enter a valid email address'],
      ['password', { password: '1234567' }, 'Password must be at least 8 characters long'],
      ['password', { password: undefined }, 'Password must be at least 8 characters long'],
      ['password', { password: 'x'.repeat(129) }, 'Password must not exceed 128 characters'],
      ['password', { password: 'a nul \0 inside' }, "Password contains characters that can't be stored"],
    ])('sign-up, %s: %o', async (field, change, message) => {
      expect(await signUp({ ...valid, ...change })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', message, fields: { [field]: message } },
      })
      expect((await signIn(valid)).status).toBe(401)
    })
    it.each([
      ['email', { email: 'ada', password }, 'Please enter a valid email address'],
      [
        'password',
        { email: 'ada@example.org', password: 'short' },
        'Password must be at least 8 characters long',
      ],
    ])('sign-in, %s', async (field, body, message) => {
      expect(await signIn(body)).toMatchObject({
        status: 400,
        body: { message, fields: { [field]: message } },
      })
    })
  })

  it('a sign-up accepts only name, email and password', async () => {
    const asked = await signUp({
      name: 'Mallory',
      email: 'mallory@example.org',
      password,
      image: 'data:image/png;base64,AAAA',
      callbackURL: 'https://evil.example',
      emailVerified: true,
      id: ada.id,
      rememberMe: false,
    })
    expect(asked.body.user).toMatchObject({ image: null, emailVerified: false })
    expect(asked.body.user.id).not.toBe(ada.id)
    expect(asked.headers.get('location')).toBeNull()
    expect(asked.headers.getSetCookie().join()).not.toContain('dont_remember')
  })

  it('signing in does not redirect to another address', async () => {
    const asked = await signIn({ email: ada.email, password, callbackURL: 'https://evil.example' })
    expect(asked.body).toMatchObject({ redirect: false })
    expect(asked.body.url).toBeUndefined()
    expect(asked.headers.get('location')).toBeNull()
  })

  it.each([
    '/api/auth/change-email',
    '/api/auth/delete-user/callback',
    '/api/auth/set-password',
    '/api/auth/sign-in/social',
    '/api/auth/request-password-reset',
    '/api/auth/update-session',
    '/api/auth/verify-password',
    '/api/auth/ok',
    '/api/auth/error',
    '/api/auth',
  ])('a call that is not supported yet does not exist: %s', async (path) => {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? {} : undefined
      expect(await daymark.ask(method, path, { cookie: ada.cookie, body })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      })
    }
  })

  it('scripts and other sites cannot read the cookies; the one of the sign-in session lasts 30 days', async () => {
    const asked = await signIn({ email: ada.email, password })
    expect(asked.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^daymark\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(/^daymark\.device=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  it('using a sign-in session extends it, at most once an hour', async () => {
    const cookie = cookieOf(await signIn({ email: ada.email, password }))
    const fresh = await daymark.ask('GET', '/api/todos', { cookie })
    expect(fresh.headers.getSetCookie()).toEqual([])
    const signedIn = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: signedIn + 59 * 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect((await daymark.ask('GET', '/api/todos', { cookie })).headers.getSetCookie()).toEqual([])
    vi.setSystemTime(signedIn + 61 * 60_000)
    const used = await daymark.ask('GET', '/api/todos', { cookie })
    expect(used.status).toBe(200)
    expect(cookieOf(used)).toBe(cookie)
    vi.setSystemTime(Date.now() + 29 * day)
    expect((await daymark.ask('GET', '/api/todos', { cookie })).status).toBe(200)
    vi.setSystemTime(Date.now() + 31 * day)
    expect((await daymark.ask('GET', '/api/todos', { cookie })).status).toBe(401)
  })

  it('a sign-in session that is ended elsewhere just as it would be extended stays ended', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database)
    const { cookie } = await daymark.signUp('Ada')
    const { internalAdapter } = await daymark.auth.$context
    vi.spyOn(internalAdapter, 'updateSession').mockResolvedValue(null)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * day })
    onTestFinished(() => void vi.useRealTimers())
    const asked = await daymark.ask('GET', sessionPath, { cookie })
    expect(asked).toMatchObject({ status: 200, body: null })
    expect(asked.headers.getSetCookie().join()).toContain('daymark.session_token=; Max-Age=0')
  })

  it('a forged, cut or borrowed cookie signs nobody in', async () => {
    const [name, value = ''] = ada.cookie.split('=')
    const [token = '', signature = ''] = decodeURIComponent(value).split('.')
    const forged = [
      `${name}=${token}`,
      `${name}=${token}.`,
      `${name}=${encodeURIComponent(`${token}x.${signature}`)}`,
      `${name}=${encodeURIComponent(`${token}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`)}`,
      `${name}=${encodeURIComponent(`${token}.${signature}`.slice(0, -2))}`,
      `${name}=%00.%ff`,
      `__Secure-${ada.cookie}`,
      `__Host-${ada.cookie}`,
      `better-auth.session_token=${value}`,
      `user=${ada.id}`,
    ]
    for (const cookie of forged) {
      expect((await daymark.ask('GET', '/api/todos', { cookie })).status).toBe(401)
    }
    expect((await daymark.ask('GET', '/api/todos', { cookie: `other=1; ${ada.cookie}` })).status).toBe(200)
  })

  it('a call meant for one account is not made as another', async () => {
    const headers = { 'x-daymark-user': 'somebody-else' }
    expect(await daymark.ask('GET', '/api/todos', { cookie: ada.cookie, headers })).toMatchObject({
      status: 401,
      body: { code: 'SIGNED_IN_AS_SOMEONE_ELSE' },
    })
    const own = { 'x-daymark-user': ada.id }
    expect((await daymark.ask('GET', '/api/todos', { cookie: ada.cookie, headers: own })).status).toBe(200)
  })

  it('an old account is never mistaken for an interrupted sign-up', async () => {
    const { adapter } = await daymark.auth.$context
    const old = await daymark.signUp('Old')
    await adapter.update({
      model: 'user',
      where: [{ field: 'id', value: old.id }],
      update: { createdAt: new Date(Date.now() - 400 * day) },
    })
    expect((await signUp({ name: 'Thief', email: old.email, password: 'another password' })).status).toBe(422)
    expect((await session(old.cookie)).body.user).toMatchObject({ id: old.id, name: 'Old' })
    expect((await signIn({ email: old.email, password })).status).toBe(200)
  })

  it('an interrupted sign-up does not block its email forever', async () => {
    const { adapter, internalAdapter } = await daymark.auth.$context
    const remnant = await internalAdapter.createUser(
      { name: 'Half', email: 'half@example.org' },
      { method: 'email-password' },
    )
    const half = { name: 'Half', email: 'half@example.org', password }
    expect((await signUp(half)).status).toBe(422)
    await adapter.update({
      model: 'user',
      where: [{ field: 'id', value: remnant.id }],
      update: { createdAt: new Date(Date.now() - 61_000) },
    })
    expect((await signUp(half)).status).toBe(200)
    expect((await signIn(half)).status).toBe(200)
  })
})

describeEachEngine('accounts of other installations', (openEmpty) => {
  it('with SIGN_UP=closed nobody can sign up, and existing accounts can still sign in', async () => {
    const database = await openEmpty()
    await openApplication(database).signUp('Ada')
    const closed = openApplication(database, { settings: { signUp: 'closed' } })
    expect(
      await closed.ask('POST', signUpPath, { body: { name: 'Bob', email: 'bob@example.org', password } }),
    ).toMatchObject({
      status: 403,
      body: { code: 'SIGN_UP_CLOSED', message: "This server isn't accepting new accounts." },
    })
    expect(
      (await closed.ask('POST', signInPath, { body: { email: 'ada@example.org', password } })).status,
    ).toBe(200)
  })

  describe('over https', () => {
    async function overHttps() {
      const database = await openEmpty()
      const secure = openApplication(database, { settings: { baseUrl: 'https://daymark.example' } })
      const ada = await secure.signUp('Ada')
      const eve = await secure.signUp('Eve')
      const who = async (cookie: string) => {
        const asked = await secure.ask('GET', sessionPath, { cookie })
        return { id: asked.body?.user.id, set: asked.headers.getSetCookie() }
      }
      return { secure, ada, eve, who }
    }
    const flags = 'Path=/; HttpOnly; Secure; SameSite=Lax'

    it('every cookie is sent only over https, and only to this host', async () => {
      const { secure, ada } = await overHttps()
      const body = { email: ada.email, password }
      const signedIn = await secure.ask('POST', signInPath, { body })
      expect(signedIn.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-daymark\.session_token=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        ),
        expect.stringMatching(
          /^__Host-daymark\.device=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ])
      expect((await secure.ask('GET', '/api/todos', { cookie: cookieOf(signedIn) })).status).toBe(200)
      const signedOut = await secure.ask('POST', signOutPath, { cookie: cookieOf(signedIn), body: {} })
      const ended = signedOut.headers.getSetCookie()
      expect(ended).toContain(`__Host-daymark.session_token=; Max-Age=0; ${flags}`)
      for (const cookie of ended)
        expect(cookie).toMatch(/^__Host-daymark\.\w+=; Max-Age=0; Path=\/; HttpOnly; Secure; /)
    })

    it('a cookie set by a sibling domain signs nobody in, and never wins over the current one', async () => {
      const { secure, ada, eve, who } = await overHttps()
      /** A sibling domain can set it, as its prefix does not bind it to this host. */
      const siblings = eve.cookie.replace(/^__Host-/, '__Secure-')
      expect(await who(siblings)).toEqual({ id: undefined, set: [] })
      for (const cookie of [`${siblings}; ${ada.cookie}`, `${ada.cookie}; ${siblings}`]) {
        expect((await who(cookie)).id).toBe(ada.id)
        const made = { cookie, body: { title: 'of Ada', completed: 0 } }
        expect((await secure.ask('POST', '/api/todos', made)).status).toBe(201)
      }
      expect((await secure.ask('GET', '/api/todos', { cookie: eve.cookie })).body.todos).toEqual([])
      // Not even if the current one no longer signs anybody in.
      await secure.ask('POST', signOutPath, { cookie: ada.cookie, body: {} })
      expect((await who(`${siblings}; ${ada.cookie}`)).id).toBeUndefined()
    })
  })

  it("whatever ends a browser's sign-in tells it to clear what it has stored", async () => {
    const daymark = openApplication(await openEmpty())
    const clears = ({ headers }: TestResponse) => headers.get('clear-site-data')
    const post = (path: string, cookie: string, body: object = {}) =>
      daymark.ask('POST', `/api/auth/${path}`, { cookie, body })
    const { email, cookie } = await daymark.signUp('Ada')
    const signInAnew = async () => cookieOf(await post('sign-in/email', '', { email, password }))
    const tokenOf = async (of: string) =>
      (await daymark.ask('GET', sessionPath, { cookie: of })).body.session.token

    expect(clears(await post('sign-out', await signInAnew()))).toBe('"cache"')
    const revoked = await signInAnew()
    expect(clears(await post('revoke-session', revoked, { token: await tokenOf(revoked) }))).toBe('"cache"')
    expect(clears(await daymark.ask('GET', sessionPath, { cookie: revoked }))).toBe('"cache"')
    const all = await signInAnew()
    expect(clears(await post('revoke-sessions', all))).toBe('"cache"')
    expect(clears(await daymark.ask('GET', '/api/todos', { cookie: all }))).toBe('"cache"')
    // Signing in as someone else.
    const eve = await daymark.signUp('Eve')
    expect(clears(await post('sign-in/email', eve.cookie, { email, password }))).toBe('"cache"')

    // Nothing else clears it: the browser would have to fetch it all again.
    const stays = await signInAnew()
    expect(clears(await post('sign-in/email', '', { email, password }))).toBeNull()
    expect(
      clears(await post('revoke-session', stays, { token: await tokenOf(await signInAnew()) })),
    ).toBeNull()
    expect(clears(await post('revoke-other-sessions', stays))).toBeNull()
    expect(clears(await daymark.ask('GET', sessionPath, { cookie: stays }))).toBeNull()
    expect(clears(await daymark.ask('GET', '/api/todos', { cookie: stays }))).toBeNull()
    expect(clears(await daymark.ask('GET', sessionPath))).toBeNull()
    expect(clears(await post('delete-user', stays, { password }))).toBe('"cache"')
    expect((await daymark.ask('GET', '/api/todos', { cookie })).status).toBe(401)
  })

  it('localhost, 127.0.0.1 and a name on the home network work without any setting', async () => {
    const daymark = openApplication(await openEmpty())
    await daymark.signUp('Ada')
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'server.lan:3000']) {
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
      const asked = await daymark.ask('POST', signInPath, {
        body: { email: 'ada@example.org', password },
        headers,
      })
      expect(asked.status).toBe(200)
      expect(asked.headers.getSetCookie().join()).not.toContain('Secure')
      const made = { cookie: cookieOf(asked), headers, body: { title: host, completed: 0 } }
      expect((await daymark.ask('POST', '/api/todos', made)).status).toBe(201)
    }
  })
})
