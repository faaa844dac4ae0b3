// What a change costs that another device reads: one device ticks or renames, the other, which has the list, reads it. Once as a
// whole, and once by revision, as devices ask. How much of its processor the server needs for both together, and how many bytes the
// reading one is sent, compressed as for a browser. The floor: the same change, and a list of that length that has not changed.
// All in turns. The promise: at most 1.5 ms and 5 KB by revision, however long the list is. SQLite and PostgreSQL.
// `node bench/changes.mjs [--rounds 3] [--seconds 1.5] [--engine sqlite,postgres] [--beside FOLDER]`
// With `--beside` another checkout is measured in turns with this one, on a database of its own.
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { buildWebWhenChanged } from '../scripts/web-build.mjs'
import { importTodos } from '../src/features/todos/server/exported-todo-store.ts'
import { todoRow } from '../src/features/todos/todo/todo-row.ts'
import { addDays, instantToWire } from '../src/platform/calendar/day.ts'
import { openDatabase } from '../src/platform/database/opening/open-database.ts'
import { writeWithinLimits } from '../src/platform/database/rows/write-within-limits.ts'
import { newRowId } from '../src/platform/wire/ids/new-row-id.ts'
import { valuesWhenMissing } from '../src/platform/wire/synced-row.ts'
import { emptyDatabases } from './server/databases.mjs'
import { addPerson, addSession, secret } from './server/people.mjs'
import { cores, pinned, processorTime, startDaymark } from './server/processes.mjs'
import { median } from './share.mjs'

const { values: wishes } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1.5' },
    engine: { type: 'string', default: 'sqlite,postgres' },
    beside: { type: 'string' },
  },
})
const rounds = Number(wishes.rounds)
const seconds = Number(wishes.seconds)
/** Microseconds, and bytes of the body. */
const most = { processor: 1_500, bytes: 5 * 1_024 }

/** Whose list it is: so many open tasks, tasks done over the last year, and habits done on each of the last 60 days. */
const sizes = [
  { name: '50 tasks', path: '/api/todos?done=recent', todos: 50 },
  { name: '300 tasks, 3,000 done', path: '/api/todos?done=recent', todos: 300, done: 3_000 },
  { name: '5,000 tasks', path: '/api/todos?done=recent', todos: 5_000 },
  { name: '10 habits', path: '/api/habits', habits: 10 },
]
/** How many of the rows are changed, one after another. */
const changed = 200

/**
 * @typedef {'sqlite' | 'postgres'} Engine
 * @typedef {(typeof sizes)[number]} Size
 * @typedef {{ writer: string, reader: string, other: string, todos: string[], habits: string[] }} Account
 * `writer`, `reader`: cookies of two devices; `other`: that of somebody with the same rows, who changes nothing
 * @typedef {{ name: string, port: number, pid: number, accounts: Account[], stop: () => Promise<void> }} House
 * @typedef {'change alone' | 'change, unchanged list' | 'change, whole list' | 'change, by revision'} Way
 * @typedef {{ status: number, tag: string, sent: number, body: Buffer }} Answer
 * @typedef {{ processor: number, time: number, sent: number, json: number }} Cost `processor`: microseconds for a change and its read;
 * `time`: milliseconds until the read was answered; `sent`, `json`: bytes of its body, as sent and as read
 */
const floor = 'change, unchanged list'
/** @type {Way[]} */
const ways = ['change alone', floor, 'change, whole list', 'change, by revision']

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
await buildWebWhenChanged((line) => process.stderr.write(`${line}\n`))
const databases = await emptyDatabases(folder)
const agent = new Agent({ keepAlive: true })
const checkouts = [
  { name: 'here', root: resolve(import.meta.dirname, '..') },
  ...(wishes.beside === undefined ? [] : [{ name: 'beside', root: resolve(wishes.beside) }]),
]

/** @type {Record<string, unknown>} */
const results = {
  date: new Date().toISOString(),
  node: process.version,
  processor: `${cpus().length} × ${cpus()[0]?.model}`,
  pinned,
  rounds,
  seconds,
  loadBefore: loadavg(),
}
/** @type {string[]} */
const missed = []
for (const engine of /** @type {Engine[]} */ (wishes.engine.split(','))) {
  results[engine] = await measure(engine)
}
results.loadAfter = loadavg()
mkdirSync('dist/bench', { recursive: true })
writeFileSync('dist/bench/changes.json', `${JSON.stringify({ ...results, missed }, null, 2)}\n`)
say(`\nLoad of the machine before and after: ${[results.loadBefore, results.loadAfter].join(' | ')}`)
say('The same as JSON: dist/bench/changes.json')
for (const line of missed) say(`MISSED: ${line}`)
agent.destroy()
await databases.close()
process.exit(missed.length === 0 ? 0 : 1)

