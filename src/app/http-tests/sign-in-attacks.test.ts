import { APIError } from 'better-auth/api'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { tidy } from '../housekeeping.ts'
import { cookieOf, cookiesOf, openApplication, password } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'
import { openEvents } from '../testing/event-reader.ts'

const signInPath = '/api/auth/sign-in/email'
const signUpPath = '/api/auth/sign-up/email'
const minute = 60_000
const day = 24 * 60 * minute
const wrongPassword = 'not the password'

describeEachEngine('guessing a password', (openEmpty) => {
  async function open({ rateLimit = true } = {}) {
    const database = await openEmpty()
    let now = Date.parse('2026-11-20T12:00:00.000Z')
    const wishes = { settings: { rateLimit }, clock: () => now }
    const daymark = openApplication(database, wishes)
    const second = openApplication(database, wishes)
    const ada = { email: 'ada@example.org' }
    const signedUp = await daymark.ask('POST', signUpPath, { body: { name: 'Ada', ...ada, password } })
    const known = cookiesOf(signedUp).join('; ')

    /** An unknown browser, at an address. */
    const signIn = (from: string, secret = password, email = ada.email, cookie?: string, process = daymark) =>
      process.ask('POST', signInPath, { from, body: { email, password: secret }, ...(cookie && { cookie }) })
    let attackers = 0
    /** From an address that was never used before. */
    const guess = (email = ada.email, process = daymark) => {
      attackers += 1
      return signIn(`198.51.100.${attackers}`, wrongPassword, email, undefined, process)
    }
    const guessFiveTimes = async (email?: string) => {
      for (let count = 1; count <= 5; count += 1) expect((await guess(email)).status).toBe(401)
    }
    const pass = (milliseconds: number) => {
      now += milliseconds
    }
    return { database, daymark, second, ada, known, signIn, guess, guessFiveTimes, pass }
  }

  it('from many addresses gets no further than from one, whichever processes they reach', async () => {
    const { second, ada, guess, guessFiveTimes } = await open()
    await guessFiveTimes()
    const refused = await guess()
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests. Try again in 1 second.' },
    })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await guess(ada.email.toUpperCase())).status).toBe(429)
    expect((await guess(ada.email, second)).status).toBe(429)
  })

  it('an email without an account gets the same response, and no tried email is stored', async () => {
    const { database, guess, guessFiveTimes } = await open()
    await guessFiveTimes('nobody@example.org')
    expect((await guess('nobody@example.org')).headers.get('retry-after')).toBe('1')
    expect(JSON.stringify(await dump(database))).not.toContain('nobody@')
    expect((await guess()).status).toBe(401)
  })

  it('five of twelve simultaneous tries from twelve addresses are free', async () => {
    const { guess } = await open()
    const asked = await Promise.all(Array.from({ length: 12 }, () => guess()))
    expect(asked.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  it("waits longer each time, and one address does not use up another's tries", async () => {
    const { signIn, guess, guessFiveTimes, pass } = await open()
    await guessFiveTimes()
    const waits: number[] = []
    for (let count = 0; count < 3; count += 1) {
      const refused = await signIn('203.0.113.1', wrongPassword)
      expect(refused.status).toBe(429)
      const wait = Number(refused.headers.get('retry-after'))
      waits.push(wait)
      pass(wait * 1000)
      expect((await signIn('203.0.113.1', wrongPassword)).status).toBe(401)
    }
    expect(waits).toEqual([1, 2, 4])
    expect((await guess()).headers.get('retry-after')).toBe('8')
  })

  it('does not lock the owner out of a browser that was signed in before', async () => {
    const { known, signIn, guess, guessFiveTimes } = await open()
    await guessFiveTimes()
    for (let count = 0; count < 20; count += 1) expect((await guess()).status).toBe(429)
    expect((await signIn('192.0.2.77', password)).status).toBe(429)
    expect((await signIn('192.0.2.78', password, undefined, known)).status).toBe(200)
  })

  it('locks the owner out of a new browser only as long as it says, though the guessing goes on', async () => {
    const { signIn, guess, guessFiveTimes, pass } = await open()
    await guessFiveTimes()
    const owner = '192.0.2.77'
    const wait = Number((await signIn(owner)).headers.get('retry-after'))
    expect(wait).toBe(1)
    for (let step = 0; step < 5; step += 1) {
      pass(wait * 200)
      await guess()
      // Tried too early, which does not extend the wait.
      if (step < 4) expect((await signIn(owner)).status).toBe(429)
    }
    const signedIn = await signIn(owner)
    expect(signedIn.status).toBe(200)
    // From then on this browser is known too.
    expect((await signIn('192.0.2.79', password, undefined, cookiesOf(signedIn).join('; '))).status).toBe(200)
  })

  it('gets only five tries in a browser in which the owner was signed in, and they count everywhere', async () => {
    const { known, signIn, pass } = await open()
    for (let count = 1; count <= 5; count += 1) {
      expect((await signIn(`203.0.113.${count}`, wrongPassword, undefined, known)).status).toBe(401)
    }
    expect((await signIn('203.0.113.9', wrongPassword, undefined, known)).status).toBe(429)
    const elsewhere = await signIn('192.0.2.77')
    expect([elsewhere.status, elsewhere.headers.get('retry-after')]).toEqual([429, '1'])
    pass(1_000)
    expect((await signIn('192.0.2.77')).status).toBe(200)
  })

  it('after a password change, only the browser that made it is still known', async () => {
    const { daymark, known, signIn, guessFiveTimes } = await open()
    const elsewhere = cookiesOf(await signIn('192.0.2.80'))
    const newPassword = 'another horse battery'
    const body = { currentPassword: password, newPassword }
    const cookie = elsewhere.join('; ')
    const changed = await daymark.ask('POST', '/api/auth/change-password', { cookie, body })
    expect(changed.status).toBe(200)
    await guessFiveTimes()
    for (const former of [known, cookie]) {
      expect((await signIn('192.0.2.81', newPassword, undefined, former)).status).toBe(429)
    }
    const here = cookiesOf(changed).join('; ')
    expect((await signIn('192.0.2.82', newPassword, undefined, here)).status).toBe(200)
  })

  it('a browser known to a deleted account is unknown to the next account with its email', async () => {
    const { daymark, ada, known, signIn, guessFiveTimes } = await open()
    const gone = await daymark.ask('POST', '/api/auth/delete-user', { cookie: known, body: { password } })
    expect(gone.status).toBe(200)
    await daymark.ask('POST', signUpPath, { body: { name: 'Ada', ...ada, password } })
    await guessFiveTimes()
    expect((await signIn('192.0.2.83', password, undefined, known)).status).toBe(429)
  })

  it("a neighbour in the same IPv6 /48 does not use up the owner's tries", async () => {
    const { signIn, guessFiveTimes, pass } = await open()
    const [neighbour, owner] = ['2001:db8:1:1::1', '2001:db8:1:2::1']
    await guessFiveTimes()
    for (const from of [neighbour, owner]) {
      expect((await signIn(from, wrongPassword)).headers.get('retry-after')).toBe('1')
    }
    pass(1_000)
    // Another address in the neighbour's own /64 shares its tries.
    expect((await signIn('2001:db8:1:1::2', wrongPassword)).status).toBe(401)
    expect((await signIn(neighbour, wrongPassword)).status).toBe(429)
    expect((await signIn(owner)).status).toBe(200)
  })

  it.each(['a failure that it tells of', 'one that it does not', 'no sign-in session'])(
    'our own failure is no wrong guess: %s',
    async (which) => {
      const { daymark, signIn } = await open()
      const { internalAdapter } = await daymark.auth.$context
      const createSession = vi.spyOn(internalAdapter, 'createSession')
      onTestFinished(() => createSession.mockRestore())
      createSession.mockImplementation(async () => {
        if (which === 'a failure that it tells of') throw new APIError('INTERNAL_SERVER_ERROR')
        if (which === 'one that it does not') throw new Error('Connection terminated')
        return Promise.reject(
          new APIError('UNAUTHORIZED', { code: 'FAILED_TO_CREATE_SESSION', message: 'Failed' }),
        )
      })
      for (let count = 1; count <= 6; count += 1) {
        expect((await signIn(`203.0.113.${count}`)).status).toBeGreaterThanOrEqual(500)
      }
      createSession.mockRestore()
      expect((await signIn('203.0.113.7')).status).toBe(200)
    },
  )

  it('is not helped by a browser known to another account, nor by a forged or cut cookie', async () => {
    const { daymark, known, signIn, guessFiveTimes } = await open()
    const eve = { name: 'Eve', email: 'eve@example.org', password }
    const ofEve = cookiesOf(await daymark.ask('POST', signUpPath, { body: eve, from: '203.0.113.50' }))
    const device = known.split('; ').find((cookie) => cookie.startsWith('daymark.device=')) ?? ''
    const [id = '', mark = ''] = device.replace('daymark.device=', '').split('.')
    const [idOfEve = ''] = (ofEve.find((cookie) => cookie.startsWith('daymark.device=')) ?? '')
      .replace('daymark.device=', '')
      .split('.')
    await guessFiveTimes()
    const useless = [
      ofEve.join('; '),
      `daymark.device=${idOfEve}.${mark}`,
      `daymark.device=${id}`,
      `daymark.device=${id}.${mark.startsWith('A') ? 'B' : 'A'}${mark.slice(1)}`,
      `daymark.device=.${mark}`,
      'daymark.device=%00',
    ]
    for (const [place, cookie] of useless.entries()) {
      expect((await signIn(`203.0.113.${place}`, password, undefined, cookie)).status).toBe(429)
    }
    expect((await signIn('203.0.113.60', password, undefined, device)).status).toBe(200)
  })

  it('is forgotten an hour after it ended', async () => {
    const { guess, guessFiveTimes, pass } = await open()
    await guessFiveTimes()
    pass(59 * minute)
    expect((await guess()).status).toBe(429)
    pass(2 * minute)
    expect((await guess()).status).toBe(401)
  })

  it('right passwords do not count as guesses', async () => {
    const { database, signIn } = await open()
    for (let count = 1; count <= 7; count += 1) expect((await signIn(`203.0.113.${count}`)).status).toBe(200)
    expect(JSON.stringify((await dump(database)).rateLimit)).not.toContain('wrong guesses')
  })

  it('RATE_LIMIT=off turns this limit off, too', async () => {
    const { signIn, guess } = await open({ rateLimit: false })
    for (let count = 1; count <= 7; count += 1) expect((await guess()).status).toBe(401)
    expect((await signIn('203.0.113.1')).status).toBe(200)
  })
})

describeEachEngine('guessable passwords', (openEmpty) => {
  const tooCommon = 'This password is too common. Choose a different one.'
  const tooPersonal = 'This password is too similar to your name or email. Choose a different one.'
  const person = { name: 'Ottilie-Blum', email: 'tilly.blum@lindholm.example' }

  const guessable: [string, string][] = [
    ['password', tooCommon],
    ['Password1', tooCommon],
    ['QWERTYUIOP', tooCommon],
    ['12345678', tooCommon],
    ['88888888', tooCommon],
    ['iloveyou', tooCommon],
    ['tilly.blum@lindholm.example', tooPersonal],
    ['TILLY.BLUM', tooPersonal],
    ['tilly.blum2026!', tooPersonal],
    ['ottilie-blum', tooPersonal],
    ['1Ottilie-Blum', tooPersonal],
    ['Daymark2026', tooPersonal],
  ]

  it('are refused at sign-up, and no account is created', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database)
    const before = await dump(database)
    for (const [secret, message] of guessable) {
      const asked = await daymark.ask('POST', signUpPath, { body: { ...person, password: secret } })
      expect({ secret, status: asked.status, body: asked.body }).toEqual({
        secret,
        status: 400,
        body: { code: 'INVALID_INPUT', message, fields: { password: message } },
      })
      expect(asked.headers.getSetCookie()).toEqual([])
    }
    expect(await dump(database)).toEqual(before)
    const fine = { ...person, password: 'blum and a tilly tree' }
    expect((await daymark.ask('POST', signUpPath, { body: fine })).status).toBe(200)
  })

  it('are refused when the password is changed, which stays as it was', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database)
    const cookie = cookieOf(await daymark.ask('POST', signUpPath, { body: { ...person, password } }))
    const before = await dump(database)
    for (const [newPassword, message] of guessable) {
      const body = { currentPassword: password, newPassword }
      expect(await daymark.ask('POST', '/api/auth/change-password', { cookie, body })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { newPassword: message } },
      })
    }
    expect(await dump(database)).toEqual(before)
  })

  it('still sign in anyone who chose one before it was refused', async () => {
    const daymark = openApplication(await openEmpty())
    const { auth } = daymark
    const body = { ...person, password: 'password1' }
    await auth.api.signUpEmail({ body })
    expect((await daymark.ask('POST', signInPath, { body })).status).toBe(200)
  })
})

