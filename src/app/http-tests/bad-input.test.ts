import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { type Application, openApplication, type Person, type TestResponse } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

// Text as it comes from people and from attackers: any character, including NUL and lone surrogates.
const nasty = fc.constantFrom(
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '‮',
  '__proto__',
  "'; drop table todos;--",
  '{{7*7}}',
  '../../etc/passwd',
  '%00',
  'x'.repeat(501),
  'y'.repeat(70_000),
  '-0',
  '1e999',
)
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 2, arbitrary: nasty },
)
const json = fc.oneof(
  { weight: 5, arbitrary: fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(null, [], {}, true, -1, 1e308, 2 ** 53, [[[[[[]]]]]]) },
)

describeEachEngine('bad input', (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person
  let eve: Person
  let ids: { ada: Own; eve: Own }
  beforeAll(async () => {
    database = await openEmpty()
    // Nothing listens there, so no mail is sent.
    daymark = openApplication(database, { smtpUrl: 'smtp://127.0.0.1:1' })
    ada = await daymark.signUp('Ada')
    eve = await daymark.signUp('Eve')
    const add = async ({ cookie }: Person): Promise<Own> => {
      const ask = (path: string, body: object) => daymark.ask('POST', path, { cookie, body })
      const { todo } = (await ask('/api/todos', { title: 'Kept', completed: 0 })).body
      const reminder = { time: 150, weekdays: [6, 7] }
      const { habit } = (await ask('/api/habits', { name: 'Kept', start_date: '2026-11-01', reminder })).body
      await ask(`/api/habits/${habit.id}/complete`, { date: '2026-11-02' })
      const { session } = (await ask('/api/focus', { duration: 1_500 })).body
      const { list } = (await ask('/api/lists', { name: 'Kept' })).body
      return { todos: todo.id, lists: list.id, habits: habit.id, focus: session.id }
    }
    ids = { ada: await add(ada), eve: await add(eve) }
    // So that an account can only be deleted with the password, whatever else the request says.
    const { adapter } = await daymark.auth.$context
    await adapter.update({
      model: 'session',
      where: [{ field: 'userId', value: eve.id }],
      update: { createdAt: new Date(Date.now() - 2 * 24 * 60 * 60 * 1000) },
    })
  })

  // Names that the calls know with values that they don't, and names that they don't know.
  const names = [
    'title',
    'text',
    'completed',
    'id',
    'day',
    'at',
    'name',
    'description',
    'frequency',
    'start_date',
    'date',
    'duration',
    'due_day',
    'remind_at',
    'list_id',
    'parent_id',
    'note',
    'priority',
    'estimate',
    'tags',
    'tag',
    'position',
    'color',
    'sort',
    'archived_at',
    'reminder',
    'endpoint',
    'keys',
    'mail',
    'started_at',
    'ended_at',
    'days',
    'timer',
    'time_zone',
    'time_zone_follows_browser',
    'day_start',
    'week_start',
    'theme',
    'lists',
    'todos_sort',
    'start_page',
    'focus_plan',
    'todo_id',
    'habit_id',
    'kind',
    'list_id',
    'position',
    'todos',
    'habits',
    'completions',
    'focus_sessions',
    'preferences',
    'email',
    'password',
    'image',
    'currentPassword',
    'newPassword',
    'revokeOtherSessions',
    'token',
    'callbackURL',
    'user',
    '__proto__',
    'constructor',
  ]
  // Bytes that start like a picture.
  const picture = fc
    .tuple(fc.constantFrom('\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF89a'), fc.uint8Array({ maxLength: 300 }))
    .map(([magic, rest]) => Buffer.concat([Buffer.from(magic, 'latin1'), rest]).toString('base64'))
    .map((base64) => `data:image/png;base64,${base64}`)
  // Almost right, with instants at the ends of time.
  const when = fc.constantFrom(
    '0000-01-01T00:00:00.000Z',
    '2026-11-02T08:00:00.000Z',
    '2026-11-02T08:10:00.000Z',
    '9999-12-31T23:59:59.999Z',
    'x',
  )
  const timer = fc.record(
    {
      status: fc.constantFrom('idle', 'running', 'paused', 'finished', 'x'),
      follows: fc.constantFrom('01900000-0000-7000-8000-000000000004', 'x'),
      run: fc.record({
        id: fc.constantFrom('01900000-0000-7000-8000-000000000005', '01900000-0000-7000-8000-00000000000A'),
        stretches: fc.array(fc.record({ from: when, to: when }), { maxLength: 2 }),
      }),
      since: when,
    },
    { requiredKeys: ['status'] },
  )
  const entry = fc.oneof(
    { weight: 12, arbitrary: fc.tuple(fc.oneof(fc.constantFrom(...names), text), fc.oneof(json, text)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('image'), picture) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('timer'), timer) },
  )
  const object = fc
    .array(entry, { maxLength: 6 })
    .map(
      (entries) =>
        `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
    )
  // Pieces of an import with rows that are almost right.
  const piece = fc
    .dictionary(
      fc.constantFrom('lists', 'todos', 'habits', 'completions', 'focus_sessions', 'preferences'),
      fc.oneof({ weight: 4, arbitrary: fc.array(fc.constantFrom(...nearlyRows), { maxLength: 3 }) }, json),
      { maxKeys: 3 },
    )
    .chain((lists) =>
      fc.tuple(fc.constant(lists), fc.option(fc.tuple(fc.constantFrom(...rowNames), fc.oneof(json, text)))),
    )
    .map(([lists, wrong]) =>
      JSON.stringify(lists, (name, value) => (wrong && name === wrong[0] ? wrong[1] : value)),
    )
  const body = fc.oneof(
    { weight: 6, arbitrary: object },
    { weight: 3, arbitrary: piece },
    { weight: 3, arbitrary: json.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: text },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((depth) => '{"title":['.repeat(depth)) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
  const type = fc.oneof(
    { weight: 6, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'text/plain',
        'multipart/form-data; boundary=x',
        'json',
        ';',
        'application/json;charset=latin1',
      ),
    },
  )
  // What a header may contain. Everything else never gets through HTTP, and is tried over a socket.
  const headerText = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 60,
  })
  const headers = fc.dictionary(
    fc.constantFrom(
      'content-length',
      'content-encoding',
      'transfer-encoding',
      'x-forwarded-for',
      'accept',
      'if-none-match',
      'range',
      'host',
      'x-daymark-user',
      'x-daymark-address',
      'x-http-method-override',
      'expect',
    ),
    headerText,
    { maxKeys: 3 },
  )
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'MKCOL', 'X')
  const segment = fc.oneof(
    fc.constantFrom(
      'todos',
      'tags',
      'lists',
      'edit',
      'restore',
      'habits',
      'complete',
      'completed',
      'completions',
      'due',
      'count',
      'focus',
      'timer',
      'preferences',
      'pictures',
      'reminders',
      'devices',
      'later',
      'test',
      'export',
      'import',
      'auth',
      'sign-in',
      'email',
      '..',
      '.',
      '',
      '%',
      '%2e%2e',
      '%00',
      '%ff',
      '__proto__',
    ),
    text.map((part) => encodeURIComponent(part.toWellFormed()).slice(0, 200)),
  )
  const address = (own: Own) =>
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom(...daymark.endpoints.map(({ path }) => withId(path, own))),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...daymark.endpoints.map(({ path }) => path)), segment)
          .map(([path, part]) => path.replace('{id}', part)),
      },
      { weight: 1, arbitrary: fc.array(segment, { maxLength: 4 }).map((parts) => `/api/${parts.join('/')}`) },
    )
  // Days that exist, days that don't, and days at the ends of time.
  const day = fc.oneof(
    fc.constantFrom(
      '0000-01-01',
      '1899-12-31',
      '1900-01-01',
      '2026-02-29',
      '2026-11-20',
      '9999-12-31',
      '+010000-01-01',
    ),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  )
  const query = fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom('at', 'from', 'to', 'before', 'token'),
          fc.oneof(
            text,
            json.map((value) => JSON.stringify(value)),
          ),
        )
        .map(([name, value]) => `?${name}=${encodeURIComponent(value.toWellFormed())}`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(day, day).map(([from, to]) => `?from=${from}&to=${to}`),
    },
    { weight: 1, arbitrary: headerText.map((value) => `?${value.replaceAll('#', '')}`) },
  )

  it('from someone signed out gets {code, message}, never a 500, and changes nothing', async () => {
    const before = await dump(database)
    const garbled = fc.oneof(
      fc.constant(undefined),
      headerText,
      fc.constantFrom(
        ada.cookie.slice(0, -3),
        `${ada.cookie}x`,
        ada.cookie.replace(/\./, ''),
        ada.cookie.toUpperCase(),
      ),
      headerText.map((value) => `daymark.session_token=${value}`),
      fc
        .tuple(headerText, headerText)
        .map(([token, signature]) => `daymark.session_token=${encodeURIComponent(`${token}.${signature}`)}`),
    )
    await fc.assert(
      fc.asyncProperty(
        method,
        address(ids.ada),
        query,
        body,
        type,
        headers,
        garbled,
        async (method, path, query, body, type, headers, cookie) => {
          const asked = await daymark.ask(method, path + query, {
            body: bodyFor(method, body),
            headers: { ...headers, 'content-type': type },
            cookie,
          })
          expectNoBreakdown(asked)
        },
      ),
      { numRuns: runs(20_000, 100) },
    )
    expect(await dump(database)).toEqual(before)
  })

  it("from someone signed in gets {code, message}, never a 500, and changes nothing of anyone else's", async () => {
    const before = await dump(database, ada.id)
    await fc.assert(
      fc.asyncProperty(
        method,
        address(ids.ada),
        query,
        body,
        type,
        headers,
        async (method, path, query, body, type, headers) => {
          const asked = await daymark.ask(method, path + query, {
            body: bodyFor(method, body),
            headers: { ...headers, 'content-type': type },
            cookie: /sign-out|revoke-sessions/.test(path) ? undefined : eve.cookie,
          })
          expectNoBreakdown(asked)
        },
      ),
      { numRuns: runs(20_000, 100) },
    )
    expect(await dump(database, ada.id)).toEqual(before)
    expect((await daymark.ask('GET', '/api/todos', { cookie: eve.cookie })).status).toBe(200)
  })

  it('to a row of their own is all or nothing: a request answered with 4xx has changed nothing', async () => {
    const calls = daymark.endpoints.filter(
      ({ method, path }) => method !== 'GET' && (path.includes('{id}') || path === '/api/import'),
    )
    const own = fc.constantFrom(...calls).chain(({ method, path, takes }) =>
      // Without a body only the query could be wrong; a right one would delete.
      fc.tuple(
        fc.constant(method),
        fc.constant(withId(path, ids.eve)),
        takes.body ? query : text.map((value) => `?at=${encodeURIComponent(value.toWellFormed())}`),
      ),
    )
    await fc.assert(
      fc.asyncProperty(own, body, type, async ([method, path, query], body, type) => {
        const before = await dump(database)
        const headers = { 'content-type': type }
        const asked = await daymark.ask(method, path + query, { body, headers, cookie: eve.cookie })
        expect(asked.status).toBeLessThan(500)
        if (asked.status >= 400) expect(await dump(database)).toEqual(before)
      }),
      { numRuns: runs(5_000, 30) },
    )
  })
})

const nearlyRows = [
  {
    id: '01900000-0000-7000-8000-000000000009',
    name: 'Brought along',
    color: 6,
    // Long enough to be shortened.
    position: `a0${'V'.repeat(248)}`,
    sort: 'due',
    archived_at: '9999-12-31T23:59:59.999Z',
    created_at: '0000-01-01T00:00:00.000Z',
    updated_at: '9999-12-31T23:59:59.999Z',
  },
  {
    id: '01900000-0000-7000-8000-000000000001',
    title: 'Brought along',
    completed: 1,
    completed_at: '2026-11-02T08:00:00.000Z',
    completed_on: '2026-11-02',
    due_day: '2199-12-31',
    remind_at: '2199-12-31T23:59:59.999Z',
    list_id: '01900000-0000-7000-8000-000000000009',
    position: 'zzzzzzzzzzzzzzzzzzzzzzzzzzz',
    created_at: '0000-01-01T00:00:00.000Z',
    updated_at: '9999-12-31T23:59:59.999Z',
  },
  {
    id: '01900000-0000-7000-8000-000000000002',
    name: 'Brought along',
    description: '',
    frequency: 'weekly',
    start_date: '1900-01-01',
    reminder: { time: 1439, weekdays: [1, 7] },
    created_at: '2026-11-02T08:00:00.000Z',
  },
  { habit_id: '01900000-0000-7000-8000-000000000002', days: ['2026-11-02', '2026-11-02', '1900-01-01'] },
  {
    id: '01900000-0000-7000-8000-000000000003',
    duration: 60,
    started_at: '2026-11-02T08:00:00.000Z',
    ended_at: '2026-11-02T08:01:00.000Z',
    days: [{ day: '2026-11-02', seconds: 60 }],
  },
]
const rowNames = [...new Set(nearlyRows.flatMap((row) => Object.keys(row)))]

/** The rows of one person, by kind. */
interface Own {
  todos: string
  lists: string
  habits: string
  focus: string
}

function withId(path: string, own: Own): string {
  if (path.startsWith('/api/lists/')) return path.replace('{id}', own.lists)
  if (path.startsWith('/api/habits/')) return path.replace('{id}', own.habits)
  if (path.includes('{kind}')) return path.replace('{kind}', 'habit').replace('{id}', own.habits)
  return path.replace('{id}', path.startsWith('/api/focus/') ? own.focus : own.todos)
}

function bodyFor(method: string, body: unknown): unknown {
  return method === 'GET' ? undefined : body
}

/** An unknown host gets a 503, so that browsers keep their queued writes. */
function expectNoBreakdown({ status, body }: TestResponse): void {
  if (status !== 503 || body.code !== 'UNKNOWN_HOST') expect(status).toBeLessThan(500)
}
