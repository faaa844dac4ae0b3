import { expect, it, vi } from 'vitest'
import { closeAccount, reopenAccount } from '#features/account/ending/server/closed-account-store.ts'
import { confirmedAddress } from '#features/account/mail/server/confirmed-address-store.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { openApplication, type Person, password } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

describeEachEngine('a closed account', (openEmpty) => {
  async function withAda() {
    const database = await openEmpty()
    const daymark = openApplication(database)
    const ada = await daymark.signUp('Ada')
    const signIn = (person: Person, word = password) =>
      daymark.ask('POST', '/api/auth/sign-in/email', { body: { email: person.email, password: word } })
    const close = () => closeAccount(database, ada.id, Date.now())
    return { database, daymark, ada, signIn, close }
  }
  const closed = {
    status: 403,
    body: {
      code: 'ACCOUNT_CLOSED',
      message: 'This account is closed. Contact whoever runs this server.',
    },
  }

  it('is signed out everywhere, and the right password does not work until it is reopened', async () => {
    const { database, daymark, ada, signIn, close } = await withAda()
    await daymark.ask('POST', '/api/todos', { cookie: ada.cookie, body: { id: ada.id, title: 'Mine' } })
    const eve = await daymark.signUp('Eve')
    await close()
    expect((await daymark.ask('GET', '/api/todos', { cookie: ada.cookie })).status).toBe(401)
    const refused = await signIn(ada)
    expect(refused).toMatchObject(closed)
    expect(refused.headers.getSetCookie().join()).not.toContain('session_token=')
    expect((await daymark.ask('GET', '/api/todos', { cookie: eve.cookie })).status).toBe(200)
    expect((await dump(database, ada.id)).session).toEqual([])
    expect((await dump(database, ada.id)).todos).toHaveLength(1)
    await reopenAccount(database, ada.id)
    expect((await signIn(ada)).status).toBe(200)
  })

  it('says that it is closed only to someone who knows the password', async () => {
    const { ada, signIn, close } = await withAda()
    await close()
    expect(await signIn(ada, 'another password')).toMatchObject({
      status: 401,
      body: { code: 'INVALID_EMAIL_OR_PASSWORD' },
    })
  })

  it('stays closed to a sign-in that began before it was closed', async () => {
    const { database, daymark, ada, signIn, close } = await withAda()
    const { adapter } = await daymark.auth.$context
    const create = adapter.create.bind(adapter)
    // Between the check whether it is closed and the creation of the session.
    const spy = vi.spyOn(adapter, 'create').mockImplementation(async (made) => {
      if (made.model === 'session') await close()
      return create(made)
    })
    expect(await signIn(ada)).toMatchObject(closed)
    spy.mockRestore()
    expect((await dump(database, ada.id)).session).toEqual([])
  })

  it('cannot be entered by a password reset link either', async () => {
    const { daymark, ada, signIn, close } = await withAda()
    const { internalAdapter } = await daymark.auth.$context
    const link = {
      value: ada.id,
      identifier: 'reset-password:link',
      expiresAt: new Date(Date.now() + 60_000),
    }
    await internalAdapter.createVerificationValue(link)
    await close()
    const body = { token: 'link', newPassword: 'another long password' }
    expect((await daymark.ask('POST', '/api/auth/reset-password', { body })).status).toBe(200)
    expect(await signIn(ada, 'another long password')).toMatchObject(closed)
  })

  it('is sent no reminder mails', async () => {
    const { database, ada, close } = await withAda()
    const emailVerified = database.engine === 'sqlite' ? 1 : true
    await database.write((tx) =>
      tx.updateTable('user').set({ emailVerified }).where('id', '=', ada.id).execute(),
    )
    expect(await confirmedAddress(database, ada.id)).toEqual({ name: 'Ada', email: ada.email })
    await close()
    expect(await confirmedAddress(database, ada.id)).toBeUndefined()
  })
})
