// What tasks that come back cost: GET /api/todos for 500 of them with ten years behind them, beside 500 that do not come back.
// After a write, in turns, over HTTP; and how long it takes to compute what of them is due. SQLite and PostgreSQL.
// `node bench/calls/repeating.mjs [rounds]`
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { shownTodos } from '../../src/features/todos/repeat/history/server/shown-todo-store.ts'
import { todoImporter } from '../../src/features/todos/server/exported-todo-store.ts'
import { listRecentTodos } from '../../src/features/todos/server/todo-list-store.ts'
import { allShownOn } from '../../src/features/todos/todo/shown-todo.ts'
import { addDays, dayOf, instantToWire } from '../../src/platform/calendar/day.ts'
import { writeWithinLimits } from '../../src/platform/database/rows/write-within-limits.ts'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'
import { emptyDatabases } from '../server/databases.mjs'
import { median } from '../share.mjs'
import { daymarkOn } from './daymark.mjs'
import { call, signUp } from './person.mjs'

const mostTime = 5
const mostTimesAsMuch = 1.3
const rounds = Number(process.argv[2] ?? 100)
const days = 3_652
/** How often they come back: few every day, most every week or month. */
const kinds = [
  { count: 50, every: 1, freq: 'day' },
  { count: 250, every: 7, freq: 'week' },
  { count: 200, every: 30, freq: 'month' },
]

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const now = Date.now()
const today = dayOf(now, 'UTC', 0)
const databases = await emptyDatabases(folder)
let missed = false
for (const engine of /** @type {const} */ (['sqlite', 'postgres'])) {
  missed = (await measure(engine)) || missed
}
await databases.close()
process.exit(missed ? 1 : 0)

/** @param {'sqlite' | 'postgres'} engine */
async function measure(engine) {
  const { database, listening, address } = await daymarkOn(await databases.empty(engine), {
    clock: () => now,
  })
  const accounts = await Promise.all(
    ['once', 'repeating'].map(async (name) => {
      const person = await signUp(address, `${name}-${engine}`)
      return { name, ...person, times: /** @type {number[]} */ ([]), bytes: 0 }
    }),
  )
  for (const { name, user } of accounts) await fill(database, user, name === 'repeating')
  // As PostgreSQL does by itself within a minute of such an import.
  if (engine === 'postgres') await sql`analyze`.execute(database.read)

  for (let round = -10; round < rounds; round += 1) {
    for (const account of round % 2 ? accounts : accounts.toReversed()) {
      // As after a write: otherwise the previous round's response is still cached.
      await database.writeFor(account.user, ['todos'], async () => {})
      const started = performance.now()
      const response = await call(account, 'GET', '/api/todos?done=recent')
      account.bytes = (await response.arrayBuffer()).byteLength
      // At first code gets compiled, and pages of the file get read.
      if (round >= 0) account.times.push(performance.now() - started)
    }
  }
  const [once, repeating] = accounts
  if (!once || !repeating) throw new Error('There are two')
  const computing = await timesToCompute(database, repeating.user)

  const ratio = median(repeating.times) / median(once.times)
  const time = median(computing.due)
  const rows = kinds.reduce((sum, { count, every }) => sum + count * Math.floor(days / every), 0)
  process.stdout.write(
    [
      `GET /api/todos?done=recent, 500 tasks, ${rows} settled occurrences in ten years, ${rounds} rounds in turns, ${engine}`,
      `  none comes back        median ${ms(median(once.times))}   ${kb(once.bytes)}`,
      `  all come back          median ${ms(median(repeating.times))}   ${kb(repeating.bytes)}`,
      `    to the former        ratio ${ratio.toFixed(2)}   (at most ${mostTimesAsMuch})`,
      `  computing what is due  median ${ms(time)}   (at most ${mostTime} ms; reading their occurrences: ${ms(median(computing.read))})`,
      '',
    ].join('\n'),
  )
  await listening.close(1_000)
  await database.close()
  return ratio > mostTimesAsMuch || time > mostTime
}

/**
 * How long it takes to read the occurrences that the list needs, and to compute what is due.
 * @param {import('../../src/platform/database/database.ts').Database} database
 * @param {string} user
 */
async function timesToCompute(database, user) {
  const todos = []
  for await (const some of listRecentTodos(database, user, addDays(today, -29))) todos.push(...some)
  const [read, due] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
  for (let round = -10; round < rounds; round += 1) {
    const started = performance.now()
    const show = await shownTodos(database, user, { today, zone: 'UTC' })
    const shown = []
    for (let place = 0; place < todos.length; place += 100)
      shown.push(...(await show(todos.slice(place, place + 100))))
    const known = performance.now()
    allShownOn(shown, today)
    if (round < 0) continue
    read.push(known - started)
    due.push(performance.now() - known)
  }
  return { read, due }
}

/**
 * 500 open to-dos, imported as a person imports them: every occurrence was done but each twentieth, and today's.
 * @param {import('../../src/platform/database/database.ts').Database} database
 * @param {string} user
 * @param {boolean} repeats
 */
async function fill(database, user, repeats) {
  const from = addDays(today, -days)
  const created_at = instantToWire(now - days * 86_400_000)
  let place = 0
  for (const { count, every, freq } of kinds) {
    for (let nth = 0; nth < count; nth += 1, place += 1) {
      const id = newRowId(now - place * 1_000, randomBytes(10))
      const repeat = repeats ? { freq, every: 1, mode: 'due', from } : null
      const todo = {
        id,
        title: `Answer the letter of the insurance, number ${place}`,
        completed: 0,
        completed_at: null,
        completed_on: null,
        due_day: today,
        reminder: null,
        remind_at: null,
        list_id: null,
        position: '',
        parent_id: null,
        note: '',
        priority: 0,
        estimate: null,
        tags: [],
        repeat,
        created_at,
        updated_at: created_at,
      }
      const settled = repeats ? seriesOf(every, from).filter((_, step) => step % 20 !== nth % 20) : []
      const rows = settled.map((day) => ({
        day,
        state: 'done',
        done_on: day,
        moved_to: null,
        at: `${day}T12:00:00.000Z`,
      }))
      await writeWithinLimits(database, user, ['todos'], (tx, adding) =>
        todoImporter.importRows(
          tx,
          user,
          /** @type {any} */ ({ todos: [todo], todo_days: [{ todo_id: id, days: rows }] }),
          now,
          adding,
        ),
      )
    }
  }
}

/** @param {number} every @param {import('../../src/platform/calendar/day.ts').Day} from */
function seriesOf(every, from) {
  const series = []
  if (every === 30) {
    const first = Temporal.PlainDate.from(from)
    for (let months = 0; ; months += 1) {
      const day = first.add({ months }).toString()
      if (day >= today) return series
      series.push(day)
    }
  }
  for (let day = from; day < today; day = addDays(day, every)) series.push(day)
  return series
}

/** @param {number} time */
function ms(time) {
  return `${time.toFixed(1)} ms`
}

/** @param {number} bytes */
function kb(bytes) {
  return `${(bytes / 1_024).toFixed(0)} KB`
}
