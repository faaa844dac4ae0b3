// How many requests a second the server carries: the rate rises until the slowest of a hundred takes longer than 250 ms. Four mixes,
// both engines, one process and two. With `--beside FOLDER` another checkout is measured in turns, each on databases of its own.
// In the mix 'devices' two other devices read each change: by revision from a checkout that answers so, else the whole list. 'writes':
// the changes among these requests; 'bytes': of a response.
// 'client %' is what the client needed of a core; near 100, it is the client that was measured. 'tasks': how many each list had by then.
// `node bench/scale.mjs [--engine sqlite,postgres] [--processes 1,2] [--mix usual,reading,writing,devices] [--people 200] [--todos 20]
//   [--crowd 0] [--seconds 4] [--rounds 1] [--pool 10] [--beside FOLDER]`
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildWebWhenChanged } from '../scripts/web-build.mjs'
import { openDatabase } from '../src/platform/database/opening/open-database.ts'
import { emptyDatabases } from './server/databases.mjs'
import { mixes, newRow, requestsOf } from './server/mixes.mjs'
import { addCrowd, addPerson, addSession, secret } from './server/people.mjs'
import { cores, forkPinned, pinned, processorTime, startDaymark, tell } from './server/processes.mjs'

const { values: wishes } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite,postgres' },
    processes: { type: 'string', default: '1,2' },
    mix: { type: 'string', default: Object.keys(mixes).join(',') },
    people: { type: 'string', default: '200' },
    todos: { type: 'string', default: '20' },
    crowd: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '1' },
    pool: { type: 'string' },
    beside: { type: 'string' },
  },
})
/** Milliseconds. */
const longest = 250
/** The first rate, and by how much the next one is higher. */
const first = 50
const higher = 1.3
const finer = 1.04

const seconds = Number(wishes.seconds)
/** @typedef {{ name: string, root: string, ports: number[], pids: number[], people: import('./server/mixes.mjs').Person[] }} House */

