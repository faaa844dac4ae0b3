// What the server costs, compared with the least possible: a bare node:http server that sends the same bytes, and the
// bare database driver. All of them run at once, pinned to cores, and are measured in turn, so that a busy machine
// affects them all alike: read the ratios. SQLite and PostgreSQL (TEST_POSTGRES_URL, or one started for this, with
// durable commits).
// `node bench/server.mjs [--rounds 3] [--seconds 1.5] [--engine sqlite|postgres] [--only reads|scale|start]`
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWebWhenChanged } from '../scripts/web-build.mjs'
import { openDatabase } from '../src/platform/database/opening/open-database.ts'
import { emptyDatabases } from './server/databases.mjs'
import { addCrowd, addPerson, secret } from './server/people.mjs'
import { cores, forkPinned, memory, pinned, processorTime, startDaymark, tell } from './server/processes.mjs'

const { values: wishes } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1.5' },
    engine: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: 'requests,scale,start' },
  },
})
const rounds = Number(wishes.rounds)
const seconds = Number(wishes.seconds)
const server = 'scripts/start.mjs'
/** Roughly the headers that a browser sends. */
const usual = {
  Host: '127.0.0.1',
  Accept: 'application/json',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) bench',
}
const credentials = { email: 'maren@example.org', password: 'correct horse battery' }

/** @typedef {'sqlite' | 'postgres'} Engine */
/** @typedef {import('./server/people.mjs').Person} Person */
/** @typedef {{ name: string, person: Person, daymark: Awaited<ReturnType<typeof startDaymark>> }} House */
/** @typedef {{ method: string, path: string, headers: Record<string, string>, body?: object }} Request */
/** @typedef {{ perSecond: number, median: number, p99: number, statuses: Record<string, number>, processor: number }} Measured */
/**
 * @typedef {{
 *   name: string, requests: Request[][], hashing?: boolean, expected?: number[],
 *   least?: Partial<Record<Engine, number>>, longest?: number
 * }} Scenario
 */

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

await buildWebWhenChanged((line) => process.stderr.write(`${line}\n`))
const databases = await emptyDatabases(folder)
const load = forkPinned('load.mjs', cores.asking)
const bare = forkPinned('bare.mjs', cores.serving)
const [{ port: barePort }] = await once(bare, 'message')

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
const only = wishes.only.split(',')
for (const engine of /** @type {Engine[]} */ (wishes.engine.split(','))) {
  if (only.includes('requests')) results[`${engine}.requests`] = await measureRequests(engine)
  if (only.includes('scale')) results[`${engine}.scale`] = await measureScale(engine)
}
if (only.includes('start')) results.start = await measureStart()
results.loadAfter = loadavg()
results.missed = missed

mkdirSync('dist/bench', { recursive: true })
writeFileSync('dist/bench/server.json', `${JSON.stringify(results, null, 2)}\n`)
say(`\nLoad of the machine before and after: ${[results.loadBefore, results.loadAfter].join(' | ')}`)
say('The same as JSON: dist/bench/server.json')
for (const line of missed) say(`MISSED: ${line}`)
bare.disconnect()
load.disconnect()
await databases.close()
process.exit(missed.length === 0 ? 0 : 1)

