import { setImmediate } from 'node:timers/promises'
import { expect, it, test } from 'vitest'
import { todos } from '#features/todos/testing/todos.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'
import { fillMaximally, idOf, kinds } from '../testing/maximal-account.ts'
import { type RowCalls, rowCalls } from '../testing/row-calls.ts'

// Whatever grows with an account's data has to let others run in between. So every call of the API is made here to an account that
// is full, and none may keep the thread for long. It is measured in processor time, against a floor of the same run: that of writing
// and reading 50,000 rows in memory, about ten milliseconds.

const now = Date.parse('2026-11-20T12:00:00.000Z')
const today = '2026-11-20' as Day
/** How many times the floor others may have to wait. */
const longestWait = 4

let changes = 0
/** Each change is later than the one before. */
function at(): string {
  changes += 1_000
  return new Date(now - 1_000_000 + changes).toISOString()
}

const habit = (kind: number, number = 0) => `/api/habits/${idOf(kind, number)}`
const todo = (kind: number, number = 0) => `/api/todos/${idOf(kind, number)}`
const session = (number: number) => `/api/focus/${idOf(kinds.session, number)}`
const year = `from=${addDays(today, -365)}&to=${today}`
const tenYears = `from=${addDays(today, -3_650)}&to=${today}`
const daily = { freq: 'day', every: 1, mode: 'due', from: '1900-01-01' }

type Call = readonly [path: string, body?: () => object]

