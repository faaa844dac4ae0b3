// What moving in costs: 5,000 tasks, and 20 habits of five years, on SQLite over HTTP. Prints how long the device works on the
// file (its worker, at a quarter of the speed), how long comparing, writing and undoing take, and the longest wait for the list of
// tasks in the meantime, beside one when nothing else happens. The promise is 10 s from the file to the last row.
// `node bench/calls/imports.mjs [rounds]`
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { readFile } from '../../src/features/imports/opening/read-file.ts'
import { addDays, daySchema } from '../../src/platform/calendar/day.ts'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'
import { median } from '../share.mjs'
import { daymarkOn } from './daymark.mjs'
import { call, signUp } from './person.mjs'

const tasks = 5_000
const habits = 20
const days = 1_826
const slowness = 4
const mostTime = 10_000
const rounds = Number(process.argv[2] ?? 3)
const nothing = { lists: [], todos: [], habits: [], sessions: [], notes: [], questions: [] }

if (isMainThread) await measure()
else await client()

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { database, listening, address } = await daymarkOn(`sqlite:${join(folder, 'daymark.db')}`, {
    rateLimit: true,
  })
  let missed = false
  for (const kind of ['tasks', 'habits']) {
    /** @type {Record<string, number>[]} */
    const measured = []
    for (let round = 0; round < rounds; round += 1) {
      const person = await signUp(address, `${kind}${round}`)
      const worker = new Worker(new URL(import.meta.url), { workerData: { person, kind } })
      measured.push((await once(worker, 'message'))[0])
      await worker.terminate()
    }
    const of = (/** @type {string} */ part) => median(measured.map((each) => each[part] ?? 0))
    const whole = of('reading') * slowness + of('comparing') + of('writing')
    missed ||= whole > mostTime
    const what = kind === 'tasks' ? `${tasks} tasks` : `${habits} habits of ${days} days`
    process.stdout.write(
      `${what}: ${whole.toFixed(0)} ms of ${mostTime} (read ${(of('reading') * slowness).toFixed(0)}, compared ${of('comparing').toFixed(0)}, written ${of('writing').toFixed(0)}); undone in ${of('undoing').toFixed(0)} ms; the list of tasks waited up to ${of('wait').toFixed(0)} ms meanwhile, ${of('alone').toFixed(0)} ms afterwards\n`,
    )
  }
  await listening.close(1_000)
  await database.close()
  process.exitCode = missed ? 1 : 0
}

/** Runs in a thread of its own, as a device does. */
async function client() {
  const { person, kind } = workerData
  const today = daySchema.parse(new Date().toISOString().slice(0, 10))
  const context = { timeZone: 'UTC', dayStart: 0, weekStart: 1, today, now: Date.now(), answers: {} }
  const reading = kind === 'tasks' ? readingOfTasks() : readingOfHabits(today)
  const reader = { source: 'bench', name: 'Bench', recognises: () => true, read: () => reading }
  const [read, readingTime] = await timed(async () =>
    readFile({ kind: 'text', name: 'bench', text: '' }, /** @type {any} */ (context), [
      /** @type {any} */ (reader),
    ]),
  )
  if ('problem' in read) throw new Error(read.problem)
  let [wait, isOver] = [0, false]
  const watching = (async () => {
    while (!isOver) {
      const [, time] = await timed(async () =>
        (await call(person, 'GET', '/api/todos?done=recent')).arrayBuffer(),
      )
      wait = Math.max(wait, time)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  const [, comparing] = await timed(async () => {
    for (const preview of read.previews)
      await call(person, 'POST', '/api/import/preview', JSON.parse(preview))
  })
  const id = newRowId(Date.now(), randomBytes(10))
  const [, writing] = await timed(async () => {
    for (const piece of read.pieces) {
      await call(person, 'POST', '/api/import', { ...JSON.parse(piece), import: { id, source: 'bench' } })
    }
  })
  isOver = true
  await watching
  // As long as the list is by then, and nothing else happens.
  const [, alone] = await timed(async () =>
    (await call(person, 'GET', '/api/todos?done=recent')).arrayBuffer(),
  )
  const [, undoing] = await timed(() => call(person, 'POST', `/api/imports/${id}/undo`, {}))
  parentPort?.postMessage({ reading: readingTime, comparing, writing, undoing, wait, alone })
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<[T, number]>}
 */
async function timed(work) {
  const started = performance.now()
  const done = await work()
  return [done, performance.now() - started]
}

function readingOfTasks() {
  const lists = Array.from({ length: 20 }, (_, nth) => ({
    key: `${nth}`,
    name: `List ${nth}`,
    archived: false,
  }))
  const todos = Array.from({ length: tasks }, (_, nth) => ({
    key: `${nth}`,
    title: `Task number ${nth} of those that moved in`,
    priority: nth % 4,
    tags: ['moved'],
    list: `${nth % 20}`,
    note: nth % 5 === 0 ? 'Some words about it. '.repeat(10) : '',
    ...(nth % 3 === 2 && { parent: `${nth - (nth % 3)}` }),
  }))
  const rows = todos.map(({ key, title }, nth) => ({
    line: nth + 1,
    what: 'task',
    title,
    becomes: key,
    changed: [],
  }))
  return { ...nothing, lists, todos, rows }
}

/** @param {import('../../src/platform/calendar/day.ts').Day} today */
function readingOfHabits(today) {
  const past = Array.from({ length: days }, (_, nth) => addDays(today, -nth))
  const all = Array.from({ length: habits }, (_, nth) => ({
    key: `${nth}`,
    name: `Habit ${nth}`,
    description: '',
    start: past.at(-1),
    archived: false,
    rhythms: [{ from_day: past.at(-1), rhythm: { every: 1 }, target: 'yes' }],
    completions: past,
    skips: [],
    notes: [],
    amounts: [],
  }))
  const rows = all.flatMap(({ key, name }) =>
    past.map((day) => ({ line: 1, what: 'day', title: name, becomes: `${key}#${day}`, changed: [] })),
  )
  return { ...nothing, habits: all, rows }
}