/** @param {Engine} engine */
async function measureRequests(engine) {
  const url = await databases.empty(engine)
  const { readers, writers, both, busy } = await fill(url)
  // A second start, like nearly all starts: the first one's compiled code is cached.
  await (await startDaymark(server, { DATABASE_URL: url, AUTH_SECRET: secret }, cores.serving)).stop()
  const daymark = await startDaymark(server, { DATABASE_URL: url, AUTH_SECRET: secret }, cores.serving)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const atRest = memory(daymark.pid).now

  const script = readdirSync('dist/web/assets').find((name) => name.endsWith('.js')) ?? ''
  await fetch(`http://127.0.0.1:${daymark.port}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Maren', ...credentials }),
  })
  const list = get('/api/todos')
  const tags = await tagsOf(daymark.port, readers)
  /** @type {Scenario[]} */
  const scenarios = [
    { name: 'list of 20 to-dos', requests: readers.map(list), least: { sqlite: 0.6, postgres: 0.35 } },
    { name: 'list of 1,000 to-dos', requests: readers.map(() => list(busy)) },
    { name: 'list of 20 habits', requests: readers.map(get('/api/habits')) },
    {
      name: '304, nothing changed',
      requests: readers.map((reader, place) =>
        get('/api/todos', { 'If-None-Match': tags[place] ?? '' })(reader),
      ),
      expected: [304],
      least: { sqlite: 0.7 },
    },
    { name: 'static file', requests: readers.map(get(`/assets/${script}`, { 'Accept-Encoding': 'br' })) },
    {
      name: 'create, 32 at once',
      requests: writers.map(create),
      expected: [201],
      least: { sqlite: 0.4 },
      longest: 25,
    },
    { name: 'toggle, 32 at once', requests: writers.map(toggle), least: { sqlite: 0.4 }, longest: 25 },
    { name: 'create, alone', requests: writers.slice(0, 1).map(create), expected: [201] },
    { name: 'toggle, then the list', requests: both.map(thenRead(toggle, '/api/todos')) },
    {
      name: 'sign-in, 4 at once',
      requests: Array.from({ length: 4 }, () => [
        { method: 'POST', path: '/api/auth/sign-in/email', headers: {}, body: credentials },
      ]),
      hashing: true,
    },
  ]

  /** @type {Map<Scenario, { bare: Measured, daymark: Measured }[]>} */
  const measured = new Map(scenarios.map((scenario) => [scenario, []]))
  const driver = forkPinned('bare-driver.mjs', cores.serving)
  /** @type {{ read: { median: number }, write: { median: number } }[]} */
  const driven = []
  const user = readers.at(-1)?.user
  // Warm up: code gets compiled, pages of the file get read.
  for (const scenario of scenarios) {
    await tell(bare, await responseOf(daymark.port, scenario))
    await measure(barePort, bare.pid ?? 0, scenario)
    await measure(daymark.port, daymark.pid, scenario)
  }
  for (let round = 0; round < rounds; round += 1) {
    driven.push(await tell(driver, { url, seconds: seconds / 2, user: writers.at(-1)?.user ?? user }))
    for (const scenario of scenarios) {
      await tell(bare, await responseOf(daymark.port, scenario))
      const inBare = () => measure(barePort, bare.pid ?? 0, scenario)
      const inDaymark = () => measure(daymark.port, daymark.pid, scenario)
      // Alternate who goes first, so that neither always gets the quieter moment.
      const first = round % 2 === 0 ? await inBare() : await inDaymark()
      const second = round % 2 === 0 ? await inDaymark() : await inBare()
      measured
        .get(scenario)
        ?.push(round % 2 === 0 ? { bare: first, daymark: second } : { daymark: first, bare: second })
    }
  }
  driver.disconnect()

  say(
    `\n${engine}: ${rounds} rounds of ${seconds} s, ${pinned ? 'server and client on a core each' : 'not pinned'}`,
  )
  say(row(['', 'bare /s', 'Daymark /s', 'ratio', 'spread', 'p99 ms', 'CPU µs', 'bare µs']))
  const table = scenarios.map((scenario) => {
    const pairs = measured.get(scenario) ?? []
    const ratios = pairs.map((pair) => pair.daymark.perSecond / pair.bare.perSecond)
    const line = {
      name: scenario.name,
      barePerSecond: median(pairs.map((pair) => pair.bare.perSecond)),
      perSecond: median(pairs.map((pair) => pair.daymark.perSecond)),
      ratio: median(ratios),
      spread: [Math.min(...ratios), Math.max(...ratios)],
      p99: median(pairs.map((pair) => pair.daymark.p99)),
      median: median(pairs.map((pair) => pair.daymark.median)),
      bareMedian: median(pairs.map((pair) => pair.bare.median)),
      processor: median(pairs.map((pair) => pair.daymark.processor)),
      bareProcessor: median(pairs.map((pair) => pair.bare.processor)),
    }
    say(
      row([
        line.name,
        ...[line.barePerSecond, line.perSecond].map((number) => number.toFixed(0)),
        line.ratio.toFixed(2),
        line.spread.map((number) => number.toFixed(2)).join('-'),
        line.p99.toFixed(2),
        line.processor.toFixed(0),
        line.bareProcessor.toFixed(0),
      ]),
    )
    const least = scenario.least?.[engine]
    if (least !== undefined && line.ratio < least)
      miss(engine, line.name, `${line.ratio.toFixed(2)} of bare, not ${least}`)
    if (engine === 'sqlite' && scenario.longest !== undefined && line.p99 > scenario.longest)
      miss(engine, line.name, `p99 of ${line.p99.toFixed(1)} ms, not ${scenario.longest}`)
    return line
  })
  const bareWrite = median(driven.map(({ write }) => write.median))
  const alone = table.find(({ name }) => name === 'create, alone')?.median ?? Number.NaN
  const underLoad = memory(daymark.pid).most
  say(
    `the bare driver: read ${median(driven.map(({ read }) => read.median)).toFixed(3)} ms, durable write ${bareWrite.toFixed(3)} ms`,
  )
  const request = table.find(({ name }) => name === 'create, alone')?.bareMedian ?? Number.NaN
  const added = (alone - request) / bareWrite
  say(
    `a create alone takes ${alone.toFixed(3)} ms, ${(alone / bareWrite).toFixed(2)} of the bare driver's write; ${added.toFixed(2)} without the ${request.toFixed(3)} ms of a bare request`,
  )
  say(`memory: ${atRest.toFixed(0)} MB at rest, ${underLoad.toFixed(0)} MB at most`)
  if (engine === 'sqlite' && alone / bareWrite > 1.5)
    miss(engine, 'create, alone', `${(alone / bareWrite).toFixed(2)} of the bare driver, not 1.5`)
  if (atRest > 150) miss(engine, 'memory at rest', `${atRest.toFixed(0)} MB, not 150`)
  await daymark.stop()
  return { table, bareWrite, alone, added, memory: { atRest, underLoad } }
}

