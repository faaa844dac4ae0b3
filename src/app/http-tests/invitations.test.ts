import { expect, it, onTestFinished } from 'vitest'
import { saveInvitation, withdrawInvitation } from '#features/account/invitations/server/invitation-store.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { startMailServer } from '#testing/mail-server.ts'
import { tidy } from '../housekeeping.ts'
import { type Application, cookieOf, openApplication, password } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

const day = 24 * 60 * 60 * 1000
const noon = Date.now()
const token = 'T'.repeat(43)
const dead = {
  status: 400,
  body: {
    code: 'INVALID_TOKEN',
    message: 'This invitation no longer works: it has already been used or has expired.',
  },
}

describeEachEngine('invitations', (openEmpty) => {
  async function closedToStrangers(invitation: { email?: string; name?: string } = {}, smtpUrl?: string) {
    const database = await openEmpty()
    let now = noon
    const daymark = openApplication(database, {
      settings: { signUp: 'closed' },
      clock: () => now,
      ...(smtpUrl !== undefined && { smtpUrl }),
    })
    await saveInvitation(database, token, invitation, { madeAt: noon, expiresAt: noon + 7 * day })
    const pass = (milliseconds: number) => {
      now += milliseconds
    }
    return { database, daymark, pass }
  }

  const join = (daymark: Application, more: object = {}) =>
    daymark.ask('POST', '/api/auth/sign-up/invited', {
      body: { token, name: 'Ada', email: 'ada@example.org', password, ...more },
    })
  const look = (daymark: Application) => daymark.ask('POST', '/api/auth/invitation', { body: { token } })
  const countUsers = async (database: Database) =>
    (await database.read.selectFrom('user').select('id').execute()).length

  it('lets in one person, once, while sign-up is closed', async () => {
    const { daymark, database } = await closedToStrangers()
    expect(await look(daymark)).toMatchObject({ status: 200, body: {} })
    const joined = await join(daymark, { email: 'Ada@Example.org' })
    expect(joined).toMatchObject({ status: 200, body: { user: { email: 'ada@example.org', name: 'Ada' } } })
    expect((await daymark.ask('GET', '/api/todos', { cookie: cookieOf(joined) })).status).toBe(200)
    // With the password from the form, and an unconfirmed address.
    const signedIn = await daymark.ask('POST', '/api/auth/sign-in/email', {
      body: { email: 'ada@example.org', password },
    })
    expect(signedIn).toMatchObject({ status: 200, body: { user: { emailVerified: false } } })
    expect(await join(daymark, { email: 'eve@example.org' })).toMatchObject(dead)
    expect(await look(daymark)).toMatchObject(dead)
    expect(await countUsers(database)).toBe(1)
  })

  it('makes one account if two people follow it at once', async () => {
    const { daymark, database } = await closedToStrangers()
    const both = await Promise.all([
      join(daymark, { email: 'ada@example.org' }),
      join(daymark, { email: 'eve@example.org' }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await countUsers(database)).toBe(1)
  })

  it('lets nobody in after it has expired or was withdrawn, or if it never existed', async () => {
    const { daymark, database, pass } = await closedToStrangers()
    expect(await join(daymark, { token: 'U'.repeat(43) })).toMatchObject(dead)
    expect(await join(daymark, { token: 'guessed' })).toMatchObject(dead)
    pass(7 * day)
    expect(await look(daymark)).toMatchObject(dead)
    expect(await join(daymark)).toMatchObject(dead)
    const second = 'S'.repeat(43)
    await saveInvitation(database, second, {}, { madeAt: noon + 7 * day, expiresAt: noon + 9 * day })
    const { token_hash } = await database.read
      .selectFrom('invitations')
      .select('token_hash')
      .where('made_at', '>', noon)
      .executeTakeFirstOrThrow()
    expect(await withdrawInvitation(database, '%%%%%%%%')).toBe(false)
    expect(await withdrawInvitation(database, token_hash.slice(0, 8))).toBe(true)
    expect(await join(daymark, { token: second })).toMatchObject(dead)
    expect(await countUsers(database)).toBe(0)
    await tidy(database, daymark.auth, noon + 7 * day)
    expect((await dump(database)).invitations).toEqual([])
  })

  it('for one address accepts no other and says so; opening it shows whom it is for', async () => {
    const { daymark, database } = await closedToStrangers({ email: 'Ada@example.org', name: 'Ada' })
    expect((await look(daymark)).body).toEqual({ email: 'ada@example.org', name: 'Ada' })
    expect(await join(daymark, { email: 'eve@example.org' })).toMatchObject({
      status: 400,
      body: { fields: { email: 'This invitation is for another email address.' } },
    })
    expect(await countUsers(database)).toBe(0)
    expect((await join(daymark)).status).toBe(200)
  })

  it('can still be used if the address already has an account, or the password is too easy', async () => {
    const { daymark, database } = await closedToStrangers()
    await openApplication(database).signUp('Ada')
    expect(await join(daymark)).toMatchObject({
      status: 422,
      body: { code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL' },
    })
    const eve = { email: 'eve@example.org', name: 'Eve' }
    expect(await join(daymark, { ...eve, password: 'eve@example.org' })).toMatchObject({
      status: 400,
      body: { fields: { password: expect.stringContaining('too similar') } },
    })
    expect((await join(daymark, eve)).status).toBe(200)
  })

  it("ends the browser's previous sign-in session", async () => {
    const { daymark, database } = await closedToStrangers()
    const { cookie } = await openApplication(database).signUp('Bea')
    const asked = await daymark.ask('POST', '/api/auth/sign-up/invited', {
      cookie,
      body: { token, name: 'Ada', email: 'ada@example.org', password },
    })
    expect(asked.status).toBe(200)
    expect((await daymark.ask('GET', '/api/todos', { cookie })).status).toBe(401)
  })

  it('opens nothing else, even with mail set up, and is in no row and no log line', async () => {
    const smtp = await startMailServer()
    onTestFinished(() => smtp.stop())
    const { daymark, database } = await closedToStrangers({}, smtp.url)
    expect(JSON.stringify(await dump(database))).not.toContain(token)
    const closed = { status: 403, body: { code: 'SIGN_UP_CLOSED' } }
    const stranger = { name: 'Eve', email: 'eve@example.org', password }
    expect(await daymark.ask('POST', '/api/auth/sign-up/email', { body: stranger })).toMatchObject(closed)
    expect(await daymark.ask('POST', '/api/auth/sign-up/finish', { body: { token } })).toMatchObject(closed)
    expect((await join(daymark)).status).toBe(200)
    expect(daymark.lines.join()).not.toContain(token)
    expect(smtp.mails).toEqual([])
  })
})
