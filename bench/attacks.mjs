// What one account, or a client without one, can do to everyone else. Each attack in attacks/known-attacks.mjs runs
// against a server started as usual, with its limits on. Meanwhile, a few bystanders read, check off and add tasks as
// people do. The attacker, the bystanders and the server are separate processes. Prints the bystanders' median and
// worst wait without and with the attack, the worst of bare durable writes beside the database in the same seconds, each
// the median of the rounds; the server's peak memory, and whether it lived; what the attacker was answered, and when
// first with 429. The promise: the median at most doubled or under 10 ms, the worst under 200 ms or under that of the
// bare disk, the memory under 400 MB; a reminder at most 5 s late, a picture made within 2 s. Then an ordinary person
// uses Daymark a lot, whom no limit may stop. SQLite and PostgreSQL.
// `node bench/attacks.mjs [--rounds 3] [--seconds 2] [--engine sqlite,postgres] [--only pictures,reminders,ordinary] [--heap 512]`
// `--heap`: the megabytes that the server's heap may have.
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { buildWebWhenChanged } from '../scripts/web-build.mjs'
import { openDatabase } from '../src/platform/database/opening/open-database.ts'
import { knownAttacks } from './attacks/known-attacks.mjs'
import { liveAnOrdinaryDay } from './attacks/ordinary-person.mjs'
import { emptyDatabases } from './server/databases.mjs'
import { addPerson, secret } from './server/people.mjs'
import { cores, forkPinned, memory, pinned, processorTime, startDaymark, tell } from './server/processes.mjs'
import { median } from './share.mjs'

const { values: wishes } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    engine: { type: 'string', default: 'sqlite,postgres' },
    only: { type: 'string', default: '' },
    heap: { type: 'string' },
  },
})
const rounds = Number(wishes.rounds)
const only = wishes.only.split(',').map((part) => part.trim())
const chosen = knownAttacks.filter(({ name }) => only.some((part) => name.includes(part)))
const ordinary = 'an ordinary person'
const withOrdinary = only.some((part) => ordinary.includes(part))
if (chosen.length === 0 && !withOrdinary) throw new Error(`No attack is called '${wishes.only}'`)

/** Milliseconds and megabytes. A median up to `shortMedian` is fine, whatever it was without the attack. */
const limits = { shortMedian: 10, median: 2, worst: 200, memory: 400 }
const bystanders = 8
/** How many seconds they are measured without an attack. */
const quiet = 0.8
/** A server that uses this many megabytes is killed, so that it doesn't take the machine down. */
const tooMuchMemory = 1_500
/** Within this many milliseconds, a server has to finish what an attack left behind. */
const recovery = 8_000

/** @typedef {'sqlite' | 'postgres'} Engine */
/** @typedef {(typeof knownAttacks)[number]} Attack */
/** @typedef {Awaited<ReturnType<typeof startDaymark>>} Daymark */
/** @typedef {import('./attacks/bystander.mjs').Seen} Seen */
/** @typedef {Seen & { disk: number[] }} Watching `disk`: milliseconds of each bare write */
/** @typedef {{ without: Watching, during: Watching, statuses: Record<string, number>, firstRefused?: number, memory: number, died?: string, isBusy: boolean }} Round */
/** @typedef {{ port: number, pid: number, most: () => number, ended: () => string | undefined, kill: () => Promise<void> }} Watched */

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
const diskFolder = mkdtempSync(join(tmpdir(), 'daymark-bench-disk-'))
process.on('exit', () => {
  for (const each of [folder, diskFolder]) rmSync(each, { recursive: true, force: true })
})
await buildWebWhenChanged((line) => process.stderr.write(`${line}\n`))
const databases = await emptyDatabases(folder)
const attacker = forkPinned('../attacks/attacker.mjs', cores.asking)
const others = forkPinned('../attacks/bystander.mjs', cores.asking)
// On any core: it measures the disk, not how busy a core is.
const disk = fork(fileURLToPath(new URL('attacks/bare-disk.mjs', import.meta.url)), {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
})
// A real attacker has a machine of their own. Here, they must not take the processor from the measurement or PostgreSQL.
setPriority(attacker.pid ?? 0, 15)

/** @type {Record<string, unknown>} */
const results = {
  date: new Date().toISOString(),
  node: process.version,
  processor: `${cpus().length} × ${cpus()[0]?.model}`,
  pinned,
  rounds,
  seconds: Number(wishes.seconds),
  heap: wishes.heap,
  limits,
  loadBefore: loadavg(),
}
/** @type {string[]} */
const missed = []
for (const engine of /** @type {Engine[]} */ (wishes.engine.split(','))) {
  if (chosen.length > 0) {
    say(`\n${engine}: ${rounds} rounds of each attack; another person's wait without it -> with it, in ms`)
    say(
      row([
        ...['', 'median', 'worst', 'the disk alone', 'memory MB', 'lived', 'its own wait'],
        'the attacker was answered',
      ]),
    )
  }
  const table = []
  for (const attack of chosen) table.push(await measure(engine, attack))
  results[engine] = table
  if (withOrdinary) results[`${engine}, ${ordinary}`] = await letLive(engine)
}
results.loadAfter = loadavg()
results.missed = missed
mkdirSync('dist/bench', { recursive: true })
writeFileSync('dist/bench/attacks.json', `${JSON.stringify(results, null, 2)}\n`)
say(`\nLoad of the machine before and after: ${[results.loadBefore, results.loadAfter].join(' | ')}`)
say('The same as JSON: dist/bench/attacks.json')
for (const line of missed) say(`MISSED: ${line}`)
attacker.disconnect()
others.disconnect()
disk.disconnect()
await databases.close()
process.exit(missed.length === 0 ? 0 : 1)

