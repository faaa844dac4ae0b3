// Mixed load with metrics on: memory at each minute, which has to stay flat, and the values of /metrics next to what
// the load sent, which have to be equal. Not part of `npm run bench`, because it takes long.
// `node bench/metrics.mjs [--minutes 20] [--engine sqlite]`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../src/platform/database/opening/open-database.ts'
import { emptyDatabases } from './server/databases.mjs'
import { addPerson, secret } from './server/people.mjs'
import { cores, forkPinned, memory, startDaymark, tell } from './server/processes.mjs'
import { requestText } from './server/request-text.mjs'

const { values: wishes } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, engine: { type: 'string', default: 'sqlite' } },
})
const minutes = Number(wishes.minutes)
const engine = wishes.engine === 'postgres' ? 'postgres' : 'sqlite'
const token = 'the token of the benchmark, long enough'
// In minutes. By then, code is compiled and caches are full.
const settled = 5
const mostGrowth = 1.1

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const databases = await emptyDatabases(folder)
const url = await databases.empty(engine)
const database = await openDatabase(url)
const people = []
for (let number = 0; number < 16; number += 1) {
  people.push(await addPerson(database, `Busy ${number}`, { todos: 20, habits: 5, days: 60 }))
}
await database.close()
const daymark = await startDaymark(
  'scripts/start.mjs',
  { DATABASE_URL: url, AUTH_SECRET: secret, METRICS_TOKEN: token },
  cores.serving,
)
const { port, pid } = daymark

const habits = `/api/habits/completed?from=${dayAgo(30)}&to=${dayAgo(0)}`
/** What each kind of load requests, and its labels in the metrics. */
const kinds = [
  {
    labels: ['GET', '/api/todos'],
    requests: people.map(({ cookie }) => [requestText('GET', '/api/todos', cookie)]),
  },
  {
    labels: ['PUT', '/api/todos/{id}'],
    requests: people
      .slice(0, 8)
      .map(({ cookie, todos }) =>
        [1, 0].map((completed) => requestText('PUT', `/api/todos/${todos[0]}`, cookie, { completed })),
      ),
  },
  {
    labels: ['GET', '/api/habits/completed'],
    requests: people.slice(0, 4).map(({ cookie }) => [requestText('GET', habits, cookie)]),
  },
  { labels: ['GET', 'page'], requests: [[requestText('GET', '/', '')]] },
].map((kind) => ({ ...kind, load: forkPinned('load.mjs', cores.asking), sent: 0 }))
const listeners = forkPinned('listeners.mjs', cores.asking)
const streams = people.flatMap(({ cookie }) => [cookie, cookie, cookie])
await tell(listeners, { open: { port, cookies: streams } })

let reminders = 0
/** @type {number[]} */
const resident = []
for (let minute = 1; minute <= minutes; minute += 1) {
  for (const { cookie } of people.slice(0, 4)) await remind(cookie)
  await Promise.all(
    kinds.map(async (kind) => {
      const { all } = await tell(kind.load, { port, requests: kind.requests, seconds: 59, warmUp: 0 })
      kind.sent += all
    }),
  )
  resident.push(memory(pid).now)
  process.stdout.write(`minute ${minute}: ${resident.at(-1)?.toFixed(0)} MB\n`)
}

// The last response may be counted a moment later, once the connection has taken it.
await pause(500)
let missed = false
const metrics = await read()
for (const { labels, sent } of kinds) compare(labels.join(' '), respondedTo(labels), sent)
compare('POST /api/todos', respondedTo(['POST', '/api/todos']), reminders)
compare('open streams', metrics.get('daymark_event_streams') ?? 0, streams.length)
const toggles = kinds[1]?.sent ?? 0
const written = metrics.get('daymark_writes_total') ?? 0
// Reminders and housekeeping write too.
process.stdout.write(`writes: ${written}, of which the load caused ${toggles + reminders}\n`)
if (written < toggles + reminders) miss('fewer writes than were answered')
process.stdout.write(
  `reminders waiting ${metrics.get('daymark_reminders_waiting')}, alarms overdue ${metrics.get('daymark_alarms_overdue')}\n`,
)
const rss = (metrics.get('process_resident_memory_bytes') ?? 0) / 2 ** 20
process.stdout.write(
  `memory ${rss.toFixed(0)} MB by /metrics, ${memory(pid).now.toFixed(0)} MB by the system\n`,
)
const [then, last] = [resident[settled - 1], resident.at(-1)]
if (minutes > settled && then !== undefined && last !== undefined) {
  const growth = last / then
  process.stdout.write(`from minute ${settled} to minute ${minutes}: ${(100 * (growth - 1)).toFixed(1)} %\n`)
  if (growth > mostGrowth) miss('memory grew by more than 10 %')
}
for (const { load } of kinds) load.disconnect()
listeners.disconnect()
await daymark.stop()
await databases.close()
process.exit(missed ? 1 : 0)

/** All responses for a method and route, whatever their status. @param {string[]} labels */
function respondedTo([method, route]) {
  const beginning = `daymark_requests_total{method="${method}",route="${route}",`
  return [...metrics].reduce((sum, [name, value]) => (name.startsWith(beginning) ? sum + value : sum), 0)
}

/** @param {string} what @param {number} told @param {number} sent */
function compare(what, told, sent) {
  process.stdout.write(`${what}: ${told} by /metrics, ${sent} by the load\n`)
  if (told !== sent) miss(what)
}

/** @param {string} what */
function miss(what) {
  missed = true
  process.stdout.write(`MISSED: ${what}\n`)
}

async function read() {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return /** @type {const} */ ([line.slice(0, end), Number(line.slice(end + 1))])
    }),
  )
}

/** @param {string} cookie */
async function remind(cookie) {
  const remind_at = new Date(Date.now() + 20_000).toISOString()
  const response = await fetch(`http://127.0.0.1:${port}/api/todos`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` },
    body: JSON.stringify({ title: 'Call', completed: 0, remind_at }),
  })
  if (response.status !== 201) throw new Error(`Answered ${response.status}: ${await response.text()}`)
  reminders += 1
}

/** @param {number} days */
function dayAgo(days) {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
