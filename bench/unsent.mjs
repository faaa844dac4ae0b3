// How long changes that waited on a device take to reach the server if every request takes 80 ms: 200 of them, 1,000,
// and 200 with a rejected one in the middle. The sender is the web's own, the server is Daymark, and a proxy between
// them adds the delay. Each result is printed next to the same changes sent one by one, as to a server that doesn't
// support batches, and as a ratio to its floor: the same batches sent bare, one after the other. The promise is 200
// within 3 s.
// `node bench/unsent.mjs [rounds]`
import 'fake-indexeddb/auto'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { addTodo, todoWrites } from '../src/features/todos/todo/web/todo-queries.ts'
import { AccountSync } from '../src/platform/sync/account/account-sync.ts'
import { openIndexedDbStore } from '../src/platform/sync/local-store/indexed-db-store.ts'
import { maxChanges } from '../src/platform/wire/changes.ts'
import { newRowId } from '../src/platform/wire/ids/new-row-id.ts'
import { signUp } from './calls/person.mjs'
import { cores, startDaymark } from './server/processes.mjs'
import { median } from './share.mjs'

const delay = 80
const most = 3_000
const rounds = Number(process.argv[2] ?? 5)
/** @type {[string, number, boolean][]} */
const loads = [
  ['200 changes', 200, false],
  ['1,000 changes', 1_000, false],
  ['200 changes, one of them refused', 200, true],
]

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const daymark = await startDaymark(
  'src/app/server.ts',
  { DATABASE_URL: `sqlite:${join(folder, 'daymark.db')}`, RATE_LIMIT: 'on' },
  cores.serving,
)
const proxy = await openProxy(daymark.port)
const maren = await signUp(`http://127.0.0.1:${daymark.port}`, 'maren')
askOverProxy()

let failed = false
say(
  `Changes that waited, ${delay} ms a request, the median of ${rounds}; the promise is 200 in ${most} ms.\n`,
)
for (const [name, count, oneRefused] of loads) {
  /** @type {number[]} */
  const together = []
  /** @type {number[]} */
  const floors = []
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await sendBare(count))
    together.push(await sendWaiting(count, oneRefused))
  }
  proxy.knowsBatches = false
  const oneByOne = await sendWaiting(count, oneRefused)
  proxy.knowsBatches = true
  const time = median(together)
  const ratio = (time / median(floors)).toFixed(1)
  say(name)
  say(`  one by one   ${inMilliseconds(oneByOne)}`)
  say(
    `  together     ${inMilliseconds(time)}   ${ratio} times the bare batches (${inMilliseconds(median(floors)).trim()})`,
  )
  if (count === 200 && time > most) failed = true
}
if (failed) say('\nThe promise is broken.')
proxy.close()
await daymark.stop()
process.exit(failed ? 1 : 0)

/**
 * Sends the changes waiting on a device, until the server has responded to all of them.
 * @param {number} count
 * @param {boolean} oneRefused
 */
async function sendWaiting(count, oneRefused) {
  const sync = new AccountSync({
    account: maren.user,
    writes: todoWrites,
    queryClient: new QueryClient(),
    store: openIndexedDbStore(),
    tabId: 'bench',
    visible: () => true,
  })
  await Promise.all(
    todosOf(count).map((vars, place) => {
      // Longer than a title may be.
      const title = oneRefused && place === count / 2 ? 'x'.repeat(501) : vars.title
      return sync.write(addTodo, { ...vars, title })
    }),
  )
  const started = performance.now()
  const sent = new Promise((resolve) => {
    sync.subscribe(() => sync.outbox.waiting === 0 && resolve(undefined))
  })
  sync.start({ onSignedOut() {}, onWiped() {}, onOutdated() {}, onCleared() {} })
  await sent
  const time = performance.now() - started
  const refused = sync.outbox.failedWrites.length
  if (refused !== Number(oneRefused)) throw new Error(`${refused} were refused`)
  await sync.wipe()
  return time
}

/**
 * The floor: the same batches with no client code around them.
 * @param {number} count
 */
async function sendBare(count) {
  const changes = todosOf(count).map((body) => [
    { method: 'POST', path: '/api/todos', body: { ...body, completed: 0 } },
  ])
  const started = performance.now()
  for (let next = 0; next < count; next += maxChanges) {
    const response = await fetch('/api/changes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rows: changes.slice(next, next + maxChanges) }),
    })
    if (!response.ok) throw new Error(await response.text())
    await response.arrayBuffer()
  }
  return performance.now() - started
}

/** @param {number} count */
function todosOf(count) {
  const now = Date.now()
  const at = new Date(now).toISOString()
  return Array.from({ length: count }, (_, place) => ({
    id: newRowId(now, randomBytes(10)),
    title: `Water the plants in the hall, number ${place}`,
    at,
  }))
}

/** As on a page of a signed-in person. */
function askOverProxy() {
  const bare = fetch
  globalThis.fetch = (path, init) =>
    bare(new URL(String(path), `http://127.0.0.1:${proxy.port}`), {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), cookie: maren.cookie },
    })
}

/** Forwards everything, each request after `delay`. @param {number} port */
async function openProxy(port) {
  const agent = new Agent({ keepAlive: true })
  const state = { knowsBatches: true, port: 0, close: () => {} }
  const server = createServer((asked, response) => {
    setTimeout(() => {
      if (!state.knowsBatches && asked.url === '/api/changes') {
        asked.resume()
        response.writeHead(404, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ code: 'NOT_FOUND', message: "This doesn't exist, or it was deleted." }))
        return
      }
      const { method, url: path, headers } = asked
      const passed = request({ agent, host: '127.0.0.1', port, method, path, headers }, (passing) => {
        response.writeHead(passing.statusCode ?? 502, passing.headers)
        passing.pipe(response)
      })
      asked.pipe(passed)
    }, delay)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  state.port = typeof address === 'object' && address ? address.port : 0
  state.close = () => {
    server.close()
    agent.destroy()
  }
  return state
}

/** @param {number} time */
function inMilliseconds(time) {
  return `${Math.round(time)} ms`.padStart(9)
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
