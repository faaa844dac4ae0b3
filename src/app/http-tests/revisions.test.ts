import { expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { openApplication } from '../testing/application.ts'
import { type RowCalls, rowCalls } from '../testing/row-calls.ts'

/** The body of a call other than GET, or why it changes nothing that a list shows. */
type Call = { path?: string; body?: object } | { shownInNoList: string }

const id = '01900000-0000-7000-8000-000000000001'
const accountOnly = { shownInNoList: 'it is of the account and its sign-in sessions' }
const reachOnly = { shownInNoList: 'it is of how reminders reach the person' }
const longAgo = { created_at: '2026-11-01T08:00:00.000Z', updated_at: '2026-11-01T08:00:00.000Z' }

/** What is the same for all kinds of rows, each call on what the previous one left. */
function callsOf({ path, added, edited }: RowCalls): [string, Call][] {
  return [
    [`POST ${path}`, { body: { ...added, id } }],
    [`PUT ${path}/{id}`, { body: edited }],
    [`DELETE ${path}/{id}`, {}],
    [`POST ${path}/{id}/restore`, {}],
  ]
}

// Every call, in an order in which each of them succeeds. A new one fails the first test until it is added here.
const calls: Record<string, Call> = {
  // First of all, so that the row changes below find one.
  ...Object.fromEntries(rowCalls.flatMap(callsOf)),
  'POST /api/reminders/{kind}/{id}/later': { path: `/api/reminders/todo/${id}/later` },
  'PUT /api/todos/{id}/edit': {
    body: { title: 'Write more', repeat: { freq: 'day', every: 1, mode: 'due', from: '2026-11-16' } },
  },
  'PUT /api/todos/{id}/days/{day}': { path: `/api/todos/${id}/days/2026-11-16`, body: { state: 'done' } },
  'PUT /api/tags/{tag}': { path: '/api/tags/work', body: { tag: 'job' } },
  'DELETE /api/tags/{tag}': { path: '/api/tags/job' },
  'POST /api/habits/{id}/complete': {},
  'DELETE /api/habits/{id}/completions': {
    path: `/api/habits/${id}/completions?from=2026-11-01&to=2026-11-30`,
  },
  'PUT /api/habits/{id}/days/{day}': { path: `/api/habits/${id}/days/2026-11-16`, body: { note: 'Rain' } },
  'POST /api/habits/{id}/amounts': { body: { id, day: '2026-11-16', value: 1_000 } },
  'DELETE /api/habits/{id}/amounts/{amountId}': { path: `/api/habits/${id}/amounts/${id}` },
  'POST /api/habits/{id}/amounts/{amountId}/restore': { path: `/api/habits/${id}/amounts/${id}/restore` },
  'PUT /api/focus/timer': { body: { timer: { status: 'idle' } } },
  'PATCH /api/preferences': { body: { week_start: 7 } },
  'POST /api/changes': {
    body: { rows: [[{ method: 'POST', path: '/api/todos', body: { title: 'Sing', completed: 0 } }]] },
  },
  'POST /api/import': {
    body: {
      habits: [
        { id, name: 'Run', description: '', frequency: 'daily', start_date: '2026-11-01', ...longAgo },
      ],
      import: { id, source: 'loop' },
    },
  },
  'POST /api/import/preview': { shownInNoList: 'it writes nothing' },
  'POST /api/imports/{id}/undo': {},
  'PATCH /api/reminders': reachOnly,
  'PUT /api/reminders/devices': reachOnly,
  'DELETE /api/reminders/devices/{id}': reachOnly,
  'POST /api/reminders/devices/{id}/test': reachOnly,
  'POST /api/auth/update-user': { body: { name: 'Adele' } },
  'POST /api/auth/sign-up/email': accountOnly,
  'POST /api/auth/sign-up/finish': accountOnly,
  'POST /api/auth/sign-up/invited': accountOnly,
  'POST /api/auth/invitation': accountOnly,
  'POST /api/auth/sign-in/email': accountOnly,
  'POST /api/auth/sign-out': accountOnly,
  'POST /api/auth/change-password': accountOnly,
  'POST /api/auth/revoke-session': accountOnly,
  'POST /api/auth/revoke-other-sessions': accountOnly,
  'POST /api/auth/revoke-sessions': accountOnly,
  'POST /api/auth/request-password-reset': accountOnly,
  'POST /api/auth/reset-password': accountOnly,
  'POST /api/auth/send-verification-email': accountOnly,
  'POST /api/todos/parse': { shownInNoList: 'it only reads' },
  'POST /api/doctor': { shownInNoList: 'it changes nothing' },
  'POST /api/auth/delete-user': { shownInNoList: 'nobody is left to show one to' },
}

describeEachEngine('every write is seen', (openEmpty) => {
  it('it gives its person a new revision, and nobody else; a read gives none', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { smtpUrl: 'smtp://127.0.0.1:1' })
    const writing = daymark.endpoints.filter(({ method }) => method !== 'GET')
    expect(Object.keys(calls).sort()).toEqual(writing.map(({ method, path }) => `${method} ${path}`).sort())

    const ada = await daymark.signUp('Ada')
    const eve = await daymark.signUp('Eve')
    await daymark.ask('PATCH', '/api/preferences', { cookie: eve.cookie, body: { theme: 'dark' } })
    const revisions = async () => {
      const rows = await database.read.selectFrom('revisions').selectAll().execute()
      return new Map(rows.map(({ user_id, revision }) => [user_id, revision]))
    }
    const ofEve = (await revisions()).get(eve.id)
    const seen = new Set([undefined, ofEve])
    for (const [call, how] of Object.entries(calls)) {
      if ('shownInNoList' in how) continue
      const [method = '', pattern = ''] = call.split(' ')
      const path = how.path ?? pattern.replace('{id}', id)
      const asked = await daymark.ask(method, path, { cookie: ada.cookie, body: how.body })
      expect({ call, worked: asked.status < 300 }).toEqual({ call, worked: true })
      const revision = (await revisions()).get(ada.id)
      expect(seen, call).not.toContain(revision)
      seen.add(revision)
    }

    const before = await revisions()
    for (const { method, path, access } of daymark.endpoints) {
      if (method !== 'GET' || access === 'anyone') continue
      await daymark.ask('GET', path.replace('{id}', id), { cookie: ada.cookie })
    }
    await daymark.ask('POST', '/api/todos/parse', { cookie: ada.cookie, body: { text: 'Sing fri' } })
    expect(await revisions()).toEqual(before)
    expect(before.get(eve.id)).toBe(ofEve)
  })

  it('a deleted account gets no revision', async () => {
    const database = await openEmpty()
    await database.writeFor('nobody', [], async () => {})
    expect(await database.read.selectFrom('revisions').selectAll().execute()).toEqual([])
  })
})