const folder = mkdtempSync(join(tmpdir(), 'daymark-scale-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
await buildWebWhenChanged((line) => process.stderr.write(`${line}\n`))
const databases = await emptyDatabases(folder)
const load = forkPinned('open-load.mjs', cores.asking)
/** @type {object[]} */
const results = []
const checkouts = [
  { name: 'here', root: resolve(import.meta.dirname, '..') },
  ...(wishes.beside === undefined ? [] : [{ name: 'beside', root: resolve(wishes.beside) }]),
]

say(
  `${wishes.people} people with ${wishes.todos} tasks and 10 habits each, ${wishes.crowd} others; the most requests a second with a p99 of at most ${longest} ms; ${pinned ? 'the first process on a core of its own' : 'not pinned'}`,
)
say(
  row([
    '',
    ...checkouts.flatMap(({ name }) => [
      `${name} /s`,
      'writes',
      'p50',
      'p99',
      'CPU µs',
      'bytes',
      'client %',
      'tasks',
    ]),
  ]),
)
for (const engine of /** @type {('sqlite' | 'postgres')[]} */ (wishes.engine.split(','))) {
  for (const count of engine === 'sqlite' ? [1] : wishes.processes.split(',').map(Number)) {
    for (const mix of wishes.mix.split(',')) {
      // Of its own for each mix, which then begins with short lists.
      const houses = []
      for (const checkout of checkouts) houses.push(await open(engine, count, checkout))
      await compare(engine, count, mix, houses)
      for (const { stop } of houses) await stop()
    }
  }
}
mkdirSync('dist/bench', { recursive: true })
writeFileSync('dist/bench/scale.json', `${JSON.stringify(results, null, 2)}\n`)
say('The same as JSON: dist/bench/scale.json')
load.disconnect()
await databases.close()
process.exit(0)

/** @param {'sqlite' | 'postgres'} engine @param {number} count @param {string} mix @param {House[]} houses */
async function compare(engine, count, mix, houses) {
  /** @type {Awaited<ReturnType<typeof mostOf>>[][]} */
  const rounds = []
  for (let round = 0; round < Number(wishes.rounds); round += 1) {
    const inTurn = round % 2 === 0 ? houses : houses.toReversed()
    const found = new Map()
    for (const house of inTurn) found.set(house, await mostOf(house, mix))
    rounds.push(houses.map((house) => found.get(house)))
  }
  const medians = houses.map((_, place) => {
    const sorted = rounds.map((round) => round[place]).sort((a, b) => (a?.rate ?? 0) - (b?.rate ?? 0))
    return sorted[Math.floor(sorted.length / 2)]
  })
  results.push({
    engine,
    processes: count,
    mix,
    found: houses.map(({ name }, place) => ({ name, ...medians[place] })),
  })
  const [here, beside] = medians
  const ratio = here && beside ? ` ${(here.rate / beside.rate).toFixed(2)} times` : ''
  const cells = medians.flatMap((most) =>
    most
      ? [
          most.rate,
          most.writes,
          most.p50,
          most.p99,
          most.processor,
          most.bytes,
          most.busy * 100,
          most.tasks,
        ].map((each) => each.toFixed(0))
      : ['none', '', '', '', '', '', '', ''],
  )
  say(row([`${engine} × ${count}, ${mix}`, ...cells]) + ratio)
}

/** The highest rate that the server carries. @param {House} house @param {string} mix */
async function mostOf({ ports, pids, people }, mix) {
  const texts = people.map((person) => requestsOf(mix, person))
  const acts = texts[0] ?? []
  /** What is created makes the lists longer, and lists are what costs most. */
  const tasksAfter = (/** @type {number} */ asked) =>
    Number(wishes.todos) +
    (asked * acts.filter((text) => text.includes(newRow)).length) / acts.length / people.length
  const writing = acts.filter((text) => !text.startsWith('GET ')).length / acts.length
  let asked = 0
  const at = async (/** @type {number} */ rate) => {
    const before = pids.reduce((sum, pid) => sum + processorTime(pid), 0)
    const measured = await tell(load, { ports, people: texts, rate, seconds, warmUp: 1 })
    const used = pids.reduce((sum, pid) => sum + processorTime(pid), 0) - before
    const wrong = Object.keys(measured.statuses).filter((status) => !/^(20[01]|304|429)$/.test(status))
    if (wrong.length > 0) throw new Error(`${mix} was answered ${wrong}`)
    if (measured.statuses[429])
      process.stderr.write(`${mix}: ${measured.statuses[429]} refused at ${rate.toFixed(0)}\n`)
    asked += rate * (seconds + 1)
    return {
      ...measured,
      rate,
      writes: rate * writing,
      processor: (used * 1000) / (rate * (seconds + 1)),
      tasks: tasksAfter(asked),
    }
  }
  const carries = (
    /** @type {{ p99: number, unanswered: number, statuses: Record<string, number> }} */ each,
  ) => each.p99 <= longest && each.unanswered === 0 && !each.statuses[429]
  /** A rate counts as too high only if it is so twice: a process may be doing something else just then. */
  const tried = async (/** @type {number} */ rate) => {
    const measured = await at(rate)
    return carries(measured) ? measured : at(rate)
  }
  await at(first)
  let best
  let rate = first
  for (let step = higher; ; ) {
    const measured = await tried(rate)
    process.stderr.write(
      `  ${mix} ${rate.toFixed(0)}/s: p50 ${measured.p50.toFixed(1)}, p99 ${measured.p99.toFixed(1)}, client ${(measured.busy * 100).toFixed(0)} %\n`,
    )
    if (carries(measured)) best = measured
    else if (step === finer || best === undefined) return best
    else {
      step = finer
      rate = best.rate
    }
    rate *= step
  }
}

/** @param {'sqlite' | 'postgres'} engine @param {number} count @param {{ name: string, root: string }} checkout */
async function open(engine, count, { name, root }) {
  const url = await databases.empty(engine)
  const database = await openDatabase(url)
  const people = []
  for (let number = 0; number < Number(wishes.people); number += 1) {
    const lists = { todos: Number(wishes.todos), habits: 10, days: 60 }
    const person = await addPerson(database, `Person ${number}`, lists)
    const devices = [await addSession(database, person.user), await addSession(database, person.user)]
    people.push({ ...person, devices })
  }
  await addCrowd(database, Number(wishes.crowd))
  await database.close()
  const environment = {
    DATABASE_URL: url,
    AUTH_SECRET: secret,
    ...(wishes.pool !== undefined && { DATABASE_POOL_SIZE: wishes.pool }),
  }
  /** @type {Awaited<ReturnType<typeof startDaymark>>[]} */
  const started = []
  for (let number = 0; number < count; number += 1) {
    const core = number === 0 ? cores.serving : cores.asking
    started.push(await startDaymark(join(root, 'scripts/start.mjs'), environment, core))
  }
  const byRevision = await answersByRevision(started[0]?.port ?? 0, people[0])
  process.stderr.write(`  ${name}: ${byRevision ? 'by revision' : 'whole lists only'}\n`)
  return {
    name,
    root,
    people: people.map((person) => ({ ...person, byRevision })),
    ports: started.map(({ port }) => port),
    pids: started.map(({ pid }) => pid),
    async stop() {
      for (const each of started) await each.stop()
    },
  }
}

/**
 * Whether a device that has the list of to-dos is sent what has changed only.
 * @param {number} port
 * @param {Awaited<ReturnType<typeof addPerson>> | undefined} person
 */
async function answersByRevision(port, person) {
  if (!person) throw new Error('There is nobody')
  const address = `http://127.0.0.1:${port}/api/todos`
  const headers = { cookie: person.cookie, 'content-type': 'application/json' }
  const whole = await fetch(`${address}?done=recent`, { headers })
  await whole.arrayBuffer()
  const tag = (whole.headers.get('etag') ?? '').replace('W/', '').slice(1, -1)
  const body = JSON.stringify({ completed: 1 })
  await fetch(`${address}/${person.todos[0]}`, { method: 'PUT', headers, body })
  const later = await fetch(`${address}?done=recent&since=${tag}`, { headers })
  return 'since' in (await later.json())
}

/** @param {(string | number)[]} cells */
function row(cells) {
  return cells
    .map((cell, place) => (place === 0 ? String(cell).padEnd(28) : String(cell).padStart(10)))
    .join('')
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
