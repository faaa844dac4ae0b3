import { beforeEach, expect, it } from 'vitest'
import { closeAccount } from '#features/account/ending/server/closed-account-store.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, cookieOf, openApplication, type Person, password } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

describeEachEngine('a browser whose sign-in has ended', (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person
  /** The cookie of another of her browsers. */
  let other: string
  beforeEach(async () => {
    database = await openEmpty()
    daymark = openApplication(database)
    ada = await daymark.signUp('Ada')
    other = await signIn()
  })

  const signIn = async () =>
    cookieOf(await daymark.ask('POST', '/api/auth/sign-in/email', { body: { email: ada.email, password } }))
  const post = (call: string, body: object = {}, cookie = ada.cookie) =>
    daymark.ask('POST', `/api/auth/${call}`, { cookie, body })
  const ask = (cookie?: string) =>
    daymark.ask('GET', '/api/auth/get-session', cookie === undefined ? {} : { cookie })
  const whyOf = async (cookie?: string) => {
    const asked = await ask(cookie)
    expect(asked).toMatchObject({ status: 200, body: null })
    return asked.headers.get('x-daymark-ended')
  }

  const newPassword = 'a better password than before'
  it.each([
    ['signed-out', 'it was signed out from another one', () => post('revoke-other-sessions')],
    [
      'password-changed',
      'the password was changed',
      () => post('change-password', { currentPassword: password, newPassword, revokeOtherSessions: true }),
    ],
    ['account-deleted', 'the account was deleted', () => post('delete-user', { password })],
    ['account-closed', 'the account was closed', () => closeAccount(database, ada.id, Date.now())],
  ])('is told %s if %s', async (why, _when, end) => {
    expect((await ask(other)).body.user.id).toBe(ada.id)
    await end()
    // An earlier request leaves it the cookie by which it is told.
    const refused = await daymark.ask('GET', '/api/todos', { cookie: other })
    expect(refused.status).toBe(401)
    expect(refused.headers.getSetCookie()).toEqual([])
    expect(await whyOf(other)).toBe(why)
    expect((await ask(other)).headers.getSetCookie().join()).toContain('daymark.session_token=; Max-Age=0')
  })

  it('is told if another one signed out only this one', async () => {
    const { body } = await daymark.ask('GET', '/api/auth/list-sessions', { cookie: ada.cookie })
    const token = decodeURIComponent(other.split('=')[1] ?? '').split('.')[0]
    expect(body.map((device: { token: string }) => device.token)).toContain(token)
    await post('revoke-session', { token })
    expect(await whyOf(other)).toBe('signed-out')
  })

  it('is told nothing if it signed out itself, or if nobody knows why the session ended', async () => {
    await post('sign-out', {}, other)
    expect(await whyOf(other)).toBeNull()
    expect(await whyOf()).toBeNull()
  })

  it('is told nothing if we did not sign its cookie, or if the cookie belongs to another session', async () => {
    const token = decodeURIComponent(other.split('=')[1] ?? '').split('.')[0]
    const eve = await daymark.signUp('Eve')
    const hers = decodeURIComponent(eve.cookie.split('=')[1] ?? '').split('.')
    await post('sign-out', {}, eve.cookie)
    await post('delete-user', { password })
    expect(await whyOf(`daymark.session_token=${encodeURIComponent(`${token}.${hers[1]}`)}`)).toBeNull()
    expect(await whyOf(`daymark.session_token=${token}`)).toBeNull()
    expect(await whyOf(eve.cookie)).toBeNull()
    expect(await whyOf(other)).toBe('account-deleted')
  })

  it('the stored reason does not reveal whose session it was, and nobody else can have written it', async () => {
    const eve = await daymark.signUp('Eve')
    const token = decodeURIComponent(other.split('=')[1] ?? '').split('.')[0]
    await post('revoke-session', { token }, eve.cookie)
    await post('delete-user', { password })
    const kept = (await dump(database)).verification?.join('\n') ?? ''
    expect(kept).toContain('account-deleted')
    for (const word of [ada.id, ada.email, token ?? '']) expect(kept).not.toContain(word)
    expect(await whyOf(other)).toBe('account-deleted')
  })
})
