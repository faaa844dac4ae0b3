import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, cookieOf, openApplication, type Person, password } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const run = '01900000-0000-7000-8000-00000000000a'
const running = { status: 'running', run: { id: run, stretches: [] }, since: '2026-11-20T11:50:00.000Z' }
const paused = {
  status: 'paused',
  run: { id: run, stretches: [{ from: '2026-11-20T11:40:00.000Z', to: '2026-11-20T11:45:00.000Z' }] },
}

describeEachEngine('the focus timer of somebody who signs out', (openEmpty) => {
  let daymark: Application
  let ada: Person
  beforeEach(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => noon })
    ada = await daymark.signUp('Ada')
  })

  const start = (timer: object = running) =>
    daymark.ask('PUT', '/api/focus/timer', {
      cookie: ada.cookie,
      body: { timer, at: '2026-11-20T11:50:00.000Z' },
    })
  const signIn = async () =>
    cookieOf(await daymark.ask('POST', '/api/auth/sign-in/email', { body: { email: ada.email, password } }))
  const post = (call: string, cookie: string, body: object = {}) =>
    daymark.ask('POST', `/api/auth/${call}`, { cookie, body })
  const timerOf = async (cookie: string) =>
    (await daymark.ask('GET', '/api/focus/timer', { cookie })).body.timer
  const sessionsOf = async (cookie: string) =>
    (await daymark.ask('GET', '/api/focus', { cookie })).body.sessions

  it('goes on if they are still signed in elsewhere', async () => {
    await start()
    const other = await signIn()
    expect((await post('sign-out', ada.cookie)).status).toBe(200)
    expect(await timerOf(other)).toMatchObject({ status: 'running', since: running.since })
    expect(await sessionsOf(other)).toEqual([])
  })

  it.each([
    ['running', running, 600, '2026-11-20T12:00:00.000Z'],
    ['paused', paused, 300, '2026-11-20T11:45:00.000Z'],
  ])('that was %s ends with their last sign-in session, and is recorded', async (_, timer, duration, end) => {
    await start(timer)
    const other = await signIn()
    await post('sign-out', ada.cookie)
    await post('sign-out', other)
    const back = await signIn()
    const from = timer.run.stretches[0]?.from ?? running.since
    expect(await timerOf(back)).toEqual({ status: 'idle', follows: run, recorded: [{ from, to: end }] })
    expect(await sessionsOf(back)).toEqual([
      {
        id: run,
        kind: 'countdown',
        todo_id: null,
        habit_id: null,
        duration,
        started_at: from,
        ended_at: end,
        days: [{ day: '2026-11-20', seconds: duration }],
      },
    ])
  })

  it('is recorded once if all devices sign out at once', async () => {
    await start()
    const cookies = [ada.cookie, await signIn(), await signIn(), await signIn()]
    await Promise.all(cookies.map((cookie) => post('sign-out', cookie)))
    const back = await signIn()
    expect(await sessionsOf(back)).toMatchObject([{ id: run, duration: 600 }])
    expect(await timerOf(back)).toMatchObject({ status: 'idle' })
  })

  it('also ends if all sessions are ended at once, and goes on if one is left', async () => {
    await start()
    const other = await signIn()
    await post('revoke-other-sessions', ada.cookie)
    expect((await daymark.ask('GET', '/api/focus', { cookie: other })).status).toBe(401)
    expect(await timerOf(ada.cookie)).toMatchObject({ status: 'running' })
    await post('revoke-sessions', ada.cookie)
    expect(await sessionsOf(await signIn())).toMatchObject([{ duration: 600 }])
  })

  it('goes on after a new password: whoever chose it is signed in, or about to be', async () => {
    await start()
    const newPassword = 'a better password than before'
    const body = { currentPassword: password, newPassword, revokeOtherSessions: true }
    const renewed = cookieOf(await post('change-password', ada.cookie, body))
    expect(await timerOf(renewed)).toMatchObject({ status: 'running' })
  })

  it('does not exist for somebody who never started one', async () => {
    await post('sign-out', ada.cookie)
    const back = await signIn()
    expect(await sessionsOf(back)).toEqual([])
    expect(await timerOf(back)).toEqual({ status: 'idle' })
  })
})