/** @param {Engine} engine @param {Attack} attack */
async function measure(engine, attack) {
  const url = await databases.empty(engine)
  const database = await openDatabase(url)
  const people = []
  for (let number = 0; number < bystanders; number += 1) {
    people.push(await addPerson(database, `Bystander ${number}`, { todos: 20, habits: 3, days: 30 }))
  }
  // One account per round, so that no round benefits from what an earlier one was denied.
  const targets = []
  for (let round = 0; round < rounds; round += 1) {
    targets.push(await attack.prepare(database, `Attacker ${round}`))
  }
  // PostgreSQL does so by itself within a minute, and nobody can send so much in that time.
  if (engine === 'postgres') await sql`analyze`.execute(database.auth)
  await database.close()

  /** @type {Round[]} */
  const seen = []
  /** @type {Watched | undefined} */
  let server
  for (const target of targets) {
    server ??= await start(url, people)
    const { port } = server
    const without = await watch(port, people, quiet)
    await beginWatching(port, people, attack.beside?.does)
    const seconds = attack.seconds ?? Number(wishes.seconds)
    const answered = await tell(attacker, { name: attack.name, port, seconds, target, databaseUrl: url })
    const during = await endWatching()
    const isBusy = !(await restsAgain(server))
    const died = server.ended()
    seen.push({ without, during, ...answered, memory: server.most(), ...(died && { died }), isBusy })
    if (died === undefined && !isBusy) continue
    await server.kill()
    server = undefined
  }
  await server?.kill()
  if (engine === 'sqlite') {
    for (const file of readdirSync(folder)) rmSync(join(folder, file), { recursive: true, force: true })
  }
  return judge(engine, attack, seen)
}

/** Starts a server with its limits on, lets an ordinary person live, and prints how it went. @param {Engine} engine */
async function letLive(engine) {
  const environment = { DATABASE_URL: await databases.empty(engine), AUTH_SECRET: secret, RATE_LIMIT: 'on' }
  const daymark = await startDaymark('scripts/start.mjs', { ...environment, ...heapOf() }, cores.serving)
  const steps = await liveAnOrdinaryDay(`http://127.0.0.1:${daymark.port}`)
  const { most } = memory(daymark.pid)
  await daymark.stop()
  say(`\n${engine}: ${ordinary}, to whom no limit may say 429; ${most.toFixed(0)} MB at most`)
  for (const { name, seconds, longest, statuses, inner } of steps) {
    const changes = Object.keys(inner).length > 0 ? `; its changes: ${inWords(inner)}` : ''
    const took = `${seconds.toFixed(1)} s, the longest request ${ms(longest)} ms`
    say(`${name.padEnd(52)}${took.padEnd(44)}${inWords(statuses)}${changes}`)
    for (const counts of [statuses, inner]) {
      const failed = Object.entries(counts).filter(([status]) => Number(status) >= 400)
      if (failed.length > 0)
        missed.push(`${engine}, ${ordinary} ${name}: answered ${inWords(Object.fromEntries(failed))}`)
    }
  }
  return { steps, memory: most }
}

/** A server that has responded to each of these people once. @param {string} url @param {object[]} people */
async function start(url, people) {
  const environment = {
    DATABASE_URL: url,
    AUTH_SECRET: secret,
    RATE_LIMIT: 'on',
    TRUST_PROXY: 'on',
    PUSH_TO: 'anywhere',
    ...heapOf(),
  }
  const daymark = await startDaymark('scripts/start.mjs', environment, cores.serving)
  const server = watchMemory(daymark)
  await watch(daymark.port, people, 0.8)
  return server
}

