// What 1,000 open event streams on one process cost: memory, the time until all devices of a person have been notified
// of a change, and what they take from ordinary requests, which should be less than a tenth. Server and clients are
// pinned to a core each; rounds with and without the streams alternate. SQLite, or PostgreSQL if requested.
// `node bench/events.mjs [--rounds 5] [--seconds 1.5] [--engine sqlite,postgres]`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../src/platform/database/opening/open-database.ts'
import { emptyDatabases } from './server/databases.mjs'
import { addPerson, secret } from './server/people.mjs'
import { cores, forkPinned, memory, pinned, processorTime, startDaymark, tell } from './server/processes.mjs'
import { requestText } from './server/request-text.mjs'
import { median, share } from './share.mjs'

const { values: wishes } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1.5' },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const rounds = Number(wishes.rounds)
const seconds = Number(wishes.seconds)
const people = 100
const devices = 10
const leastLeft = 0.9
const longestWait = 1_000

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const databases = await emptyDatabases(folder)
const load = forkPinned('load.mjs', cores.asking)
const listeners = forkPinned('listeners.mjs', cores.asking)
let missed = false
for (const engine of /** @type {('sqlite' | 'postgres')[]} */ (wishes.engine.split(',')))
  await measure(engine)
load.disconnect()
listeners.disconnect()
await databases.close()
process.exit(missed ? 1 : 0)

/** @param {'sqlite' | 'postgres'} engine */
async function measure(engine) {
  const url = await databases.empty(engine)
  const database = await openDatabase(url)
  const listening = []
  for (let number = 0; number < people; number += 1) {
    listening.push(await addPerson(database, `Listener ${number}`, { todos: 1 }))
  }
  const busy = []
  for (let number = 0; number < 32; number += 1) {
    busy.push(await addPerson(database, `Busy ${number}`, { todos: 20 }))
  }
  await database.close()
  const daymark = await startDaymark(
    'scripts/start.mjs',
    { DATABASE_URL: url, AUTH_SECRET: secret },
    cores.serving,
  )
  const { port, pid } = daymark

  const kinds = {
    'list of 20 to-dos, 32 at once': busy.map(({ cookie }) => [requestText('GET', '/api/todos', cookie)]),
    'toggle, 32 at once': busy.map(({ cookie, todos }) =>
      [1, 0].map((completed) => requestText('PUT', `/api/todos/${todos[0]}`, cookie, { completed })),
    ),
  }
  const ask = async (/** @type {string[][]} */ requests) => {
    const before = processorTime(pid)
    const { perSecond, statuses } = await tell(load, { port, requests, seconds, warmUp: 0.3 })
    if (Object.keys(statuses).join() !== '200') throw new Error(`Answered ${JSON.stringify(statuses)}`)
    // Both sides include the warm-up, to a good approximation.
    const processor = ((processorTime(pid) - before) * 1000) / (perSecond * (seconds + 0.3))
    return { perSecond, processor }
  }
  const cookies = listening.flatMap(({ cookie }) => Array.from({ length: devices }, () => cookie))
  const openAll = () => tell(listeners, { open: { port, cookies } })
  const closeAll = () => tell(listeners, { close: true })

  // Measured at rest: after load, the process would still hold memory that the streams could use.
  await pause(2_000)
  const without = memory(pid).now
  const { took } = await openAll()
  await pause(2_000)
  const open = memory(pid).now
  const changes = listening.flatMap(({ cookie, todos }) =>
    [1, 2].map(() => ({ cookie, todo: todos[0] ?? '' })),
  )
  const { all, answered } = await tell(listeners, { change: { port, people: changes } })
  await closeAll()

  // Warm up: code gets compiled.
  for (const requests of Object.values(kinds)) await ask(requests)
  /** @type {Map<string, number[]>} */
  const left = new Map(Object.keys(kinds).map((kind) => [kind, []]))
  /** Microseconds of processor time per request. @type {Map<string, { without: number[], open: number[] }>} */
  const costs = new Map(Object.keys(kinds).map((kind) => [kind, { without: [], open: [] }]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, requests] of Object.entries(kinds)) {
      const before = round % 2 === 0 ? await ask(requests) : undefined
      await openAll()
      await pause(500)
      const beside = await ask(requests)
      await closeAll()
      await pause(200)
      const alone = before ?? (await ask(requests))
      left.get(kind)?.push(beside.perSecond / alone.perSecond)
      costs.get(kind)?.without.push(alone.processor)
      costs.get(kind)?.open.push(beside.processor)
    }
  }
  await daymark.stop()

  const lines = [
    `\n${engine}: ${people * devices} streams of ${people} people, ${rounds} rounds of ${seconds} s, ${pinned ? 'server and clients on a core each' : 'not pinned'}`,
    `  opened in ${took.toFixed(0)} ms; memory ${without.toFixed(0)} MB without, ${open.toFixed(0)} MB with them: ${(((open - without) * 1024) / people / devices).toFixed(0)} KB each`,
    `  a change is heard by all ${devices} devices after ${ms(median(all))} (median), 99 % ${ms(share(all, 0.99))}, longest ${ms(Math.max(...all))}; answered itself after ${ms(median(answered))}`,
  ]
  for (const [kind, ratios] of left) {
    const ratio = median(ratios)
    const { without, open } = costs.get(kind) ?? { without: [], open: [] }
    lines.push(
      `  ${kind}: ${(100 * ratio).toFixed(0)} % of what it is without them (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}), ${median(open).toFixed(0)} µs of the processor each and ${median(without).toFixed(0)} without`,
    )
    if (ratio < leastLeft) miss(`${kind}: ${ratio.toFixed(2)}, not ${leastLeft}`)
  }
  if (share(all, 0.99) > longestWait) miss(`heard after ${ms(share(all, 0.99))}, not ${longestWait} ms`)
  process.stdout.write(`${lines.join('\n')}\n`)

  /** @param {string} what */
  function miss(what) {
    missed = true
    lines.push(`MISSED: ${engine}: ${what}`)
  }
}

/** @param {number} milliseconds */
function ms(milliseconds) {
  return `${milliseconds.toFixed(1)} ms`
}
