import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type MailServer, startMailServer } from '#testing/mail-server.ts'
import { waitUntil } from '#testing/wait.ts'
import { tidy } from '../housekeeping.ts'
import {
  type Application,
  cookieOf,
  cookiesOf,
  mailedPages,
  openApplication,
  password,
} from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

const requestReset = '/api/auth/request-password-reset'
const resetPassword = '/api/auth/reset-password'
const requestCheck = '/api/auth/send-verification-email'
const verifyEmail = '/api/auth/verify-email'
const signUpPath = '/api/auth/sign-up/email'
const finishPath = '/api/auth/sign-up/finish'
const minute = 60_000
const badToken = {
  status: 400,
  body: {
    code: 'INVALID_TOKEN',
    message: 'This link no longer works: it has already been used or has expired. Request a new one.',
  },
}

describeEachEngine('mail', (openEmpty) => {
  let smtp: MailServer
  let database: Database
  beforeAll(async () => {
    database = await openEmpty()
    smtp = await startMailServer()
  })
  afterAll(() => smtp.stop())

  async function open(settings: { baseUrl?: string; rateLimit?: boolean; signUp?: 'open' | 'closed' } = {}) {
    const daymark = openApplication(database, { smtpUrl: smtp.url, settings, clock: () => Date.now() })
    onTestFinished(() => daymark.mailer?.close(0))
    const post = (path: string, body: unknown, from?: string, cookie?: string) =>
      daymark.ask('POST', path, { body, from, cookie })
    const verify = (token: string) => daymark.ask('GET', `${verifyEmail}?token=${encodeURIComponent(token)}`)
    const signIn = (email: string, password: string) => post('/api/auth/sign-in/email', { email, password })
    /** Somebody with a name that no other test uses, whose account predates mail, so that its address is unconfirmed. */
    const signUp = async () => {
      const person = await daymark.signUp(newName())
      await post(requestCheck, { email: person.email })
      return { ...person, check: tokenOf(await smtp.mailTo(person.email), '/verify-email') }
    }
    const forget = async (email: string) => {
      expect((await post(requestReset, { email })).status).toBe(200)
      return tokenOf(await smtp.mailTo(email), '/reset-password')
    }
    return { daymark, post, verify, signIn, signUp, forget }
  }

  it('someone who forgot the password chooses a new one by a link that works once, and every browser is signed out', async () => {
    const { daymark, post, signIn, signUp, forget } = await open()
    const ada = await signUp()
    const second = cookieOf(await signIn(ada.email, password))
    const token = await forget(ada.email)
    expect((await signIn(ada.email, password)).status).toBe(200)

    const response = await post(resetPassword, { token, newPassword: 'a new password' })
    expect(response).toMatchObject({ status: 200, body: { status: true } })
    for (const cookie of [ada.cookie, second]) {
      expect((await daymark.ask('GET', '/api/todos', { cookie })).status).toBe(401)
    }
    expect((await signIn(ada.email, password)).status).toBe(401)
    expect((await signIn(ada.email, 'a new password')).status).toBe(200)

    expect(await post(resetPassword, { token, newPassword: 'another password' })).toMatchObject(badToken)
    expect((await signIn(ada.email, 'a new password')).status).toBe(200)
  })

  it('of two uses of one link at the same time, one succeeds', async () => {
    const { post, signUp, forget } = await open()
    const token = await forget((await signUp()).email)
    const both = ['a new password', 'another password'].map((newPassword) =>
      post(resetPassword, { token, newPassword }),
    )
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it("a new password invalidates the person's older mails, and nobody else's", async () => {
    const { post, signUp, forget } = await open()
    const [ada, eve] = [await signUp(), await signUp()]
    const [first, ofEve, second] = [await forget(ada.email), await forget(eve.email), await forget(ada.email)]
    expect((await post(resetPassword, { token: second, newPassword: 'a new password' })).status).toBe(200)
    expect(await post(resetPassword, { token: first, newPassword: 'another one' })).toMatchObject(badToken)
    expect((await post(resetPassword, { token: ofEve, newPassword: 'another one' })).status).toBe(200)
  })

  it('a password that breaks the sign-up rules is refused with their messages, and the link still works', async () => {
    const { post, signUp, forget } = await open()
    const token = await forget((await signUp()).email)
    for (const [newPassword, message] of [
      ['1234567', 'Password must be at least 8 characters long'],
      ['x'.repeat(129), 'Password must not exceed 128 characters'],
      ['a nul \0 inside', "Password contains characters that can't be stored"],
    ] as const) {
      expect(await post(resetPassword, { token, newPassword })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { newPassword: message } },
      })
    }
    expect((await post(resetPassword, { token, newPassword: 'a new password' })).status).toBe(200)
  })

  it('a password reset link works for an hour and no longer', async () => {
    const { post, signUp, forget, signIn } = await open()
    const ada = await signUp()
    const [early, late] = [await forget(ada.email), await forget(ada.email)]
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59 * minute })
    onTestFinished(() => void vi.useRealTimers())
    expect((await post(resetPassword, { token: early, newPassword: 'a new password' })).status).toBe(200)
    const third = await forget(ada.email)
    vi.setSystemTime(Date.now() + 61 * minute)
    for (const token of [late, third]) {
      expect(await post(resetPassword, { token, newPassword: 'another password' })).toMatchObject(badToken)
    }
    expect((await signIn(ada.email, 'a new password')).status).toBe(200)
  })

  it('text that was never sent as a token is refused like an expired one', async () => {
    const { daymark, post, verify, signUp, forget } = await open()
    const ada = await signUp()
    const reset = await forget(ada.email)
    const before = await dump(database, ada.id)
    const header = Buffer.from('{"alg":"none"}').toString('base64url')
    const unsigned = `${header}.${Buffer.from(JSON.stringify({ email: ada.email })).toString('base64url')}.`
    const bent = `${ada.check.slice(0, -6)}AAAAAA`
    for (const token of ['', 'x', '\0', `${reset}x`, reset.toUpperCase(), ada.check, ada.id, "' or 1=1--"]) {
      expect(await post(resetPassword, { token, newPassword: 'a new password' })).toMatchObject(badToken)
    }
    for (const token of ['', 'x', '\0', bent, unsigned, reset, ada.check.slice(0, -1)]) {
      expect(await verify(token)).toMatchObject(badToken)
    }
    expect(await dump(database, ada.id)).toEqual(before)
    expect((await daymark.ask('GET', '/api/todos', { cookie: ada.cookie })).status).toBe(200)
  })

  it('the database stores no usable token', async () => {
    const { signUp, forget } = await open()
    const token = await forget((await signUp()).email)
    expect(JSON.stringify(await dump(database))).not.toContain(token)
  })

  it('an address from before mail was set up is confirmed by a link, and signing in works without it', async () => {
    const { daymark, signIn, verify, signUp } = await open()
    const ada = await signUp()
    const confirmed = async () =>
      (await daymark.ask('GET', '/api/auth/get-session', { cookie: ada.cookie })).body.user.emailVerified
    expect((await signIn(ada.email, password)).status).toBe(200)
    expect(await confirmed()).toBe(false)
    expect(await verify(ada.check)).toMatchObject({ status: 200, body: { status: true } })
    expect(await confirmed()).toBe(true)
    // Following the link does not sign in.
    expect((await verify(ada.check)).headers.getSetCookie()).toEqual([])
  })

  it('a confirmation link that is followed again says that the address is confirmed', async () => {
    const { verify, signUp } = await open()
    const { check } = await signUp()
    await verify(check)
    expect(await verify(check)).toMatchObject({
      status: 400,
      body: { code: 'EMAIL_ALREADY_VERIFIED', message: 'This email address is already confirmed.' },
    })
  })

  it('the confirmation mail can be sent again, and its link works for a day', async () => {
    const { post, verify, signUp } = await open()
    const ada = await signUp()
    expect((await post(requestCheck, { email: ada.email })).status).toBe(200)
    const again = tokenOf(await smtp.mailTo(ada.email), '/verify-email')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * minute })
    onTestFinished(() => void vi.useRealTimers())
    expect(await verify(again)).toMatchObject(badToken)
    vi.setSystemTime(Date.now() - 2 * 60 * minute)
    expect((await verify(again)).status).toBe(200)
  })

  it('whoever requests a mail gets the same response for an account, for none, and for a confirmed one', async () => {
    const { daymark, post, verify, signUp } = await open()
    const [ada, bea] = [await signUp(), await signUp()]
    await verify(bea.check)
    const before = smtp.mails.length
    for (const path of [requestReset, requestCheck]) {
      const responses = []
      for (const email of [ada.email, bea.email, 'nobody@example.org']) {
        const { status, body, headers } = await post(path, { email })
        responses.push({ status, body, headers: [...headers.keys()] })
      }
      expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
      expect(responses[0]).toMatchObject({ status: 200, body: { status: true } })
    }
    await smtp.mailTo(ada.email)
    await smtp.mailTo(ada.email)
    await smtp.mailTo(bea.email)
    await daymark.mailer?.close(5_000)
    expect(smtp.mails.length - before).toBe(3)
    expect(JSON.stringify(await dump(database))).not.toContain('nobody@')
  })

  it('the response comes before any lookup, so that it takes no longer for an account', async () => {
    const { daymark, post, signUp } = await open()
    const ada = await signUp()
    const { internalAdapter } = await daymark.auth.$context
    const lookUp = vi.spyOn(internalAdapter, 'findUserByEmail')
    onTestFinished(() => lookUp.mockRestore())
    await post(requestReset, { email: ada.email })
    await post(requestCheck, { email: ada.email })
    expect(lookUp).not.toHaveBeenCalled()
    await smtp.mailTo(ada.email)
    await smtp.mailTo(ada.email)
    expect(lookUp).toHaveBeenCalledTimes(2)
  })

  it.each([requestReset, requestCheck])(
    '%s: an invalid address is refused with the messages of the form',
    async (path) => {
      const { post } = await open()
      for (const email of [
        undefined,
        'ada',
        'ada@example.org\r\nBcc: eve@example.org',
        'a@example.org,e@example.org',
      ]) {
        expect(await post(path, { email })).toMatchObject({
          status: 400,
          body: { fields: { email: 'Please enter a valid email address' } },
        })
      }
    },
  )

  it('one address can request five mails in five minutes, and follow ten links in one', async () => {
    const { post, daymark } = await open({ rateLimit: true })
    const here = '192.0.2.1'
    const body = { email: 'nobody@example.org' }
    for (let count = 1; count <= 5; count++) {
      expect((await post(count % 2 ? requestReset : requestCheck, body, here)).status).toBe(200)
    }
    for (const path of [requestReset, requestCheck]) expect((await post(path, body, here)).status).toBe(429)
    expect((await post(requestReset, body, '192.0.2.2')).status).toBe(200)
    for (let count = 1; count <= 10; count++) {
      const asked =
        count % 2
          ? post(resetPassword, { token: 'x', newPassword: 'a new password' }, here)
          : daymark.ask('GET', `${verifyEmail}?token=x`, { from: here })
      expect((await asked).status).toBe(400)
    }
    expect((await post(resetPassword, {}, here)).status).toBe(429)
    expect((await daymark.ask('GET', `${verifyEmail}?token=x`, { from: here })).status).toBe(429)
  })

  describe('signing up', () => {
    const newPerson = (name = newName()) => ({ name, email: `${name.toLowerCase()}@example.org`, password })
    const isIn = async (daymark: Application, cookie: string) =>
      (await daymark.ask('GET', '/api/auth/get-session', { cookie })).body !== null
    /** Signs up and opens the mail; `browser` is the cookie that the response sets. */
    async function begin({ post }: Awaited<ReturnType<typeof open>>, person = newPerson(), from?: string) {
      const asked = await post(signUpPath, person, from)
      expect(asked).toMatchObject({
        status: 200,
        body: {
          status: true,
          message: `We sent an email to ${person.email}. Follow the link in it to finish.`,
        },
      })
      const token = tokenOf(await smtp.mailTo(person.email), '/finish-sign-up')
      return { ...person, token, browser: cookiesOf(asked).join('; ') }
    }

    it('creates no account until the link in the mail is followed, which signs in and confirms the address', async () => {
      const opened = await open()
      const { daymark, post, signIn } = opened
      const before = await dump(database)
      const ada = await begin(opened)
      const { user, account, session } = await dump(database)
      expect({ user, account, session }).toEqual({
        user: before.user,
        account: before.account,
        session: before.session,
      })
      expect((await signIn(ada.email, password)).status).toBe(401)

      const finished = await post(finishPath, { token: ada.token }, undefined, ada.browser)
      expect(finished).toMatchObject({ status: 200, body: { user: { name: ada.name, email: ada.email } } })
      const { body } = await daymark.ask('GET', '/api/auth/get-session', { cookie: cookieOf(finished) })
      expect(body.user).toMatchObject({ email: ada.email, emailVerified: true, image: null })
      expect((await signIn(ada.email, password)).status).toBe(200)
      expect((await dump(database)).sign_ups).toEqual([])
    })

    it('with an address that has an account gets the same response, and only the owner is told', async () => {
      const { daymark, post, signIn, signUp } = await open()
      const ada = await signUp()
      const fresh = newPerson()
      const taken = { name: 'Mallory', email: ada.email.toUpperCase(), password: 'another password' }
      const responses = []
      for (const person of [fresh, taken]) {
        const { status, body, headers } = await post(signUpPath, person)
        const cookies = headers.getSetCookie().map((cookie) => cookie.replace(/=[\w-]{22};/, '=(id);'))
        responses.push({
          status,
          body: JSON.stringify(body).replace(person.email, '(email)'),
          headers: [...headers.keys()],
          cookies,
        })
      }
      expect(responses[1]).toEqual(responses[0])
      const mail = await smtp.mailTo(ada.email)
      expect(mail.links).toEqual([`${mailedPages}/sign-in`, `${mailedPages}/forgot-password`])
      expect(mail.headers.get('subject')).toBe('You already have a Daymark account')
      expect(mail.text).not.toContain('Mallory')
      await smtp.mailTo(fresh.email)
      await daymark.mailer?.close(5_000)
      expect(JSON.stringify((await dump(database)).sign_ups)).not.toContain(ada.email)
      expect((await signIn(ada.email, 'another password')).status).toBe(401)
      expect((await signIn(ada.email, password)).status).toBe(200)
    })

    it('is answered before any lookup, so that it takes no longer for an account', async () => {
      const { daymark, post, signUp } = await open()
      const ada = await signUp()
      const { internalAdapter } = await daymark.auth.$context
      const lookUp = vi.spyOn(internalAdapter, 'findUserByEmail')
      onTestFinished(() => lookUp.mockRestore())
      await post(signUpPath, { name: 'Ada', email: ada.email, password })
      expect(lookUp).not.toHaveBeenCalled()
      await smtp.mailTo(ada.email)
      expect(lookUp).toHaveBeenCalled()
    })

    it('in another browser needs a password chosen there, and creates nothing without one', async () => {
      const opened = await open()
      const { daymark, post, signIn } = opened
      const ada = await begin(opened)
      const elsewhere = await begin(opened)
      const finish = (newPassword?: string) =>
        post(finishPath, { token: ada.token, newPassword }, undefined, elsewhere.browser)
      const before = await dump(database)
      const asked = await finish()
      expect(asked).toMatchObject({ status: 200, body: { status: false, email: ada.email } })
      expect(asked.headers.getSetCookie()).toEqual([])
      for (const refused of ['short', 'password1', ada.email]) {
        const asked = await finish(refused)
        expect(asked).toMatchObject({ status: 400, body: { fields: { newPassword: expect.any(String) } } })
      }
      expect(await dump(database)).toEqual(before)

      const finished = await finish('chosen on the phone')
      expect(finished).toMatchObject({ status: 200, body: { status: true, user: { email: ada.email } } })
      expect(await isIn(daymark, cookieOf(finished))).toBe(true)
      expect((await signIn(ada.email, password)).status).toBe(401)
      expect((await signIn(ada.email, 'chosen on the phone')).status).toBe(200)
    })

    it("a stranger who uses up an address's sign-up mails leaves the owner their password mails", async () => {
      const opened = await open({ rateLimit: true })
      const { daymark, post, signIn } = opened
      const ada = newPerson()
      const mallory = { ...ada, name: 'Mallory', password: 'of the stranger' }
      const mails = []
      for (let count = 1; count <= 3; count += 1) {
        mails.push(await begin(opened, mallory, `198.51.100.${count}`))
      }
      const owner = '203.0.113.44'
      // Hers is no longer sent.
      const browser = cookiesOf(await post(signUpPath, ada, owner)).join('; ')
      await daymark.mailer?.close(5_000)
      for (const { token } of mails) {
        const asked = await post(finishPath, { token }, owner, browser)
        expect(asked.body).toEqual({ status: false, email: ada.email })
      }
      expect((await signIn(ada.email, 'of the stranger')).status).toBe(401)
      const body = { token: mails[0]?.token, newPassword: 'chosen by the owner' }
      expect((await post(finishPath, body, owner, browser)).body.user).toMatchObject({ email: ada.email })
      expect((await signIn(ada.email, 'of the stranger')).status).toBe(401)
      expect((await signIn(ada.email, 'chosen by the owner')).status).toBe(200)
      const { token } = mails[1] ?? {}
      expect(await post(finishPath, { token, newPassword: 'of the stranger' }, owner)).toMatchObject(badToken)
    })

    it('of two links for one address that are pressed at once, one creates the account', async () => {
      const opened = await open()
      for (let count = 1; count <= 3; count += 1) {
        const person = newPerson()
        const both = [await begin(opened, person), await begin(opened, person)]
        const pressed = await Promise.all(
          both.map(({ token, browser }) => opened.post(finishPath, { token }, undefined, browser)),
        )
        expect(pressed.map(({ status }) => status).sort()).toEqual([200, 400])
      }
    })

    it("by a stranger with somebody else's address creates no account that both can enter", async () => {
      const opened = await open()
      const { post, signIn } = opened
      const ada = newPerson()
      const stranger = await begin(opened, { ...ada, password: 'of the stranger' })
      const owner = await begin(opened, ada)
      const finished = await post(finishPath, { token: owner.token }, undefined, owner.browser)
      expect(finished.body.user).toMatchObject({ email: ada.email })
      expect((await signIn(ada.email, 'of the stranger')).status).toBe(401)
      expect(JSON.stringify((await dump(database)).sign_ups)).not.toContain(ada.email)
      // What the stranger requested is void, whoever follows it.
      expect(await post(finishPath, { token: stranger.token }, undefined, owner.browser)).toMatchObject(
        badToken,
      )
      expect((await signIn(ada.email, 'of the stranger')).status).toBe(401)
    })

    it('a link works for a day and only once, even if it is pressed twice at once', async () => {
      const opened = await open()
      const { post } = opened
      const ada = await begin(opened)
      const press = () => post(finishPath, { token: ada.token }, undefined, ada.browser)
      expect((await Promise.all([press(), press()])).map(({ status }) => status).sort()).toEqual([200, 400])
      expect(await press()).toMatchObject(badToken)
      const late = await begin(opened)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * minute })
      onTestFinished(() => void vi.useRealTimers())
      expect(await post(finishPath, { token: late.token })).toMatchObject(badToken)
    })

    it('text that was never sent as a token creates nothing, and sign-ups that nobody finishes are cleaned up', async () => {
      const opened = await open()
      const { daymark, post } = opened
      const ada = await begin(opened)
      const before = await dump(database)
      expect(JSON.stringify(before)).not.toContain(ada.token)
      const kept: string[] = before.sign_ups ?? []
      for (const token of [
        '',
        'x',
        '\0',
        `${ada.token}x`,
        ada.token.toLowerCase(),
        "' or 1=1--",
        ada.browser,
      ]) {
        expect(await post(finishPath, { token })).toMatchObject(badToken)
      }
      for (const hash of JSON.stringify(kept).match(/[\w-]{43}/g) ?? []) {
        expect(await post(finishPath, { token: hash })).toMatchObject(badToken)
      }
      expect(await dump(database)).toEqual(before)
      await tidy(database, daymark.auth, Date.now())
      expect((await dump(database)).sign_ups).toHaveLength(kept.length)
      await tidy(database, daymark.auth, Date.now() + 24 * 60 * minute + 1)
      expect((await dump(database)).sign_ups).toEqual([])
    })

    it('can be neither started nor finished while sign-up is closed', async () => {
      const opened = await open()
      const ada = await begin(opened)
      const closed = await open({ signUp: 'closed' })
      for (const [path, body] of [
        [signUpPath, newPerson()],
        [finishPath, { token: ada.token }],
      ] as const) {
        expect(await closed.post(path, body)).toMatchObject({ status: 403, body: { code: 'SIGN_UP_CLOSED' } })
      }
    })

    it('a guessable password is refused at once, for an address with an account as for any other', async () => {
      const { daymark, post, signUp } = await open()
      const ada = await signUp()
      const before = smtp.begun()
      for (const { name, email } of [newPerson(), { name: 'Ada', email: ada.email }]) {
        expect(await post(signUpPath, { name, email, password: 'password1' })).toMatchObject({
          status: 400,
          body: { fields: { password: expect.stringContaining('too common') } },
        })
      }
      await daymark.mailer?.close(5_000)
      expect(smtp.begun()).toBe(before)
    })

    it('finishing it in a browser with a sign-in session ends that session', async () => {
      const opened = await open()
      const ada = await opened.signUp()
      const bea = await begin(opened)
      const cookie = `${bea.browser}; ${ada.cookie}`
      const finished = await opened.post(finishPath, { token: bea.token }, undefined, cookie)
      expect(await isIn(opened.daymark, cookieOf(finished))).toBe(true)
      expect(await isIn(opened.daymark, ada.cookie)).toBe(false)
    })
  })

  describe('one mailbox', () => {
    const everyKind = (name: string, email: string) =>
      [
        [requestReset, { email }],
        [requestCheck, { email }],
        [signUpPath, { name, email, password: 'another password' }],
      ] as const

    it('gets at most three mails of a kind an hour, whoever requests them, and each request gets the same response', async () => {
      const { daymark, post } = await open({ rateLimit: true })
      const name = newName()
      const { email } = await openApplication(database).signUp(name)
      let askers = 0
      const askFiveTimes = async () => {
        for (const [path, body] of everyKind(name, email)) {
          const responses = new Set<string>()
          for (let count = 1; count <= 5; count += 1) {
            askers += 1
            const asked = await post(path, body, `198.51.100.${askers}`)
            responses.add(JSON.stringify([asked.status, asked.body, [...asked.headers.keys()]]))
          }
          expect([...responses]).toEqual([expect.stringMatching(/^\[200,/)])
        }
      }
      const sent = () => smtp.mails.filter(({ recipients }) => recipients.includes(email)).length
      await askFiveTimes()
      await daymark.mailer?.close(10_000)
      expect(sent()).toBe(9)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * minute })
      onTestFinished(() => void vi.useRealTimers())
      const later = await open({ rateLimit: true })
      await later.post(requestReset, { email }, '203.0.113.1')
      await later.daymark.mailer?.close(10_000)
      expect(sent()).toBe(10)
      expect(JSON.stringify((await dump(database)).rateLimit)).not.toContain(email)
    })
  })

  it("an owner whom other people's guesses lock out gets in with a new password by mail", async () => {
    const { daymark, post } = await open({ rateLimit: true })
    const { email } = await openApplication(database).signUp(newName())
    const signInFrom = (from: string, secret: string, cookie?: string) =>
      post('/api/auth/sign-in/email', { email, password: secret }, from, cookie)
    for (let count = 1; count <= 5; count += 1) {
      expect((await signInFrom(`198.51.100.${count}`, 'not the password')).status).toBe(401)
    }
    expect((await signInFrom('203.0.113.1', password)).status).toBe(429)
    await post(requestReset, { email }, '203.0.113.1')
    const token = tokenOf(await smtp.mailTo(email), '/reset-password')
    const asked = await daymark.ask('POST', resetPassword, { body: { token, newPassword: 'a new password' } })
    expect(asked.status).toBe(200)
    expect((await signInFrom('203.0.113.2', 'a new password')).status).toBe(429)
    expect((await signInFrom('203.0.113.3', 'a new password', cookiesOf(asked).join('; '))).status).toBe(200)
  })

  it('a link does not accept a guessable password, and still works afterwards', async () => {
    const { post, signUp, forget } = await open()
    const ada = await signUp()
    const token = await forget(ada.email)
    for (const newPassword of ['Password1', ada.email, `${ada.email.split('@')[0]}99`]) {
      expect(await post(resetPassword, { token, newPassword })).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_INPUT',
          fields: { newPassword: expect.stringContaining('Choose a different one.') },
        },
      })
    }
    expect((await post(resetPassword, { token, newPassword: 'a new password' })).status).toBe(200)
  })

  it("a mail has two parts and contains only the person's name; its link leads to BASE_URL, whatever the request claims", async () => {
    const { daymark } = await open({ baseUrl: 'https://daymark.example' })
    const name = newName()
    const { email } = await daymark.signUp(name)
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    await daymark.ask('POST', requestReset, { body: { email, redirectTo: 'https://evil.example' }, headers })
    const mail = await smtp.mailTo(email)
    expect(mail.recipients).toEqual([email])
    expect(mail.link).toMatch(/^https:\/\/daymark\.example\/reset-password\?token=[\w-]+$/)
    expect(mail.text).toContain(`Hello ${name},`)
    expect(mail.html).toContain(`Hello ${name},`)
    expect(mail.html).toContain(`href="${mail.link}"`)
    expect(mail.text + mail.html).not.toContain('evil')
    expect(Object.fromEntries(mail.headers)).toMatchObject({
      from: 'Daymark <mail@daymark.example>',
      to: email,
      subject: 'Choose a new Daymark password',
      'auto-submitted': 'auto-generated',
    })
  })

  it('no log contains a token or an address', async () => {
    const { daymark, post, verify, signUp, forget } = await open()
    smtp.refuse(550)
    const lost = await daymark.signUp(newName())
    await post(requestCheck, { email: lost.email })
    await waitUntil(() => daymark.lines.join().includes('A mail could not be sent'))
    const ada = await signUp()
    const token = await forget(ada.email)
    await verify(ada.check)
    await post(resetPassword, { token, newPassword: 'a new password' })
    await post(resetPassword, { token, newPassword: 'a new password' })
    const log = daymark.lines.join('\n')
    for (const secret of [token, ada.check, ada.email, lost.email, 'example.org'])
      expect(log).not.toContain(secret)
    expect(log).toContain('"responseCode":550')
    expect(log).toContain('"mail":"address check"')
  })

  it('a mail that the server cannot accept now is tried again; one that it never will is not', async () => {
    const { daymark, post } = await open()
    smtp.refuse(451)
    const { email } = await daymark.signUp(newName())
    await post(requestReset, { email })
    await smtp.mailTo(email)
    expect(daymark.lines.join()).toContain('A mail could not be sent yet; it is tried again')
    const begun = smtp.begun()
    smtp.refuse(554)
    await post(requestReset, { email })
    await waitUntil(() => daymark.lines.join().includes('"A mail could not be sent"'))
    await daymark.mailer?.close(1_000)
    expect(smtp.begun()).toBe(begun + 1)
  })

  it('a slow or unreachable mail server delays no request', async () => {
    const { daymark, post, signIn } = await open()
    const thaw = smtp.freeze()
    onTestFinished(thaw)
    const ada = await daymark.signUp(newName())
    expect((await post(requestReset, { email: ada.email })).status).toBe(200)
    expect((await signIn(ada.email, password)).status).toBe(200)
    thaw()
    await smtp.mailTo(ada.email)

    const gone = openApplication(database, { smtpUrl: 'smtp://127.0.0.1:1' })
    const bea = await gone.signUp(newName())
    expect((await gone.ask('POST', requestReset, { body: { email: bea.email } })).status).toBe(200)
    await waitUntil(() => gone.lines.join().includes('A mail could not be sent yet'))
    await gone.mailer?.close(5_000)
    expect(gone.lines.join()).toContain('"A mail could not be sent"')
  })

  it('on shutdown, waiting mails are tried once more, and hanging ones are given up', async () => {
    const { daymark, post } = await open()
    smtp.refuse(451)
    const ada = await daymark.signUp(newName())
    await post(requestReset, { email: ada.email })
    await waitUntil(() => daymark.lines.join().includes('tried again'))
    await daymark.mailer?.close(5_000)
    await smtp.mailTo(ada.email)

    const { daymark: hanging, post: ask } = await open()
    onTestFinished(smtp.freeze())
    await ask(requestReset, { email: ada.email })
    const start = performance.now()
    await hanging.mailer?.close(200)
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(hanging.lines.join()).toContain('Ended before all mail was sent')
  })

  it('without SMTP_URL there is none of it, and no mail is sent', async () => {
    const daymark = openApplication(database)
    const before = smtp.begun()
    const ada = await daymark.signUp(newName())
    // A new password can still be chosen, by a link that the operator hands over.
    for (const path of [requestReset, requestCheck, verifyEmail]) {
      for (const method of ['GET', 'POST']) {
        const body = method === 'POST' ? { email: ada.email } : undefined
        expect(await daymark.ask(method, path, { body })).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND' },
        })
      }
      const { body } = await daymark.ask('GET', '/api/openapi.json')
      expect(Object.keys(body.paths)).not.toContain(path)
    }
    expect(smtp.begun()).toBe(before)
  })

  it('tells anyone whether mail is sent and whether new accounts can be created', async () => {
    const instance = async (daymark: Application) => (await daymark.ask('GET', '/api/instance')).body
    expect(await instance(openApplication(database))).toEqual({ sign_up: 'open', mail: false })
    const closed = openApplication(database, { smtpUrl: smtp.url, settings: { signUp: 'closed' } })
    expect(await instance(closed)).toEqual({ sign_up: 'closed', mail: true })
  })
})

let people = 0
function newName(): string {
  people += 1
  return `Ada-${process.pid}-${people}`
}

function tokenOf({ link }: { link: string }, page: string): string {
  const { origin, pathname, searchParams } = new URL(link)
  expect({ origin, pathname }).toEqual({ origin: mailedPages, pathname: page })
  return searchParams.get('token') ?? ''
}