/** @returns {Record<string, string>} */
function heapOf() {
  return wishes.heap === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${wishes.heap}` }
}

/** @param {Daymark} daymark @returns {Watched} */
function watchMemory({ port, pid, kill }) {
  let most = 0
  /** @type {string | undefined} */
  let ended
  const look = () => {
    if (ended) return
    try {
      const { now } = memory(pid)
      most = Math.max(most, memory(pid).most)
      if (now <= tooMuchMemory) return
      ended = `was stopped at ${now.toFixed(0)} MB`
      process.kill(pid, 'SIGKILL')
    } catch {
      ended = 'ended by itself'
    }
  }
  const looking = setInterval(look, 25)
  return {
    port,
    pid,
    ended: () => ended,
    most() {
      look()
      return most
    },
    async kill() {
      clearInterval(looking)
      await kill()
    },
  }
}

/** @param {number} port @param {object[]} people @param {number} seconds */
async function watch(port, people, seconds) {
  await beginWatching(port, people)
  await pause(seconds * 1000)
  return endWatching()
}

/** @param {number} port @param {object[]} people @param {string} [beside] what one of them does besides */
async function beginWatching(port, people, beside) {
  await Promise.all([
    tell(others, { watch: { port, people, beside } }),
    tell(disk, { watch: { folder: diskFolder } }),
  ])
}

/** @returns {Promise<Watching>} */
async function endWatching() {
  const [seen, bare] = await Promise.all([tell(others, { tell: true }), tell(disk, { tell: true })])
  return { ...seen, disk: bare.times }
}

/** Whether the server becomes idle in time. @param {Watched} server */
async function restsAgain({ pid, ended }) {
  const until = performance.now() + recovery
  try {
    while (performance.now() < until && ended() === undefined) {
      const before = processorTime(pid)
      await pause(300)
      if (processorTime(pid) - before <= 60) return true
    }
  } catch {
    // The process is gone, which `watchMemory` notices too.
  }
  return false
}

/** @param {Engine} engine @param {Attack} attack @param {Round[]} seen */
function judge(engine, { name, beside }, seen) {
  const of = (/** @type {(round: Round) => number} */ figure) => median(seen.map(figure))
  const figures = {
    median: { without: of((it) => median(it.without.times)), during: of((it) => median(it.during.times)) },
    worst: {
      without: of((it) => Math.max(...it.without.times)),
      during: of((it) => Math.max(...it.during.times)),
    },
    disk: {
      without: of((it) => Math.max(...it.without.disk)),
      during: of((it) => Math.max(...it.during.disk)),
    },
    memory: Math.max(...seen.map((it) => it.memory)),
    beside: beside && of((it) => it.during.beside ?? Number.NaN),
  }
  /** @type {Record<string, number>} */
  const statuses = {}
  /** @type {Record<string, number>} */
  const wrong = {}
  for (const round of seen) {
    add(statuses, round.statuses)
    for (const each of [round.without, round.during]) add(wrong, each.wrong)
  }
  const died = seen.flatMap((round) => round.died ?? [])
  const refused = seen.flatMap((round) => round.firstRefused ?? [])
  const firstRefused = refused.length > 0 ? Math.min(...refused) : undefined
  const whenRefused =
    firstRefused === undefined ? 'first 429: none' : `first 429 after ${firstRefused.toFixed(1)} s`
  say(
    row([
      name,
      `${ms(figures.median.without)} -> ${ms(figures.median.during)}`,
      `${ms(figures.worst.without)} -> ${ms(figures.worst.during)}`,
      `${ms(figures.disk.without)} -> ${ms(figures.disk.during)}`,
      figures.memory.toFixed(0),
      died.length === 0 ? 'yes' : 'no',
      figures.beside === undefined ? '' : `${figures.beside.toFixed(0)} ms`,
      [inWords(statuses), whenRefused].filter((words) => words !== '').join('; '),
    ]),
  )
  const mostMedian = Math.max(limits.shortMedian, limits.median * figures.median.without)
  if (!(figures.median.during <= mostMedian))
    miss(`the median is ${ms(figures.median.during)} ms, not ${ms(mostMedian)}`)
  if (!(figures.worst.during < Math.max(limits.worst, figures.disk.during)))
    miss(
      `the worst is ${ms(figures.worst.during)} ms, not ${limits.worst}; of bare writes to the disk ${ms(figures.disk.during)} ms`,
    )
  if (!(figures.memory < limits.memory)) miss(`${figures.memory.toFixed(0)} MB, not ${limits.memory}`)
  if (beside && !(Number(figures.beside) <= beside.longest))
    miss(`a ${beside.does} took ${figures.beside?.toFixed(0)} ms, not ${beside.longest}`)
  if (Object.keys(wrong).length > 0) miss(`others were answered ${inWords(wrong)}`)
  for (const how of died) miss(`the server ${how}`)
  if (died.length === 0 && seen.some(({ isBusy }) => isBusy))
    miss(`the server was still busy ${recovery / 1000} s later`)
  return { name, ...figures, statuses, firstRefused, wrong, died, rounds: seen }

  /** @param {string} what */
  function miss(what) {
    missed.push(`${engine}, ${name}: ${what}`)
  }
}

/** @param {Record<string, number>} sum @param {Record<string, number>} counts */
function add(sum, counts) {
  for (const [status, count] of Object.entries(counts)) sum[status] = (sum[status] ?? 0) + count
}

/** @param {Record<string, number>} statuses */
function inWords(statuses) {
  return Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status === '0' ? 'nothing' : status}`)
    .join(', ')
}

/** @param {number} milliseconds */
function ms(milliseconds) {
  return milliseconds.toFixed(milliseconds < 100 ? 1 : 0)
}

/** @param {string[]} cells */
function row([name = '', ...cells]) {
  const [answered = '', ...figures] = cells.toReversed()
  return [name.padEnd(58), ...figures.toReversed().map((cell) => cell.padStart(16)), `  ${answered}`].join('')
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