/** Of calls that a signed-in person can make, what is dearest in that account; in an order in which each finds its rows. */
const dearest: Readonly<Record<string, readonly Call[]>> = {
  'PUT /api/todos/{id}/days/{day}': [
    [`${todo(kinds.settled)}/days/2001-01-01`, () => ({ state: 'open', at: at() })],
    [`${todo(kinds.settled, 1)}/days/2001-01-01`, () => ({ state: 'done', at: at() })],
  ],
  'GET /api/todos': [['/api/todos'], ['/api/todos?done=recent']],
  'GET /api/todos/completed': [
    [`/api/todos/completed?${tenYears}`],
    ['/api/todos/completed?search=nothing+has+this'],
  ],
  'POST /api/todos': [['/api/todos', () => ({ title: 'New', tags: ['Chained 3'], repeat: daily, at: at() })]],
  'PUT /api/todos/{id}': [
    [todo(kinds.settled), () => ({ completed: 1, at: at() })],
    [todo(kinds.settled), () => ({ completed: 0, at: at() })],
  ],
  'PUT /api/todos/{id}/edit': [
    [`${todo(kinds.repeating)}/edit`, () => ({ title: 'Other', at: at() })],
    [`${todo(kinds.repeating)}/edit`, () => ({ repeat: { ...daily, every: 2 }, at: at() })],
    [`${todo(kinds.chained)}/edit`, () => ({ tags: { add: ['Chained 3'] }, at: at() })],
    [`${todo(kinds.settled)}/edit`, () => ({ repeat: { ...daily, mode: 'done' }, at: at() })],
  ],
  'GET /api/todos/{id}/days': [
    [`${todo(kinds.settled)}/days?${tenYears}`],
    [`${todo(kinds.repeating, 1)}/days?${tenYears}`],
  ],
  'DELETE /api/todos/{id}': [[todo(kinds.repeating, 1)]],
  'POST /api/todos/{id}/restore': [[`${todo(kinds.repeating, 1)}/restore`]],
  'POST /api/todos/parse': [['/api/todos/parse', () => ({ text: 'every monday '.repeat(70) })]],
  'GET /api/tags': [['/api/tags']],
  'PUT /api/tags/{tag}': [['/api/tags/Chained 2000', () => ({ tag: 'Another', at: at() })]],
  'DELETE /api/tags/{tag}': [['/api/tags/Another']],
  'GET /api/habits': [['/api/habits'], ['/api/habits']],
  'GET /api/habits/completed': [[`/api/habits/completed?${tenYears}`]],
  'GET /api/habits/due': [[`/api/habits/due?${year}`]],
  'GET /api/habits/completed/count': [['/api/habits/completed/count']],
  'POST /api/habits': [['/api/habits', () => ({ name: 'New', start_date: '1900-01-01', at: at() })]],
  'PUT /api/habits/{id}': [
    [habit(kinds.daily), () => ({ name: 'Other', at: at() })],
    [habit(kinds.counted), () => ({ name: 'Other', at: at() })],
    [habit(kinds.minutes), () => ({ name: 'Other', at: at() })],
    [habit(kinds.changing), () => ({ name: 'Other', at: at() })],
    [habit(kinds.daily), () => ({ rhythm: { every: 2 }, from_day: '1960-01-01', at: at() })],
  ],
  'POST /api/habits/{id}/complete': [
    [`${habit(kinds.daily)}/complete`, () => ({ date: '2000-01-01', completed: false, at: at() })],
  ],
  'GET /api/habits/{id}/completions': [[`${habit(kinds.daily)}/completions?${tenYears}`]],
  'DELETE /api/habits/{id}/completions': [
    [`${habit(kinds.daily, 1)}/completions?from=${addDays(today, -30)}&to=${today}`],
  ],
  'PUT /api/habits/{id}/days/{day}': [
    [`${habit(kinds.daily)}/days/1990-01-01`, () => ({ state: 'skipped', at: at() })],
  ],
  'GET /api/habits/{id}/days': [kinds.daily, kinds.counted, kinds.minutes, kinds.changing].map((kind) => [
    `${habit(kind)}/days?${year}`,
  ]),
  'POST /api/habits/{id}/amounts': [
    [
      `${habit(kinds.counted)}/amounts`,
      () => ({ id: idOf(kinds.amount, 99_999), day: today, value: 5, set: true, at: at() }),
    ],
  ],
  'DELETE /api/habits/{id}/amounts/{amountId}': [
    [`${habit(kinds.counted)}/amounts/${idOf(kinds.amount, 99_999)}`],
  ],
  'POST /api/habits/{id}/amounts/{amountId}/restore': [
    [`${habit(kinds.counted)}/amounts/${idOf(kinds.amount, 99_999)}/restore`],
  ],
  'DELETE /api/habits/{id}': [[habit(kinds.daily)]],
  'POST /api/habits/{id}/restore': [[`${habit(kinds.daily)}/restore`]],
  'GET /api/pauses': [['/api/pauses']],
  'POST /api/pauses': [['/api/pauses', () => ({ from_day: '1990-01-01', to_day: '1990-02-01', at: at() })]],
  'PUT /api/pauses/{id}': [
    [`/api/pauses/${idOf(kinds.pause, 0)}`, () => ({ to_day: '2026-12-31', at: at() })],
  ],
  'DELETE /api/pauses/{id}': [[`/api/pauses/${idOf(kinds.pause, 0)}`]],
  'POST /api/pauses/{id}/restore': [[`/api/pauses/${idOf(kinds.pause, 0)}/restore`]],
  'GET /api/focus': [[`/api/focus?${tenYears}`]],
  'GET /api/focus/completed': [[`/api/focus/completed?${tenYears}`]],
  'GET /api/focus/subjects': [['/api/focus/subjects']],
  'GET /api/focus/subjects/{todoId}': [[`/api/focus/subjects/${idOf(kinds.repeating, 0)}`]],
  'POST /api/focus': [['/api/focus', () => ({ duration: 60, habit_id: idOf(kinds.minutes, 0) })]],
  'PUT /api/focus/{id}': [[session(1), () => ({ habit_id: idOf(kinds.daily, 0), at: at() })]],
  'DELETE /api/focus/{id}': [[session(0)]],
  'POST /api/focus/{id}/restore': [[`${session(0)}/restore`]],
  'GET /api/focus/timer': [['/api/focus/timer']],
  'PUT /api/focus/timer': [['/api/focus/timer', () => ({ timer: { status: 'idle' } })]],
  'POST /api/changes': [
    [
      '/api/changes',
      () => ({
        rows: Array.from({ length: 20 }, (_, number) => [
          {
            method: 'PUT',
            path: habit(number % 2 ? kinds.counted : kinds.minutes),
            body: { name: `Name ${number}` },
          },
        ]),
      }),
    ],
  ],
  'PATCH /api/preferences': [
    ['/api/preferences', () => ({ week_start: 7, at: at() })],
    ['/api/preferences', () => ({ time_zone: 'Asia/Tokyo', at: at() })],
  ],
  'GET /api/preferences': [['/api/preferences']],
  'GET /api/lists': [['/api/lists']],
  'POST /api/lists': [['/api/lists', () => ({ id: idOf(kinds.list, 99_999), name: 'New', at: at() })]],
  'PUT /api/lists/{id}': [[`/api/lists/${idOf(kinds.list, 0)}`, () => ({ position: 'a0', at: at() })]],
  'DELETE /api/lists/{id}': [[`/api/lists/${idOf(kinds.list, 0)}`]],
  'POST /api/lists/{id}/restore': [[`/api/lists/${idOf(kinds.list, 0)}/restore`]],
  'GET /api/export': [['/api/export']],
  'POST /api/import/preview': [
    [
      '/api/import/preview',
      () => ({ todos: Array.from({ length: 1_000 }, (_, number) => idOf(91, number)) }),
    ],
  ],
  'POST /api/import': [['/api/import', importPiece]],
  'GET /api/imports': [['/api/imports']],
  'GET /api/reminders': [['/api/reminders']],
}

/** What is the same for all kinds of rows. */
function callsOf({ path, added, edited }: RowCalls): [string, Call[]][] {
  const row = `${path}/${idOf(kinds.other, 0)}`
  return [
    [`GET ${path}`, [[path]]],
    [`POST ${path}`, [[path, () => ({ ...added, at: at() })]]],
    [`PUT ${path}/{id}`, [[row, () => ({ ...edited, at: at() })]]],
    [`DELETE ${path}/{id}`, [[row]]],
    [`POST ${path}/{id}/restore`, [[`${row}/restore`]]],
  ]
}