/** @param {Engine} engine */
async function measure(engine) {
  /** @type {House[]} */
  const houses = []
  for (const checkout of checkouts) houses.push(await open(engine, checkout))
  say(
    `\n${engine}: ${rounds} rounds of ${seconds} s, ${pinned ? 'the server on a core of its own' : 'not pinned'}`,
  )
  say(row(['', 'CPU µs', 'least-most', 'times floor', 'read ms', 'bytes sent', 'of JSON']))
  const table = []
  for (const [place, size] of sizes.entries()) {
    const runs = []
    for (const house of houses) {
      const account = house.accounts[place]
      if (!account) throw new Error('Each list has an account')
      const asked = (await answersByRevision(house, size, account)) ? ways : ways.slice(0, -1)
      for (const way of asked)
        runs.push({ house, way, run: runOf(house, size, account, way), costs: /** @type {Cost[]} */ ([]) })
    }
    // The first round is a warm-up and isn't counted: code gets compiled, pages of the file get read.
    for (let round = -1; round < rounds; round += 1) {
      for (const { run, costs } of round % 2 === 0 ? runs : runs.toReversed()) {
        const cost = await run()
        if (round >= 0) costs.push(cost)
      }
    }
    for (const house of houses) {
      const own = runs.filter((each) => each.house === house)
      table.push(...print(engine, size, house, own))
    }
  }
  for (const { stop } of houses) await stop()
  return table
}

/**
 * @param {Engine} engine
 * @param {Size} size
 * @param {House} house
 * @param {{ way: Way, costs: Cost[] }[]} runs
 */
function print(engine, size, house, runs) {
  const of = Object.fromEntries(
    runs.map(({ way, costs }) => [way, median(costs.map((each) => each.processor))]),
  )
  const where = checkouts.length > 1 ? `${house.name}, ` : ''
  const lines = runs.map(({ way, costs }) => {
    const all = (/** @type {keyof Cost} */ name) => costs.map((cost) => cost[name])
    const processors = all('processor')
    const line = {
      name: `${where}${size.name}: ${way}`,
      processor: median(processors),
      spread: [Math.min(...processors), Math.max(...processors)],
      toFloor: median(processors) / (of[floor] ?? Number.NaN),
      time: median(all('time')),
      sent: median(all('sent')),
      json: median(all('json')),
    }
    const ofRead =
      way === 'change alone' ? ['', '', ''] : [line.time.toFixed(2), ...[line.sent, line.json].map(whole)]
    say(
      row([
        line.name,
        whole(line.processor),
        line.spread.map(whole).join('-'),
        line.toFloor.toFixed(2),
        ...ofRead,
      ]),
    )
    if (way === 'change, by revision' && house.name === 'here') {
      if (line.processor > most.processor)
        missed.push(`${engine}, ${line.name}: ${whole(line.processor)} µs, not ${whole(most.processor)}`)
      if (line.sent > most.bytes)
        missed.push(`${engine}, ${line.name}: ${whole(line.sent)} bytes, not ${whole(most.bytes)}`)
    }
    return line
  })
  const [entire, part] = [lines[2], lines[3]]
  if (entire && part)
    say(
      `  by revision it takes ${(part.processor / entire.processor).toFixed(3)} of the processor that the whole list takes, and ${(part.sent / entire.sent).toFixed(4)} of its bytes`,
    )
  else say('  does not answer by revision')
  return lines
}

/**
 * What a change and its read cost in one way, measured anew at each call.
 * @param {House} house
 * @param {Size} size
 * @param {Account} account
 * @param {Way} way
 * @returns {() => Promise<Cost>}
 */
function runOf({ port, pid }, { path }, account, way) {
  const { reader, other } = account
  const change = changesOf(port, account)
  const read = async (/** @type {string} */ tag) => {
    if (way === floor) return ask(port, 'GET', path, other, { tag })
    return ask(port, 'GET', way === 'change, by revision' ? by(path, tag) : path, reader, { tag })
  }
  return async () => {
    let { tag } = await ask(port, 'GET', path, way === floor ? other : reader)
    /** @type {Answer | undefined} */
    let last
    let changedRow = ''
    let count = 0
    const times = []
    const used = processorTime(pid)
    const end = performance.now() + seconds * 1_000
    for (; performance.now() < end; count += 1) {
      changedRow = await change()
      if (way === 'change alone') continue
      const started = performance.now()
      last = await read(tag)
      times.push(performance.now() - started)
      tag = last.tag
    }
    const processor = ((processorTime(pid) - used) * 1_000) / count
    if (!last) return { processor, time: 0, sent: 0, json: 0 }
    ensure(way, last, changedRow)
    return { processor, time: median(times), sent: last.sent, json: last.body.length }
  }
}

/** Throws unless the last read was answered in this way, and with the row that had just been changed. @param {Way} way @param {Answer} answer @param {string} id */
function ensure(way, { status, body }, id) {
  if (way === floor) {
    if (status !== 304) throw new Error(`An unchanged list was answered with ${status}`)
    return
  }
  const { since, ...rest } = JSON.parse(body.toString())
  const rows = rest.todos ?? rest.habits
  const isFound = rows.some((/** @type {{ id: string }} */ row) => row.id === id)
  if (status !== 200 || !isFound) throw new Error(`${way}: the change is not in the answer`)
  if (way === 'change, by revision' && (since === undefined || rows.length > 1))
    throw new Error(`${way}: ${rows.length} rows were answered`)
}

