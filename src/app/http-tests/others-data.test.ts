import { createECDH } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { type Application, openApplication, type Person, password } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'
import { type RowCalls, rowCalls } from '../testing/row-calls.ts'

/**
 * Who may make a call: one that is open to everybody shows its response to nobody. One that `ends` the sign-in session
 * is made by somebody created for it.
 */
type Try =
  | { open: (body: unknown) => void; path?: string; body?: unknown }
  | { closed: true; ends?: true; path?: string; body?: unknown }

/** A row of the first user, by kind. */
interface Ids {
  /** By the path of its kind. */
  rows: Record<string, string>
  todo: string
  list: string
  habit: string
  /** An entry of that habit. */
  amount: string
  focus: string
  picture: string
  /** The first user's sign-in session. */
  token: string
  /** Where the first user gets push messages. */
  device: string
  /** An import of the first user. */
  imported: string
}

const smallestGif = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs='
const longAgo = { created_at: '2026-11-01T08:00:00.000Z', updated_at: '2026-11-01T08:00:00.000Z' }
const november = 'from=2026-11-01&to=2026-11-30'

const subscriptionOf = (auth: number) => ({
  endpoint: 'https://push.example/that-only-ada-has',
  keys: {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: Buffer.alloc(16, auth).toString('base64url'),
  },
})
const subscription = subscriptionOf(1)
// Knowing where somebody gets push messages does not make this browser theirs.
const guessed = subscriptionOf(2)

/** What is the same for all kinds of rows. */
function triesOf({ path, added, edited }: RowCalls, id: string): [string, Try][] {
  return [
    [`GET ${path}`, { closed: true }],
    [`POST ${path}`, { closed: true, body: { ...added, id } }],
    [`PUT ${path}/{id}`, { closed: true, path: `${path}/${id}`, body: edited }],
    [`DELETE ${path}/{id}`, { closed: true, path: `${path}/${id}` }],
    [`POST ${path}/{id}/restore`, { closed: true, path: `${path}/${id}/restore` }],
  ]
}