/** Every call. */
const calls = {
  ...dearest,
  ...Object.fromEntries(rowCalls.flatMap(callsOf).filter(([call]) => !(call in dearest))),
}

/** What grows with none of an account's data, or is not the account's own. */
const bounded = [
  ...['POST /api/auth/update-user', 'GET /api/pictures/{id}', 'POST /api/auth/change-password'],
  ...['GET /api/auth/list-sessions', 'POST /api/auth/revoke-session', 'POST /api/auth/revoke-other-sessions'],
  ...['POST /api/auth/revoke-sessions', 'POST /api/auth/delete-user', 'GET /api/events'],
  ...['PATCH /api/reminders', 'PUT /api/reminders/devices', 'DELETE /api/reminders/devices/{id}'],
  ...['POST /api/reminders/devices/{id}/test', 'POST /api/reminders/{kind}/{id}/later'],
  // In small steps after it was answered (`imports.test.ts`).
  'POST /api/imports/{id}/undo',
]

function importPiece(): object {
  const [created_at, tags] = [at(), Array.from({ length: 10 }, (_, tag) => `Imported ${tag}`)]
  const fields = { created_at, updated_at: created_at, tags }
  return {
    todos: Array.from({ length: 100 }, (_, number) =>
      todos.file({ id: idOf(91, number), title: `Imported ${number}`, ...fields }),
    ),
  }
}

/** The processor time of this thread, in microseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** The longest that others have to wait for the thread while `run` is under way, in microseconds of the processor. */
async function longestSlice(run: () => Promise<void>): Promise<number> {
  let isOver = false
  let longest = 0
  const watched = (async () => {
    for (let before = processorTime(); !isOver; ) {
      await setImmediate()
      const after = processorTime()
      longest = Math.max(longest, after - before)
      before = after
    }
  })()
  await run()
  isOver = true
  await watched
  return longest
}

/** What it takes to write and read 50,000 rows in memory, in microseconds of the processor: the least of several times. */
function floor(): number {
  const row = { id: idOf(0, 0), title: 'A row of the floor', note: '', completed: 0, tags: ['one', 'two'] }
  const rows = Array.from({ length: 50_000 }, (_, number) => ({ ...row, created_at: number }))
  const times = Array.from({ length: 5 }, () => {
    const begun = processorTime()
    JSON.parse(JSON.stringify(rows))
    return processorTime() - begun
  })
  return Math.min(...times)
}

/** Reads the response as a client does, and checks nothing of it: that would keep the thread, too. */
async function ask(daymark: Application, { cookie }: Person, method: string, [path, body]: Call) {
  const headers = new Headers({ host: 'localhost', cookie, 'content-type': 'application/json' })
  const init = { method, headers, ...(body && { body: JSON.stringify(body()) }) }
  const response = await daymark.app.request(path, init, { address: '192.0.2.1' })
  let bytes = 0
  for await (const piece of response.body ?? []) bytes += piece.byteLength
  return { status: response.status, bytes }
}

describeEachEngine('an account that is as full as it may be', (openEmpty) => {
  it('keeps nobody waiting, whatever is asked of it', async () => {
    const database = await openEmpty()
    const daymark = openApplication(database, { clock: () => now })
    const ada = await daymark.signUp('Ada')
    // On PostgreSQL it takes long to fill, and another process does the most of what others would wait for.
    const size = database.engine === 'sqlite' ? 1 : runs(10, 1) / 10
    await fillMaximally(database, ada.id, { today, now, size })
    const wait = longestWait * floor()
    const slow: string[] = []
    for (const [call, asked] of Object.entries(calls)) {
      const [method = ''] = call.split(' ')
      for (const each of asked) {
        let response = { status: 0, bytes: 0 }
        const took = await longestSlice(async () => {
          response = await ask(daymark, ada, method, each)
        })
        if (response.status >= 300) slow.push(`${call} answered ${response.status}`)
        if (took > wait) slow.push(`${method} ${each[0]} kept the thread for ${Math.round(took / 1000)} ms`)
      }
    }
    expect(slow).toEqual([])
  })

  it('is asked for everything that the API can do', async () => {
    const { endpoints } = openApplication(await openEmpty())
    const signedIn = endpoints.filter(({ access }) => access === 'signed-in')
    const known = [...Object.keys(calls), ...bounded].toSorted()
    expect(signedIn.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(known)
  })
})

test('a loop that lets nobody run is noticed', async () => {
  const wait = longestWait * floor()
  const taken = await longestSlice(async () => {
    for (const begun = processorTime(); processorTime() - begun < 2 * wait; );
  })
  expect(taken).toBeGreaterThan(wait)
})
