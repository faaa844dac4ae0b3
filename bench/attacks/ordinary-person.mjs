// What a person does who is no attacker: moves in with 5,000 tasks and ten years of 20 habits, has ten devices, and was
// offline for a while. Sends what Daymark's pages send. No limit may be in their way.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { readFile } from '../../src/features/imports/opening/read-file.ts'
import { addDays } from '../../src/platform/calendar/day.ts'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'
import { today } from './requests.mjs'

/** @typedef {import('../../src/features/imports/reading/reading.ts').ReaderContext} ReaderContext */
/** @typedef {Record<string, number>} Statuses */
/** @typedef {{ name: string, seconds: number, longest: number, statuses: Statuses, inner: Statuses }} Step */
/** @typedef {{ method?: string, path: string, body?: object }} Asked */

const [tasks, habits, days, devices] = [5_000, 20, 3_650, 10]
const credentials = { email: 'maren@lindholm.example', password: 'correct horse battery' }

/** What became of each step: `seconds` in all, the `longest` request in milliseconds, and the responses by status. @param {string} address */
export async function liveAnOrdinaryDay(address) {
  /** @type {Step[]} */
  const steps = []
  const step = async (
    /** @type {string} */ name,
    /** @type {(ask: typeof asked) => Promise<void>} */ work,
  ) => {
    /** @type {Step} */
    const taken = { name, seconds: 0, longest: 0, statuses: {}, inner: {} }
    const started = performance.now()
    await work(async (cookie, wish) => {
      const response = await asked(cookie, wish)
      for (const { status, took } of response.tries) {
        add(taken.statuses, status)
        taken.longest = Math.max(taken.longest, took)
      }
      for (const status of response.inner) add(taken.inner, status)
      return response
    })
    taken.seconds = (performance.now() - started) / 1000
    steps.push(taken)
  }

  /** @type {string[]} */
  const cookies = []
  await step('signs up, and in on nine more devices', async (ask) => {
    const signedUp = await ask('', {
      method: 'POST',
      path: '/api/auth/sign-up/email',
      body: { name: 'Maren', ...credentials },
    })
    cookies.push(signedUp.cookie)
    while (cookies.length < devices) {
      const signedIn = { method: 'POST', path: '/api/auth/sign-in/email', body: credentials }
      cookies.push((await ask('', signedIn)).cookie)
    }
  })
  const [first = ''] = cookies
  await step('imports 5,000 tasks', (ask) => importFile(ask, first, 'tasks.csv', tasksOfTodoist()))
  await step('imports ten years of 20 habits', (ask) =>
    importFile(ask, first, 'habits.json', daysOfHabitKit()),
  )
  const onEachDevice = (/** @type {typeof asked} */ ask, /** @type {string[]} */ paths) =>
    Promise.all(cookies.flatMap((cookie) => paths.map((path) => ask(cookie, { path }))))
  await step('ten devices read all lists', async (ask) => {
    await onEachDevice(ask, lists)
  })
  const idsIn = async (/** @type {string} */ list) => {
    const { body } = await asked(first, { path: `/api/${list}` })
    return /** @type {{ id: string }[]} */ (body[list]).map(({ id }) => id)
  }
  const ids = { todos: await idsIn('todos'), habits: await idsIn('habits') }
  await step('200 changes that waited', async (ask) => {
    for (const rows of waitingChanges(ids))
      await ask(first, { method: 'POST', path: '/api/changes', body: { rows } })
  })
  await step('ten devices read the changed lists', async (ask) => {
    await onEachDevice(ask, lists)
  })
  await step('ten devices show the analytics of a year', async (ask) => {
    await onEachDevice(ask, analytics)
  })
  await step('looks at ten years of each habit', async (ask) => {
    for (const id of ids.habits) {
      const years = Array.from({ length: 10 }, (_, ago) => {
        const to = addDays(today, -365 * ago)
        return { path: `/api/habits/${id}/days?from=${addDays(to, -364)}&to=${to}` }
      })
      await Promise.all(years.map((year) => ask(first, year)))
    }
    for (const kind of ['habits', 'todos', 'focus'])
      await ask(first, { path: `/api/${kind}/completed?from=${addDays(today, -days)}&to=${today}` })
  })
  await step('ticks each habit, and sees the list on every device', async (ask) => {
    for (const id of ids.habits) {
      const body = { date: today, completed: false }
      await ask(first, { method: 'POST', path: `/api/habits/${id}/complete`, body })
      await onEachDevice(ask, ['/api/habits'])
    }
  })
  return steps

  /** A request, sent again once its time has come when it was one too many, as the pages do. @param {string} cookie @param {Asked} wish */
  async function asked(cookie, { method = 'GET', path, body }) {
    const tries = []
    for (;;) {
      const started = performance.now()
      const response = await fetch(address + path, {
        method,
        headers: { origin: address, cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
        body: body ? JSON.stringify(body) : null,
      })
      const received = await response.json()
      tries.push({ status: response.status, took: performance.now() - started })
      if (response.status !== 429 || tries.length === 20) {
        const set = response.headers.getSetCookie().map((text) => text.split(';')[0])
        const inner = path === '/api/changes' && response.ok ? innerStatuses(received) : []
        return { tries, inner, cookie: set.join('; '), body: received }
      }
      await pause(1000 * Number(response.headers.get('retry-after') ?? 1))
    }
  }
}

/** What a device reads when it starts: it holds all lists. */
const lists = [
  ...['/api/auth/get-session', '/api/preferences', '/api/lists', '/api/todos?done=recent', '/api/habits'],
  ...['/api/pauses', `/api/focus?from=${addDays(today, -29)}&to=${today}`, '/api/focus/timer'],
]
/** What the page of the analytics reads of a year. */
const analytics = [
  'todos/completed',
  'habits/completed',
  'habits/due',
  'focus/completed',
  'focus/subjects',
].map((read) => `/api/${read}?from=${addDays(today, -365)}&to=${today}`)

/** @param {(cookie: string, wish: Asked) => Promise<unknown>} ask @param {string} cookie @param {string} name @param {string} text */
async function importFile(ask, cookie, name, text) {
  /** @type {ReaderContext} */
  const context = { timeZone: 'UTC', dayStart: 0, weekStart: 1, today, now: Date.now(), answers: {} }
  const read = readFile({ kind: 'text', name, text }, context)
  if ('problem' in read) throw new Error(read.problem)
  for (const preview of read.previews)
    await ask(cookie, { method: 'POST', path: '/api/import/preview', body: JSON.parse(preview) })
  const id = newRowId(Date.now(), randomBytes(10))
  for (const piece of read.pieces) {
    const body = { ...JSON.parse(piece), import: { id, source: read.source, file: name } }
    await ask(cookie, { method: 'POST', path: '/api/import', body })
  }
}

/** Two requests full: tasks edited and ticked, and habits ticked. @param {{ todos: string[], habits: string[] }} ids */
function waitingChanges({ todos, habits }) {
  const edits = todos.slice(0, 90).map((id, place) => ({
    method: 'PUT',
    path: `/api/todos/${id}/edit`,
    body: { title: `Written on the train, ${place}` },
  }))
  const ticks = todos.slice(90, 180).map((id) => ({
    method: 'PUT',
    path: `/api/todos/${id}`,
    body: { completed: 1 },
  }))
  const ofHabits = habits.map((id) => ({
    method: 'POST',
    path: `/api/habits/${id}/complete`,
    body: { date: today, completed: true },
  }))
  const rows = [...edits, ...ticks, ...ofHabits].map((change) => [change])
  return [rows.slice(0, 100), rows.slice(100)]
}

/** @param {{ rows: { status: number }[][] }} changes */
function innerStatuses({ rows }) {
  return rows.flatMap((row) => row.map(({ status }) => status))
}

function tasksOfTodoist() {
  const header = 'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE'
  const rows = Array.from({ length: tasks }, (_, nth) => {
    const note = nth % 5 === 0 ? 'Some words about it. '.repeat(10) : ''
    const [date, indent] = [nth % 7 === 0 ? 'every 3 days' : '', nth % 3 === 2 ? 2 : 1]
    return `task,Task number ${nth} of those that moved in @moved,${note},${1 + (nth % 4)},${indent},Maren (1),,${date},en,UTC`
  })
  return [header, ...rows].join('\n')
}

/** Up to yesterday. */
function daysOfHabitKit() {
  const all = Array.from({ length: habits }, (_, nth) => ({
    id: `${nth}`,
    name: `Habit ${nth}`,
    orderIndex: nth,
  }))
  const completions = all.flatMap(({ id }) =>
    Array.from({ length: days }, (_, ago) => ({
      id: `${id}-${ago}`,
      habitId: id,
      timezoneOffsetInMinutes: 0,
      amountOfCompletions: 1,
      date: `${addDays(today, -1 - ago)}T12:00:00.000Z`,
    })),
  )
  return JSON.stringify({ habits: all, completions, intervals: [] })
}

/** @param {Statuses} counts @param {number} status */
function add(counts, status) {
  counts[status] = (counts[status] ?? 0) + 1
}