// Every call that exists. A new one fails the test below until somebody adds here who may make it.
const tries = ({
  rows,
  todo,
  list,
  habit,
  amount,
  focus,
  picture,
  token,
  device,
  imported,
}: Ids): Record<string, Try> => ({
  'GET /api/health': { open: (body) => expect(body).toEqual({ status: 'ok', version: expect.any(String) }) },
  'GET /api/health/live': {
    open: (body) => expect(body).toEqual({ status: 'ok', version: expect.any(String) }),
  },
  'GET /api/health/ready': {
    open: (body) => expect(body).toEqual({ status: 'ok', version: expect.any(String) }),
  },
  'GET /api/openapi.json': { open: (body) => expect(body).toMatchObject({ openapi: '3.1.1' }) },
  'GET /api/instance': { open: (body) => expect(body).toEqual({ sign_up: 'open', mail: true }) },
  'POST /api/doctor': { body: {}, open: (body) => expect(body).toMatchObject({ code: 'NOT_FOUND' }) },
  'POST /api/auth/request-password-reset': {
    body: { email: 'nobody@example.org' },
    open: (body) => expect(body).toMatchObject({ status: true }),
  },
  'POST /api/auth/reset-password': {
    body: { token: 'guessed', newPassword: 'another password' },
    open: (body) => expect(body).toMatchObject({ code: 'INVALID_TOKEN' }),
  },
  'POST /api/auth/send-verification-email': {
    body: { email: 'nobody@example.org' },
    open: (body) => expect(body).toMatchObject({ status: true }),
  },
  'GET /api/auth/verify-email': {
    path: '/api/auth/verify-email?token=guessed',
    open: (body) => expect(body).toMatchObject({ code: 'INVALID_TOKEN' }),
  },
  'POST /api/auth/sign-up/email': {
    body: { name: 'Ada', email: 'ada@example.org', password: 'another password' },
    open: (body) => expect(body).toMatchObject({ status: true }),
  },
  'POST /api/auth/sign-up/finish': {
    body: { token: 'guessed' },
    open: (body) => expect(body).toMatchObject({ code: 'INVALID_TOKEN' }),
  },
  'POST /api/auth/invitation': {
    body: { token: 'guessed' },
    open: (body) => expect(body).toMatchObject({ code: 'INVALID_TOKEN' }),
  },
  'POST /api/auth/sign-up/invited': {
    body: { token: 'guessed', name: 'Ada', email: 'ada@example.org', password: 'another password' },
    open: (body) => expect(body).toMatchObject({ code: 'INVALID_TOKEN' }),
  },
  'POST /api/auth/sign-in/email': {
    body: { email: 'ada@example.org', password: 'another password' },
    open: (body) => expect(body).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' }),
  },
  'POST /api/auth/sign-out': { body: {}, open: (body) => expect(body).toEqual({ success: true }) },
  'GET /api/auth/get-session': { open: (body) => expect(JSON.stringify(body)).not.toContain('ada@') },
  'POST /api/auth/update-user': { closed: true, body: { name: 'Mine', image: null } },
  'GET /api/pictures/{id}': { closed: true, path: picture },
  'POST /api/auth/change-password': {
    closed: true,
    ends: true,
    body: { currentPassword: password, newPassword: 'another password' },
  },
  'GET /api/auth/list-sessions': { closed: true },
  'POST /api/auth/revoke-session': { closed: true, body: { token } },
  'POST /api/auth/revoke-other-sessions': { closed: true },
  'POST /api/auth/revoke-sessions': { closed: true, ends: true },
  'POST /api/auth/delete-user': { closed: true, ends: true, body: { callbackURL: '/', password } },
  'GET /api/todos/completed': { closed: true },
  'PUT /api/todos/{id}/edit': { closed: true, path: `/api/todos/${todo}/edit`, body: { title: 'Mine now' } },
  'PUT /api/todos/{id}/days/{day}': {
    closed: true,
    path: `/api/todos/${todo}/days/2026-11-20`,
    body: { state: 'done' },
  },
  'GET /api/todos/{id}/days': { closed: true, path: `/api/todos/${todo}/days` },
  'POST /api/todos/parse': { closed: true, body: { text: 'Mine now @The' } },
  'GET /api/tags': { closed: true },
  'PUT /api/tags/{tag}': { closed: true, path: '/api/tags/work', body: { tag: 'Mine now' } },
  'DELETE /api/tags/{tag}': { closed: true, path: '/api/tags/work' },
  'POST /api/changes': {
    closed: true,
    body: {
      rows: [
        [{ method: 'PUT', path: `/api/todos/${todo}/edit`, body: { title: 'Mine now' } }],
        [{ method: 'DELETE', path: `/api/lists/${list}` }],
        [{ method: 'DELETE', path: `/api/habits/${habit}` }],
        [{ method: 'DELETE', path: `/api/focus/${focus}` }],
      ],
    },
  },
  'GET /api/habits/completed': { closed: true, path: `/api/habits/completed?${november}` },
  'GET /api/habits/due': { closed: true, path: `/api/habits/due?${november}` },
  'GET /api/habits/completed/count': { closed: true },
  'POST /api/habits/{id}/complete': { closed: true, path: `/api/habits/${habit}/complete` },
  'GET /api/habits/{id}/completions': { closed: true, path: `/api/habits/${habit}/completions?${november}` },
  'DELETE /api/habits/{id}/completions': {
    closed: true,
    path: `/api/habits/${habit}/completions?${november}`,
  },
  'PUT /api/habits/{id}/days/{day}': {
    closed: true,
    path: `/api/habits/${habit}/days/2026-11-20`,
    body: { state: 'done', note: 'Mine now' },
  },
  'GET /api/habits/{id}/days': { closed: true, path: `/api/habits/${habit}/days?${november}` },
  'POST /api/habits/{id}/amounts': {
    closed: true,
    path: `/api/habits/${habit}/amounts`,
    body: { day: '2026-11-20', value: 1_000 },
  },
  'DELETE /api/habits/{id}/amounts/{amountId}': {
    closed: true,
    path: `/api/habits/${habit}/amounts/${amount}`,
  },
  'POST /api/habits/{id}/amounts/{amountId}/restore': {
    closed: true,
    path: `/api/habits/${habit}/amounts/${amount}/restore`,
  },
  'GET /api/focus/completed': { closed: true },
  'GET /api/focus/subjects': { closed: true },
  'GET /api/focus/subjects/{todoId}': { closed: true, path: `/api/focus/subjects/${todo}` },
  'GET /api/focus/timer': { closed: true },
  'PUT /api/focus/timer': {
    closed: true,
    body: { timer: { status: 'paused', run: { id: focus, stretches: [] } } },
  },
  'GET /api/preferences': { closed: true },
  'PATCH /api/preferences': { closed: true, body: { theme: 'light' } },
  'GET /api/reminders': { closed: true },
  'PATCH /api/reminders': { closed: true, body: { mail: false } },
  'PUT /api/reminders/devices': { closed: true, body: guessed },
  'DELETE /api/reminders/devices/{id}': { closed: true, path: `/api/reminders/devices/${device}` },
  'POST /api/reminders/devices/{id}/test': { closed: true, path: `/api/reminders/devices/${device}/test` },
  'POST /api/reminders/{kind}/{id}/later': { closed: true, path: `/api/reminders/habit/${habit}/later` },
  // After everything that removes anybody's rows.
  ...Object.fromEntries(rowCalls.flatMap((calls) => triesOf(calls, rows[calls.path] ?? ''))),
  'GET /api/export': { closed: true },
  'GET /api/events': { closed: true },
  'GET /api/imports': { closed: true },
  'POST /api/imports/{id}/undo': { closed: true, path: `/api/imports/${imported}/undo` },
  'POST /api/import/preview': { closed: true, body: { todos: [todo] } },
  'POST /api/import': {
    closed: true,
    body: {
      lists: [
        {
          id: list,
          name: 'Mine now',
          color: 1,
          position: 'a0',
          sort: 'manual',
          archived_at: null,
          ...longAgo,
        },
      ],
      todos: [
        { id: todo, title: 'Mine now', completed: 0, completed_at: null, completed_on: null, ...longAgo },
      ],
      habits: [
        {
          id: habit,
          name: 'Mine now',
          description: '',
          frequency: 'daily',
          start_date: '2026-11-01',
          ...longAgo,
        },
      ],
      completions: [{ habit_id: habit, days: ['2026-11-01', '2026-11-03'] }],
    },
  },
})