describeEachEngine('signing in over an open sign-in session', (openEmpty) => {
  const open = async () => {
    const database = await openEmpty()
    const daymark = openApplication(database)
    const ada = await daymark.signUp('Ada')
    const eve = await daymark.signUp('Eve')
    const isIn = async (cookie: string) => (await daymark.ask('GET', '/api/todos', { cookie })).status === 200
    return { database, daymark, ada, eve, isIn }
  }
  const nina = { name: 'Nina', email: 'nina@example.org', password }

  it.each([
    ['as the same person', signInPath, { email: 'ada@example.org', password }],
    ['as somebody else', signInPath, { email: 'eve@example.org', password }],
    ['by signing up', signUpPath, nina],
  ])('%s ends that one, with its streams, and no other', async (_, path, body) => {
    const { database, daymark, ada, eve, isIn } = await open()
    const phone = cookieOf(await daymark.ask('POST', signInPath, { body: { email: ada.email, password } }))
    const stream = await openEvents(daymark, ada)
    await stream.next()
    const before = (await dump(database)).session?.length ?? 0
    const asked = await daymark.ask('POST', path, { cookie: ada.cookie, body })
    expect(asked.status).toBe(200)
    expect(await stream.next()).toMatchObject({ event: 'signed-out' })
    expect(await stream.next()).toBeUndefined()
    expect(await isIn(ada.cookie)).toBe(false)
    expect(await isIn(cookieOf(asked))).toBe(true)
    expect([await isIn(phone), await isIn(eve.cookie)]).toEqual([true, true])
    expect((await dump(database)).session).toHaveLength(before)
  })

  it('with a wrong password, or an email that is taken, leaves it open', async () => {
    const { daymark, ada, isIn } = await open()
    const { cookie } = ada
    const body = { email: 'eve@example.org', password: wrongPassword }
    expect((await daymark.ask('POST', signInPath, { cookie, body })).status).toBe(401)
    const taken = { ...nina, email: 'eve@example.org' }
    expect((await daymark.ask('POST', signUpPath, { cookie, body: taken })).status).toBe(422)
    expect(await isIn(cookie)).toBe(true)
  })
})