/** @param {Engine} engine */
async function measureScale(engine) {
  const sizes = [1, 1_000, 100_000]
  /** @type {House[]} */
  const houses = []
  for (const size of sizes) {
    const url = await databases.empty(engine)
    const database = await openDatabase(url)
    const person = await addPerson(database, 'Maren', { todos: 20, habits: 20, days: 30 })
    await addCrowd(database, size - 1)
    await database.close()
    const daymark = await startDaymark(server, { DATABASE_URL: url, AUTH_SECRET: secret }, cores.serving)
    houses.push({ name: `${size.toLocaleString('en')} users`, daymark, person })
  }
  const url = await databases.empty(engine)
  const database = await openDatabase(url)
  /** @type {Omit<House, 'daymark'>[]} */
  const years = []
  for (const count of [1, 10]) {
    const person = await addPerson(database, `Years ${count}`, {
      todos: 730 * count,
      habits: 10,
      days: 365 * count,
    })
    years.push({ name: `${count} years of history`, person })
  }
  await database.close()
  const old = await startDaymark(server, { DATABASE_URL: url, AUTH_SECRET: secret }, cores.serving)
  const all = [...houses, ...years.map((year) => ({ ...year, daymark: old }))]

  /** @type {[string, (person: Person) => Request[]][]} */
  const kinds = [
    ['list, as it was', get('/api/todos')],
    ['toggle, then the list', thenRead(toggle, '/api/todos')],
    ['complete, then habits', thenRead(complete, '/api/habits')],
    ['toggle', toggle],
  ]
  /** @type {Map<string, number[]>} */
  const times = new Map()
  // The first round is a warm-up and isn't counted.
  for (let round = -1; round < rounds; round += 1) {
    for (const [kind, requests] of kinds) {
      for (const { name, daymark, person } of all) {
        const { median } = await measure(daymark.port, daymark.pid, {
          name: kind,
          requests: [requests(person)],
        })
        if (round < 0) continue
        const key = `${name}|${kind}`
        times.set(key, [...(times.get(key) ?? []), median])
      }
    }
  }
  for (const { daymark } of houses) await daymark.stop()
  await old.stop()

  say(`\n${engine}: how it grows, one connection, median ms a request (and the ratio to the first)`)
  say(row(['', ...kinds.map(([kind]) => kind)], 25))
  const table = all.map(({ name }) => {
    const costs = kinds.map(([kind]) => {
      const cost = median(times.get(`${name}|${kind}`) ?? [])
      const first = name.includes('years') ? years[0]?.name : houses[0]?.name
      return { kind, cost, ratio: cost / median(times.get(`${first}|${kind}`) ?? []) }
    })
    say(row([name, ...costs.map(({ cost, ratio }) => `${cost.toFixed(3)} (${ratio.toFixed(2)})`)], 25))
    for (const { kind, ratio } of costs) {
      if (name === houses.at(-1)?.name && kind.includes('list') && ratio > 1.3)
        miss(engine, `${kind}, ${name}`, `${ratio.toFixed(2)} times the cost with one, not 1.3`)
    }
    return { name, costs }
  })
  return table
}

/** From the start of the process to the first response, with an existing database. */
async function measureStart() {
  const url = await databases.empty('sqlite')
  await (await openDatabase(url)).close()
  const times = []
  for (let round = 0; round < Math.max(3, rounds); round += 1) {
    const daymark = await startDaymark(
      'scripts/start.mjs',
      { DATABASE_URL: url, AUTH_SECRET: secret },
      cores.serving,
    )
    times.push(daymark.firstResponse)
    await daymark.stop()
  }
  const [time, worst] = [median(times), Math.max(...times)]
  say(`\nfrom start to first answer: ${time.toFixed(0)} ms, the longest ${worst.toFixed(0)} ms`)
  if (time > 1_500) miss('sqlite', 'first answer', `after ${time.toFixed(0)} ms, not 1,500`)
  return { times }
}

