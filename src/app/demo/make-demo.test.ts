import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { cookieOf, openApplication } from '../testing/application.ts'
import { demoAccount, demoPerson } from './demo-account.ts'
import { makeDemo } from './make-demo.ts'

const now = Date.parse('2026-11-20T16:30:00+01:00')
const zone = 'Europe/Copenhagen'

describeEachEngine('the demo', (openEmpty) => {
  it('is an account that can be signed in to, with its year and one deleted habit', async () => {
    const database = await openEmpty()
    await makeDemo(database, now, zone)
    // Making it leaves nobody signed in.
    expect(await database.read.selectFrom('session').select('id').execute()).toEqual([])
    const deleted = await database.read
      .selectFrom('habits')
      .select('name')
      .where('deleted_at', 'is not', null)
      .execute()
    expect(deleted).toEqual([{ name: 'Cold shower' }])

    const daymark = openApplication(database, { clock: () => now, slowPasswords: true })
    const { email, password } = demoPerson
    const signedIn = await daymark.ask('POST', '/api/auth/sign-in/email', { body: { email, password } })
    const cookie = cookieOf(signedIn)
    const { body } = await daymark.ask('GET', '/api/export', { cookie })
    const expected = demoAccount(now, zone)
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    expect({
      ...body,
      lists: body.lists.toSorted(byId),
      todos: body.todos.toSorted(byId),
      habits: body.habits.toSorted(byId),
    }).toEqual({
      ...expected,
      lists: expected.lists.toSorted(byId),
      todos: expected.todos.toSorted(byId),
      habits: expected.habits.toSorted(byId),
      focus_sessions: expected.focus_sessions.toSorted(byId),
    })
  })
})