/** Whether a device that has the list is sent no more than what was changed. @param {House} house @param {Size} size @param {Account} account */
async function answersByRevision({ port }, { path }, account) {
  const { tag } = await ask(port, 'GET', path, account.reader)
  await changesOf(port, account)()
  const { body } = await ask(port, 'GET', by(path, tag), account.reader, { tag })
  return 'since' in JSON.parse(body.toString())
}

/** @param {string} path @param {string} tag */
function by(path, tag) {
  return `${path}${path.includes('?') ? '&' : '?'}since=${tag.slice(1, -1)}`
}

/**
 * Makes one change after another, after four of which a row is as it was. Each resolves with the id of its row.
 * @param {number} port
 * @param {Account} account
 * @returns {() => Promise<string>}
 */
function changesOf(port, { writer, todos, habits }) {
  const ids = habits.length > 0 ? habits : todos.slice(0, changed)
  let made = 0
  return async () => {
    const id = ids[Math.floor(made / 4) % ids.length] ?? ''
    const step = made % 4
    made += 1
    if (habits.length > 0) {
      await ask(port, 'POST', `/api/habits/${id}/complete`, writer, { body: { completed: step % 2 === 0 } })
    } else if (step % 2 === 0) {
      await ask(port, 'PUT', `/api/todos/${id}`, writer, { body: { completed: step === 0 ? 1 : 0 } })
    } else {
      const title =
        step === 1 ? 'Answer the letter of the insurance today' : 'Answer the letter of the insurance'
      await ask(port, 'PUT', `/api/todos/${id}/edit`, writer, { body: { title } })
    }
    return id
  }
}

/**
 * Sends a request as a browser does. Throws if it is refused.
 * @param {number} port
 * @param {string} method
 * @param {string} path
 * @param {string} cookie
 * @param {{ body?: object, tag?: string }} [more] `tag`: of what the device has
 * @returns {Promise<Answer>}
 */
function ask(port, method, path, cookie, { body, tag } = {}) {
  const json = body && JSON.stringify(body)
  const headers = {
    Accept: 'application/json',
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    Cookie: cookie,
    Origin: `http://127.0.0.1:${port}`,
    ...(tag !== undefined && { 'If-None-Match': tag }),
    ...(json !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(json),
    }),
  }
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
      /** @type {Buffer[]} */
      const pieces = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const sent = Buffer.concat(pieces)
        const status = response.statusCode ?? 0
        if (status !== 200 && status !== 304) return reject(new Error(`${method} ${path}: ${status} ${sent}`))
        const body = response.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
        resolve({ status, tag: (response.headers.etag ?? '').replace('W/', ''), sent: sent.length, body })
      })
    })
    asked.on('error', reject)
    asked.end(json)
  })
}

/**
 * @param {Engine} engine
 * @param {{ name: string, root: string }} checkout
 * @returns {Promise<House>}
 */
async function open(engine, { name, root }) {
  const url = await databases.empty(engine)
  const database = await openDatabase(url)
  /** @type {Account[]} */
  const accounts = []
  for (const size of sizes) {
    const { user, cookie, todos, habits } = await addOwner(database, size)
    const reader = await addSession(database, user)
    const { cookie: other } = await addOwner(database, size)
    accounts.push({ writer: cookie, reader, other, todos, habits })
  }
  await database.close()
  const environment = { DATABASE_URL: url, AUTH_SECRET: secret }
  const { port, pid, stop } = await startDaymark(join(root, 'scripts/start.mjs'), environment, cores.serving)
  return { name, port, pid, accounts, stop }
}

/** @param {Awaited<ReturnType<typeof openDatabase>>} database @param {Size} size */
async function addOwner(database, { name, todos = 0, done = 0, habits = 0 }) {
  const person = await addPerson(database, name, { todos, habits, days: 60 })
  const now = Date.now()
  const today = /** @type {import('../src/platform/calendar/day.ts').Day} */ (instantToWire(now).slice(0, 10))
  const rows = Array.from({ length: done }, (_, place) => {
    const day = addDays(today, -1 - Math.floor((place * 364) / done))
    const at = `${day}T12:00:00.000Z`
    return {
      ...valuesWhenMissing(todoRow),
      id: newRowId(now - place, randomBytes(10)),
      title: `Answer the letter of the insurance, number ${place}`,
      completed: /** @type {const} */ (1),
      completed_at: at,
      completed_on: day,
      created_at: at,
      updated_at: at,
    }
  })
  await writeWithinLimits(database, person.user, ['todos'], (tx, adding) =>
    importTodos(tx, person.user, rows, now, adding),
  )
  return person
}

/** @param {(string | number)[]} cells */
function row(cells) {
  return cells
    .map((cell, place) =>
      place === 0 ? String(cell).padEnd(46) : String(cell).padStart(place === 2 ? 18 : 12),
    )
    .join('')
}

/** @param {number} number */
function whole(number) {
  return Math.round(number).toLocaleString('en')
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