/** @param {string} url */
async function fill(url) {
  const database = await openDatabase(url)
  const readers = []
  const writers = []
  const both = []
  for (let number = 0; number < 32; number += 1) {
    readers.push(await addPerson(database, `Reader ${number}`, { todos: 20, habits: 20, days: 30 }))
    writers.push(await addPerson(database, `Writer ${number}`, { todos: 20 }))
    both.push(await addPerson(database, `Both ${number}`, { todos: 20 }))
  }
  const busy = await addPerson(database, 'Busy', { todos: 1_000 })
  await database.close()
  return { readers, writers, both, busy }
}

/** @param {number} port @param {number} pid @param {Scenario} scenario @returns {Promise<Measured>} */
async function measure(port, pid, { name, requests, expected = [200], hashing }) {
  const warmUp = 0.3
  const before = processorTime(pid)
  const measured = await tell(load, {
    port,
    requests: requests.map((own) => own.map(asText)),
    seconds: hashing ? 2 * seconds : seconds,
    warmUp,
  })
  const unexpected = Object.keys(measured.statuses).filter((status) => !expected.includes(Number(status)))
  if (unexpected.length > 0) throw new Error(`${name}: answered ${unexpected}`)
  // Both sides of the division include the warm-up, to a good approximation.
  const answered = measured.perSecond * (warmUp + (hashing ? 2 : 1) * seconds)
  return { ...measured, processor: ((processorTime(pid) - before) * 1000) / answered }
}

/** What the bare server should send: the same bytes as Daymark. @param {number} port @param {Scenario} scenario */
async function responseOf(port, { requests, hashing = false }) {
  const request = requests[0]?.at(-1)
  if (!request) throw new Error('Nothing is asked')
  const { method, path, headers, body } = request
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: body ? { ...headers, 'Content-Type': 'application/json' } : headers,
    body: body ? JSON.stringify(body) : null,
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    headers: response.status === 304 ? {} : { 'Content-Type': type, 'Content-Length': String(bytes.length) },
    body: bytes.toString('base64'),
    hashing,
  }
}

/** @param {number} port @param {Person[]} people */
async function tagsOf(port, people) {
  const tags = []
  for (const { cookie } of people) {
    const { headers } = await fetch(`http://127.0.0.1:${port}/api/todos`, { headers: { cookie } })
    tags.push(headers.get('etag'))
  }
  return tags
}

/** @param {string} path @param {Record<string, string>} [headers] @returns {(person: Person) => Request[]} */
function get(path, headers = {}) {
  return ({ cookie }) => [{ method: 'GET', path, headers: { Cookie: cookie, ...headers } }]
}

/** @param {Person} person @returns {Request[]} */
function create({ cookie }) {
  const body = { title: 'Answer the letter of the insurance', completed: 0 }
  return [{ method: 'POST', path: '/api/todos', headers: { Cookie: cookie }, body }]
}

/** @param {Person} person @returns {Request[]} */
function toggle({ cookie, todos }) {
  const path = `/api/todos/${todos[0]}`
  return [1, 0].map((completed) => ({
    method: 'PUT',
    path,
    headers: { Cookie: cookie },
    body: { completed },
  }))
}

/** @param {Person} person @returns {Request[]} */
function complete({ cookie, habits }) {
  const path = `/api/habits/${habits[0]}/complete`
  return [true, false].map((completed) => ({
    method: 'POST',
    path,
    headers: { Cookie: cookie },
    body: { completed },
  }))
}

/**
 * Writes, each followed by reading a list, as in a browser.
 * @param {(person: Person) => Request[]} writes
 * @param {string} path
 * @returns {(person: Person) => Request[]}
 */
function thenRead(writes, path) {
  return (person) => writes(person).flatMap((write) => [write, ...get(path)(person)])
}

/** @param {Request} request */
function asText({ method, path, headers, body }) {
  const json = body ? JSON.stringify(body) : ''
  const ofBody = body ? { 'Content-Type': 'application/json', 'Content-Length': json.length } : {}
  const lines = Object.entries({ ...usual, ...headers, ...ofBody }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${json}`
}

/** @param {(string | number)[]} cells */
function row(cells, width = 12) {
  return cells
    .map((cell, place) => (place === 0 ? String(cell).padEnd(24) : String(cell).padStart(width)))
    .join('')
}

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** @param {string} engine @param {string} what @param {string} how */
function miss(engine, what, how) {
  missed.push(`${engine}, ${what}: ${how}`)
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
