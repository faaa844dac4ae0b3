// What the export of a year-old account costs: 10,000 tasks, 30 habits done on each of 365 days, 2,000 focus sessions,
// on SQLite over HTTP. Prints how long it takes, and the longest wait of somebody else's request in the meantime: both
// as absolute times, and as ratios to floors measured in the same run. The promise is 1 s and 50 ms.
// `node bench/calls/export.mjs [rounds]`
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { splitIntoPieces } from '../../src/features/your-data/pieces.ts'
import { readExport } from '../../src/features/your-data/read-export.ts'
import { addDays, instantToWire } from '../../src/platform/calendar/day.ts'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'
import { median } from '../share.mjs'
import { daymarkOn } from './daymark.mjs'
import { call, signUp } from './person.mjs'

const todos = 10_000
const habits = 30
const days = 365
const sessions = 2_000
const mostTime = 1_000
const mostWait = 50
const rounds = Number(process.argv[2] ?? 9)

if (isMainThread) await measure()
else client()

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'daymark.db')
  const { database, listening, address } = await daymarkOn(`sqlite:${path}`)

  // Each client runs in its own thread: in this one, it would wait for itself.
  const maren = startClient(await signUp(address, 'maren'))
  const other = startClient(await signUp(address, 'other'))
  const importing = await ask(maren, 'fill')
  await ask(maren, 'download')

  /** @type {Record<'times' | 'floors' | 'waits' | 'idle', number[]>} */
  const seen = { times: [], floors: [], waits: [], idle: [] }
  let bytes = 0
  for (let round = 0; round < rounds; round += 1) {
    // The floor of the wait: the same requests while nothing else runs.
    await ask(other, 'watch')
    await new Promise((resolve) => setTimeout(resolve, 300))
    seen.idle.push((await ask(other, 'tell')).longest)

    await ask(other, 'watch')
    const downloaded = await ask(maren, 'download')
    seen.waits.push((await ask(other, 'tell')).longest)
    seen.times.push(downloaded.time)
    bytes = downloaded.bytes

    // The floor of the time: the same rows from the same file in three statements, converted to JSON at once.
    const started = performance.now()
    bareExport(path)
    seen.floors.push(performance.now() - started)
  }

  const [time, wait] = [median(seen.times), median(seen.waits)]
  const lines = [
    `GET /api/export: ${todos} to-dos, ${habits} habits × ${days} days, ${sessions} sessions, ${(bytes / 1e6).toFixed(1)} MB, ${rounds} rounds`,
    `  time                   median ${ms(time)}   worst ${ms(Math.max(...seen.times))}   (at most ${mostTime} ms)`,
    `    to bare reading      ratio ${(time / median(seen.floors)).toFixed(2)}   (read whole and made JSON at once: ${ms(median(seen.floors))})`,
    `  longest wait of others median ${ms(wait)}   worst ${ms(Math.max(...seen.waits))}   (at most ${mostWait} ms)`,
    `    to an idle server    ratio ${(wait / median(seen.idle)).toFixed(2)}   (longest while nothing else is done: ${ms(median(seen.idle))})`,
    `POST /api/import of it: ${ms(importing.time)} in ${importing.pieces} pieces, the longest ${ms(importing.longest)}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)

  await Promise.all([maren.terminate(), other.terminate()])
  await listening.close(1_000)
  await database.close()
  process.exit(time <= mostTime && wait <= mostWait ? 0 : 1)
}

/** @param {import('./person.mjs').Person} person */
function startClient(person) {
  return new Worker(new URL(import.meta.url), { workerData: person })
}

/**
 * @param {Worker} client
 * @param {'fill' | 'download' | 'watch' | 'tell'} order
 */
async function ask(client, order) {
  const answered = once(client, 'message')
  client.postMessage(order)
  const [answer] = await answered
  if (answer.failed) throw new Error(answer.failed)
  return answer
}

/** In a thread: carries out orders as a signed-in person. */
function client() {
  let longest = 0
  let watching = false
  const orders = {
    fill,
    download,
    async watch() {
      longest = 0
      watching = true
      void askOnAndOn()
      return {}
    },
    async tell() {
      watching = false
      return { longest }
    },
  }
  async function askOnAndOn() {
    while (watching) {
      const started = performance.now()
      await (await call(workerData, 'GET', '/api/todos')).text()
      longest = Math.max(longest, performance.now() - started)
    }
  }
  parentPort?.on('message', (/** @type {keyof typeof orders} */ order) => {
    orders[order]().then(
      (answer) => parentPort?.postMessage(answer),
      (error) => parentPort?.postMessage({ failed: String(error) }),
    )
  })
}

/** A busy person's year, imported like any other file. */
async function fill() {
  const now = Date.now()
  const today = /** @type {import('../../src/platform/calendar/day.ts').Day} */ (
    instantToWire(now).slice(0, 10)
  )
  const id = (/** @type {number} */ at) => newRowId(at, randomBytes(10))
  const ago = (/** @type {number} */ place, /** @type {number} */ count) =>
    now - Math.floor(((place + 1) / count) * days * 86_400_000)
  const exported = {
    format: 'daymark',
    version: 1,
    exported_at: instantToWire(now),
    account: { name: 'Maren', email: 'maren@lindholm.example' },
    preferences: {
      time_zone: 'UTC',
      time_zone_follows_browser: true,
      day_start: 0,
      week_start: 1,
      theme: 'system',
    },
    todos: Array.from({ length: todos }, (_, place) => {
      const at = ago(place, todos)
      const done = place % 5 !== 0
      return {
        id: id(at),
        title: `Task ${place}: answer the letter of the insurance before the end of the month`,
        completed: done ? 1 : 0,
        completed_at: done ? instantToWire(at) : null,
        completed_on: done ? instantToWire(at).slice(0, 10) : null,
        created_at: instantToWire(at),
        updated_at: instantToWire(at),
      }
    }),
    habits: Array.from({ length: habits }, (_, place) => ({
      id: id(now - place),
      name: `Habit ${place}`,
      description: 'Every day, whatever comes',
      frequency: 'daily',
      start_date: addDays(today, 1 - days),
      created_at: instantToWire(now - place),
      completions: Array.from({ length: days }, (_, back) => addDays(today, back + 1 - days)),
    })),
    focus_sessions: Array.from({ length: sessions }, (_, place) => {
      const ended = ago(place, sessions)
      return {
        id: id(ended),
        duration: 1_500,
        started_at: instantToWire(ended - 1_500_000),
        ended_at: instantToWire(ended),
        days: [{ day: instantToWire(ended).slice(0, 10), seconds: 1_500 }],
      }
    }),
  }
  const reading = readExport(JSON.stringify(exported))
  if ('problem' in reading) throw new Error(reading.problem)
  const pieces = splitIntoPieces(reading.exported, true)
  const started = performance.now()
  let longest = 0
  for (const piece of pieces) {
    const begun = performance.now()
    await call(workerData, 'POST', '/api/import', piece)
    longest = Math.max(longest, performance.now() - begun)
  }
  return { time: performance.now() - started, pieces: pieces.length, longest }
}

async function download() {
  const started = performance.now()
  const text = await (await call(workerData, 'GET', '/api/export')).text()
  const time = performance.now() - started
  const reading = readExport(text)
  if ('problem' in reading || reading.exported.todos.length !== todos) throw new Error('It is not whole')
  return { time, bytes: text.length }
}

/**
 * The least that any response can cost: every row read with the bare driver, one statement per list.
 * @param {string} path
 */
function bareExport(path) {
  const file = new DatabaseSync(path, { readOnly: true })
  const lists = [
    'select id, title, completed, completed_at, completed_on, created_at, updated_at from todos',
    'select habit_id, day from completions where done = 1',
    'select s.id, duration, started_at, ended_at, day, seconds from focus_sessions s join focus_days d on d.session_id = s.id',
  ].map((statement) => file.prepare(statement).all())
  file.close()
  return JSON.stringify(lists)
}

/** @param {number} milliseconds */
function ms(milliseconds) {
  return `${milliseconds.toFixed(1)} ms`
}
