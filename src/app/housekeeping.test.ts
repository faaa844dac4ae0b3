import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { tidy } from './housekeeping.ts'
import { openApplication, password } from './testing/application.ts'
import { dump } from './testing/dump.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const day = 24 * 60 * 60 * 1000

describeEachEngine('tidying up', (openEmpty) => {
  it('forgets what was deleted more than 30 days ago, and nothing else', async () => {
    const database = await openEmpty()
    let now = noon
    const daymark = openApplication(database, { clock: () => now })
    const { id, cookie } = await daymark.signUp('Ada')
    const add = async (title: string) =>
      (await daymark.ask('POST', '/api/todos', { cookie, body: { title, completed: 0 } })).body.todo.id
    const [long, just] = [await add('Deleted long ago'), await add('Deleted just now')]
    await add('Kept')
    await daymark.ask('DELETE', `/api/todos/${long}`, { cookie })
    const focus = async (duration: number) =>
      (await daymark.ask('POST', '/api/focus', { cookie, body: { duration } })).body.session.id
    const [longFocus, justFocus] = [await focus(101), await focus(202)]
    await focus(303)
    await daymark.ask('DELETE', `/api/focus/${longFocus}`, { cookie })
    now = noon + day
    await daymark.ask('DELETE', `/api/todos/${just}`, { cookie })
    await daymark.ask('DELETE', `/api/focus/${justFocus}`, { cookie })

    await tidy(database, daymark.auth, noon + 30 * day + 1)

    const { todos, focus_sessions, focus_days } = await dump(database, id)
    expect(todos?.join()).not.toContain('Deleted long ago')
    expect(todos?.join()).toContain('Deleted just now')
    expect(todos?.join()).toContain('Kept')
    const durations = focus_sessions?.map((row) => JSON.parse(row).duration)
    expect(durations?.toSorted()).toEqual([202, 303])
    expect(focus_days?.map((row) => JSON.parse(row).seconds).toSorted()).toEqual([202, 303])
  })

  it('forgets sign-in sessions that ended and calls that were counted, and signs nobody out', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { settings: { rateLimit: true } })
    const { email, cookie } = await daymark.signUp('Ada')
    await daymark.ask('POST', '/api/auth/sign-in/email', { body: { email, password } })
    const { adapter } = await daymark.auth.$context
    const [token = ''] = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')
    await adapter.update({
      model: 'session',
      where: [{ field: 'token', operator: 'ne', value: token }],
      update: { expiresAt: new Date(Date.now() - 1) },
    })
    expect(await dump(database)).toMatchObject({ session: [expect.any(String), expect.any(String)] })

    await tidy(database, daymark.auth, Date.now())

    expect(await dump(database)).toMatchObject({ session: [expect.stringContaining(`"${token}"`)] })
    expect((await dump(database)).rateLimit).toHaveLength(2)
    expect((await daymark.ask('GET', '/api/todos', { cookie })).status).toBe(200)

    await tidy(database, daymark.auth, Date.now() + 2 * 60 * 60 * 1000)
    expect((await dump(database)).rateLimit).toHaveLength(0)
  })

  it('forgets the links for a new password that nobody followed in time', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { smtpUrl: 'smtp://127.0.0.1:1' })
    const { email } = await daymark.signUp('Ada')
    await daymark.ask('POST', '/api/auth/request-password-reset', { body: { email } })
    await daymark.mailer?.close(5_000)

    await tidy(database, daymark.auth, Date.now())
    expect((await dump(database)).verification).toHaveLength(1)
    await tidy(database, daymark.auth, Date.now() + 61 * 60 * 1000)
    expect((await dump(database)).verification).toHaveLength(0)
  })
})
