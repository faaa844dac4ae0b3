import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type MailServer, startMailServer } from '#testing/mail-server.ts'
import { type Application, cookieOf, mailedPages, openApplication, password } from './testing/application.ts'
import { dump } from './testing/dump.ts'

const requestReset = '/api/auth/request-password-reset'
const resetPassword = '/api/auth/reset-password'
const requestCheck = '/api/auth/send-verification-email'
const verifyEmail = '/api/auth/verify-email'
const minute = 60_000
const badToken = {
  status: 400,
  body: {
    code: 'INVALID_TOKEN',
    message: 'This link does not work any more: it was used already, or it is too old. Ask for a new mail.',
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

  async function open(settings: { rateLimit?: boolean } = {}) {
    const daymark = openApplication(database, { smtpUrl: smtp.url, settings })
    onTestFinished(() => daymark.mailer?.close(0))
    const post = (path: string, body: unknown, from?: string) => daymark.ask('POST', path, { body, from })
    const verify = (token: string) => daymark.ask('GET', `${verifyEmail}?token=${encodeURIComponent(token)}`)
    const signIn = (email: string, password: string) => post('/api/auth/sign-in/email', { email, password })
    /** Somebody of a name that no other test has, whose first mail has been read. */
    const signUp = async () => {
      const person = await daymark.signUp(newName())
      return { ...person, check: tokenOf(await smtp.mailTo(person.email), '/verify-email') }
    }
    const forget = async (email: string) => {
      expect((await post(requestReset, { email })).status).toBe(200)
      return tokenOf(await smtp.mailTo(email), '/reset-password')
    }
    return { daymark, post, verify, signIn, signUp, forget }
  }

  it('someone who forgot the password chooses a new one by a link that works once, and every browser is out', async () => {
    const { daymark, post, signIn, signUp, forget } = await open()
    const ada = await signUp()
    const second = cookieOf(await signIn(ada.email, password))
    const token = await forget(ada.email)
    expect((await signIn(ada.email, password)).status).toBe(200)

    const answer = await post(resetPassword, { token, newPassword: 'a new password' })
    expect(answer).toMatchObject({ status: 200, body: { status: true } })
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

  it('a new password makes the older mails of the same person void, and nobody else their own', async () => {
    const { post, signUp, forget } = await open()
    const [ada, eve] = [await signUp(), await signUp()]
    const [first, ofEve, second] = [await forget(ada.email), await forget(eve.email), await forget(ada.email)]
    expect((await post(resetPassword, { token: second, newPassword: 'a new password' })).status).toBe(200)
    expect(await post(resetPassword, { token: first, newPassword: 'another one' })).toMatchObject(badToken)
    expect((await post(resetPassword, { token: ofEve, newPassword: 'another one' })).status).toBe(200)
  })

  it('a password that breaks the rules of sign-up is refused with their words, and the link still works', async () => {
    const { post, signUp, forget } = await open()
    const token = await forget((await signUp()).email)
    for (const [newPassword, message] of [
      ['1234567', 'Password must be at least 8 characters long'],
      ['x'.repeat(129), 'Password must not exceed 128 characters'],
      ['a nul \0 inside', 'Password contains characters that cannot be stored'],
    ] as const) {
      expect(await post(resetPassword, { token, newPassword })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { newPassword: message } },
      })
    }
    expect((await post(resetPassword, { token, newPassword: 'a new password' })).status).toBe(200)
  })

  it('a link for a new password works for an hour and not longer', async () => {
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

  it('what was never sent as a token is refused as an old one is', async () => {
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

  it('the database keeps no token that could be used', async () => {
    const { signUp, forget } = await open()
    const token = await forget((await signUp()).email)
    expect(JSON.stringify(await dump(database))).not.toContain(token)
  })

  it('an address is confirmed by the link of the first mail, without which one signs in as well', async () => {
    const { daymark, signIn, verify, signUp } = await open()
    const ada = await signUp()
    const confirmed = async () =>
      (await daymark.ask('GET', '/api/auth/get-session', { cookie: ada.cookie })).body.user.emailVerified
    expect((await signIn(ada.email, password)).status).toBe(200)
    expect(await confirmed()).toBe(false)
    expect(await verify(ada.check)).toMatchObject({ status: 200, body: { status: true } })
    expect(await confirmed()).toBe(true)
    // Whoever follows the link is not signed in by it.
    expect((await verify(ada.check)).headers.getSetCookie()).toEqual([])
  })

  it('a link that has confirmed an address says so when it is used again', async () => {
    const { verify, signUp } = await open()
    const { check } = await signUp()
    await verify(check)
    expect(await verify(check)).toMatchObject({
      status: 400,
      body: { code: 'EMAIL_ALREADY_VERIFIED', message: 'This address is confirmed already.' },
    })
  })

  it('the mail to confirm an address can be sent again, and its link works for a day', async () => {
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

  it('who asks for a mail hears the same for an account, for none, and for one that is confirmed', async () => {
    const { daymark, post, verify, signUp } = await open()
    const [ada, bea] = [await signUp(), await signUp()]
    await verify(bea.check)
    const before = smtp.mails.length
    for (const path of [requestReset, requestCheck]) {
      const answers = []
      for (const email of [ada.email, bea.email, 'nobody@example.org']) {
        const { status, body, headers } = await post(path, { email })
        answers.push({ status, body, headers: [...headers.keys()] })
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(answers[0]).toMatchObject({ status: 200, body: { status: true } })
    }
    await smtp.mailTo(ada.email)
    await smtp.mailTo(ada.email)
    await smtp.mailTo(bea.email)
    await daymark.mailer?.close(5_000)
    expect(smtp.mails.length - before).toBe(3)
    expect(JSON.stringify(await dump(database))).not.toContain('nobody@')
  })

  it('the answer comes before anything is looked up, so that it takes no longer for an account', async () => {
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
    '%s: a bad address is refused with the words of the form',
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

  it('one address asks for five mails in five minutes, and follows ten links in one', async () => {
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

  it('a mail has two parts and no word of a person but the name; its link leads to BASE_URL, whatever the request says', async () => {
    const { daymark } = await open()
    const name = newName()
    const email = `${name.toLowerCase()}@example.org`
    await daymark.signUp(name)
    await smtp.mailTo(email)
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
      subject: 'Choose a new password for Daymark',
      'auto-submitted': 'auto-generated',
    })
  })

  it('no log has a token or an address in it', async () => {
    const { daymark, post, verify, signUp, forget } = await open()
    smtp.refuse(550)
    const lost = await daymark.signUp(newName())
    await vi.waitUntil(() => daymark.lines.join().includes('A mail could not be sent'))
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

  it('a mail that the server cannot take at the moment is tried again; one that it never will is not', async () => {
    const { daymark } = await open()
    smtp.refuse(451)
    const ada = await daymark.signUp(newName())
    await smtp.mailTo(ada.email)
    expect(daymark.lines.join()).toContain('A mail could not be sent yet; it is tried again')
    const begun = smtp.begun()
    smtp.refuse(554)
    await daymark.signUp(newName())
    await vi.waitUntil(() => daymark.lines.join().includes('"A mail could not be sent"'))
    await daymark.mailer?.close(1_000)
    expect(smtp.begun()).toBe(begun + 1)
  })

  it('a mail server that is slow or gone holds no request up', async () => {
    const { daymark, post, signIn } = await open()
    const thaw = smtp.freeze()
    onTestFinished(thaw)
    const ada = await daymark.signUp(newName())
    expect((await post(requestReset, { email: ada.email })).status).toBe(200)
    expect((await signIn(ada.email, password)).status).toBe(200)
    thaw()
    await smtp.mailTo(ada.email)
    await smtp.mailTo(ada.email)

    const gone = openApplication(database, { smtpUrl: 'smtp://127.0.0.1:1' })
    const bea = await gone.signUp(newName())
    expect((await gone.ask('POST', requestReset, { body: { email: bea.email } })).status).toBe(200)
    await vi.waitUntil(() => gone.lines.join().includes('A mail could not be sent yet'))
    await gone.mailer?.close(5_000)
    expect(gone.lines.join()).toContain('"A mail could not be sent"')
  })

  it('at the end what waits is tried once more, and what hangs is given up', async () => {
    const { daymark } = await open()
    smtp.refuse(451)
    const ada = await daymark.signUp(newName())
    await vi.waitUntil(() => daymark.lines.join().includes('tried again'))
    await daymark.mailer?.close(5_000)
    await smtp.mailTo(ada.email)

    const { daymark: hanging } = await open()
    onTestFinished(smtp.freeze())
    await hanging.signUp(newName())
    const start = performance.now()
    await hanging.mailer?.close(200)
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(hanging.lines.join()).toContain('Ended before all mail was sent')
  })

  it('without SMTP_URL nothing of it is there, and no mail is sent', async () => {
    const daymark = openApplication(database)
    const before = smtp.begun()
    const ada = await daymark.signUp(newName())
    for (const path of [requestReset, resetPassword, requestCheck, verifyEmail]) {
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

  it('tells anyone whether mail is sent and whether new accounts can be made', async () => {
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