describeEachEngine("no one reaches another's data", (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person
  let eve: Person
  let ids: Ids
  const secrets = [
    'The title that only Ada knows',
    'The habit that only Ada has',
    'The list that only Ada has',
    'Antarctica/Troll',
    new Date(Date.now() - 3_600_000).toISOString(),
  ]
  const [secretTitle, secretHabit, secretList, secretZone, secretStart] = secrets
  const expectNoSecrets = (body: unknown) => {
    for (const secret of secrets) expect(JSON.stringify(body)).not.toContain(secret)
  }
  beforeAll(async () => {
    database = await openEmpty()
    // Nothing listens there: what counts here is that the calls for mail are open.
    daymark = openApplication(database, { smtpUrl: 'smtp://127.0.0.1:1' })
    ada = await daymark.signUp('Ada')
    eve = await daymark.signUp('Eve')
    const asAda = async (method: string, path: string, body?: unknown) =>
      (await daymark.ask(method, path, { cookie: ada.cookie, body })).body
    const remind_at = new Date(Date.now() + 3_600_000).toISOString()
    const { todo } = await asAda('POST', '/api/todos', {
      title: secretTitle,
      completed: 0,
      remind_at,
      tags: ['work'],
    })
    const { habit } = await asAda('POST', '/api/habits', {
      name: secretHabit,
      start_date: '2026-11-01',
      reminder: { time: 450, weekdays: [1, 2, 3] },
    })
    const { list } = await asAda('POST', '/api/lists', { name: secretList })
    const { device } = await asAda('PUT', '/api/reminders/devices', subscription)
    await asAda('POST', `/api/habits/${habit.id}/complete`, { date: '2026-11-02' })
    const entered = { day: '2026-11-03', value: 4_711 }
    const { amount } = await asAda('POST', `/api/habits/${habit.id}/amounts`, entered)
    await asAda('PATCH', '/api/preferences', { time_zone: secretZone, theme: 'dark' })
    const { session } = await asAda('POST', '/api/focus', { duration: 90, started_at: secretStart })
    await asAda('PUT', '/api/focus/timer', {
      timer: { status: 'running', run: { id: session.id, stretches: [] }, since: secretStart },
    })
    await asAda('POST', '/api/auth/update-user', { image: smallestGif })
    const own = await asAda('GET', '/api/auth/get-session')
    const rows: Record<string, string> = {
      '/api/todos': todo.id,
      '/api/lists': list.id,
      '/api/habits': habit.id,
      '/api/focus': session.id,
    }
    for (const { path, added } of rowCalls) {
      rows[path] ??= newRowId(Date.now(), new Uint8Array(10))
      await asAda('POST', path, { ...added, id: rows[path] })
    }
    const imported = newRowId(Date.now(), new Uint8Array(10).fill(7))
    await asAda('POST', '/api/import', { import: { id: imported, source: 'todoist' } })
    ids = {
      rows,
      todo: todo.id,
      list: list.id,
      habit: habit.id,
      amount: amount.id,
      focus: session.id,
      picture: own.user.image,
      token: own.session.token,
      device: device.id,
      imported,
    }
    secrets.push(ids.picture, ids.token, ids.device)
  })

  it('every call of the API document is tried here', () => {
    const calls = daymark.endpoints.map(({ method, path }) => `${method} ${path}`)
    expect(Object.keys(tries(ids)).sort()).toEqual(calls.sort())
  })

  it('signed out: a call is refused, or shows what everybody may see', async () => {
    const before = await dump(database)
    for (const [call, tried] of Object.entries(tries(ids))) {
      const [method = '', pattern = ''] = call.split(' ')
      const path = tried.path ?? pattern
      const asked = await daymark.ask(method, path, { body: tried.body })
      if ('open' in tried) tried.open(asked.body)
      else
        expect({ call, status: asked.status, code: asked.body.code }).toEqual({
          call,
          status: 401,
          code: 'NOT_SIGNED_IN',
        })
      expectNoSecrets(asked.body)
    }
    expect(await dump(database)).toEqual(before)
  })

  it('a second user finds nothing of the first, and changes nothing of theirs', async () => {
    const before = await dump(database, ada.id)
    // The order puts adding a row with the same id last, which creates one of Eve's own.
    const makes = (call: string) => Number(/^POST \/api\/\w+$/.test(call))
    const several = ['POST /api/import', 'POST /api/changes']
    const made = (call: string) => (makes(call) && !several.includes(call) ? 201 : 200)
    const calls = Object.entries(tries(ids)).sort(([a], [b]) => makes(a) - makes(b))
    for (const [call, tried] of calls) {
      if (!('closed' in tried)) continue
      const [method = '', pattern = ''] = call.split(' ')
      const { cookie } = tried.ends
        ? await daymark.signUp(`Eve${calls.findIndex(([each]) => each === call)}`)
        : eve
      const asked = await daymark.ask(method, tried.path ?? pattern, { cookie, body: tried.body })
      // A tag is a word, which is nobody's.
      if (pattern.includes('{id}')) expect({ call, status: asked.status }).toEqual({ call, status: 404 })
      else expect({ call, status: asked.status }).toEqual({ call, status: made(call) })
      expectNoSecrets(asked.body)
    }
    expect(await dump(database, ada.id)).toEqual(before)
    const seen = async (path: string) => (await daymark.ask('GET', path, { cookie: ada.cookie })).body
    expect((await seen('/api/todos')).todos).toMatchObject([
      { id: ids.todo, title: secretTitle, completed: 0, tags: ['work'] },
    ])
    expect((await seen('/api/lists')).lists).toMatchObject([{ id: ids.list, name: secretList }])
    expect((await seen('/api/habits')).habits).toMatchObject([
      { id: ids.habit, name: secretHabit, longest_streak: 1 },
    ])
    expect((await seen('/api/focus')).sessions).toMatchObject([
      { id: ids.focus, duration: 90, started_at: secretStart },
    ])
    expect((await seen('/api/focus/timer')).timer).toMatchObject({ status: 'running', since: secretStart })
    expect((await seen('/api/auth/get-session')).user).toMatchObject({ name: 'Ada', image: ids.picture })
    expect(await seen('/api/auth/list-sessions')).toMatchObject([{ token: ids.token }])
    expect(await seen('/api/reminders')).toMatchObject({ devices: [{ id: ids.device, last_delivery: null }] })
    expect(await seen('/api/focus/completed')).toMatchObject({ count: 1, seconds: 90 })
    expect((await seen('/api/preferences')).preferences).toMatchObject({
      time_zone: secretZone,
      theme: 'dark',
    })
  })

  it.each([
    ['todos', 'todo', { title: 'Mine now' }, { title: secretTitle }],
    ['lists', 'list', { name: 'Mine now' }, { name: secretList }],
    ['habits', 'habit', { name: 'Mine now' }, { name: secretHabit }],
    ['focus', 'focus', { duration: 60 }, { started_at: secretStart }],
  ] as const)('a row with the same id in %s is separate for each user', async (rows, row, ofEve, ofAda) => {
    const id = ids[row]
    const list = async ({ cookie }: Person) => {
      const { body } = await daymark.ask('GET', `/api/${rows}`, { cookie })
      return rows === 'focus' ? body.sessions : body[rows]
    }
    expect(await list(eve)).toMatchObject([{ id, ...ofEve }])
    expect((await daymark.ask('DELETE', `/api/${rows}/${id}`, { cookie: eve.cookie })).status).toBe(200)
    expect(await list(eve)).toEqual([])
    expect(await list(ada)).toMatchObject([{ id, ...ofAda }])
  })

  it('signing one out leaves the other signed in', async () => {
    const asked = await daymark.ask('POST', '/api/auth/sign-in/email', {
      body: { email: eve.email, password },
    })
    expect(asked.status).toBe(200)
    await daymark.ask('POST', '/api/auth/sign-out', { cookie: eve.cookie })
    expect((await daymark.ask('GET', '/api/todos', { cookie: ada.cookie })).status).toBe(200)
  })
})