describeEachEngine('a sign-in session', (openEmpty) => {
  const setDate = (now: number) => {
    if (!vi.isFakeTimers()) onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['Date'], now })
  }

  const usedForAYear = async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { clock: () => Date.now() })
    const began = Date.now()
    const { cookie } = await daymark.signUp('Ada')
    const lists = () => daymark.ask('GET', '/api/todos', { cookie })
    for (let days = 20; days <= 360; days += 20) {
      setDate(began + days * day)
      expect((await lists()).status).toBe(200)
    }
    return { database, daymark, began, cookie, lists }
  }

  describe('that is used all the time', () => {
    it('ends after a year', async () => {
      const { daymark, began, cookie, lists } = await usedForAYear()
      const { session } = (await daymark.ask('GET', '/api/auth/get-session', { cookie })).body
      expect(Date.parse(session.expiresAt)).toBe(Date.parse(session.createdAt) + 365 * day)
      setDate(began + 365 * day - minute)
      expect((await lists()).status).toBe(200)
      setDate(began + 365 * day + minute)
      expect((await lists()).status).toBe(401)
      expect((await daymark.ask('GET', '/api/auth/get-session', { cookie })).body).toBeNull()
    })

    it('is not written with each request in its last month', async () => {
      const { lists } = await usedForAYear()
      expect((await lists()).headers.getSetCookie()).toEqual([])
      setDate(Date.now() + 61 * minute)
      expect((await lists()).headers.getSetCookie()).not.toEqual([])
      expect((await lists()).headers.getSetCookie()).toEqual([])
    })

    it('ends its streams and its row, too', async () => {
      const { database, daymark, began, cookie } = await usedForAYear()
      setDate(began + 365 * day - minute)
      const stream = await openEvents(daymark, { cookie })
      await stream.next()
      setDate(began + 365 * day + minute)
      daymark.app.events.heartbeat()
      expect(await stream.next()).toMatchObject({ event: 'signed-out' })
      await tidy(database, daymark.auth, Date.now())
      expect((await dump(database)).session).toEqual([])
    })
  })
})
