// What others feel while very many rows of one account go for good: how long their writes take during the purge of what was
// deleted 31 days ago (50,000 rows), and during the deletion of such an account, beside the same writes on the same database
// without either, before and after the purge. 8 people write at a steady pace from a process of their own; a write that waits delays none of the next, and
// counts from the moment at which it was to be sent. The promise: half of the writes take at most 1.5 times as long during the
// purge, and twice as long during the deletion of the account. SQLite and PostgreSQL.
// `node bench/purge.mjs [--rounds 3] [--seconds 15] [--engine sqlite,postgres] [--whole]`
// `--whole`: the last round waits for the end of the purge; else the time it takes is computed from what is gone.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { openDatabase } from '../src/platform/database/opening/open-database.ts'
import { addAttacker, addFocusDays, addLongHabit, addTodos, password } from './attacks/accounts.mjs'
import { emptyDatabases } from './server/databases.mjs'
import { addPerson, secret } from './server/people.mjs'
import { cores, pinned, processorTime, startDaymark } from './server/processes.mjs'
import { median, share } from './share.mjs'

const { values: wishes } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '15' },
    engine: { type: 'string', default: 'sqlite,postgres' },
    whole: { type: 'boolean', default: false },
  },
})
const rounds = Number(wishes.rounds)
const seconds = Number(wishes.seconds)

const writers = 8
/** Milliseconds between two writes, of whomever. */
const pace = 25
/** Seconds in which code gets compiled, which aren't counted. */
const warmUp = 2
const day = 86_400_000
/** Rows of the account: 50,000 with those that belong to them. */
const lists = { todos: 32_000, tagged: 8_000, completions: 5_000, focusDays: 3_332 }
const synced = /** @type {const} */ (['todos', 'habits', 'focus_sessions'])
const parts = /** @type {const} */ (['todo_tags', 'completions', 'focus_days'])
const most = { purge: 1.5, deletion: 2 }

/** @typedef {'sqlite' | 'postgres'} Engine */
/** @typedef {import('./server/people.mjs').Person} Person */
/** @typedef {Awaited<ReturnType<typeof startDaymark>>} Daymark */
/** @typedef {Awaited<ReturnType<typeof openDatabase>>} Database */
/** @typedef {{ times: number[], processor: number }} Watched `processor`: the share of the server's core that was in use */

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const databases = await emptyDatabases(folder)
const agent = new Agent({ keepAlive: true })

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
writeFileSync('dist/bench/purge.json', `${JSON.stringify({ ...results, missed }, null, 2)}\n`)
say(`\nLoad of the machine before and after: ${[results.loadBefore, results.loadAfter].join(' | ')}`)
say('The same as JSON: dist/bench/purge.json')
for (const line of missed) say(`MISSED: ${line}`)
agent.destroy()
await databases.close()
process.exit(missed.length === 0 ? 0 : 1)

/** @param {Engine} engine */
async function measure(engine) {
  /** @type {Awaited<ReturnType<typeof measureRound>>[]} */
  const measured = []
  for (let round = 1; round <= rounds; round += 1) {
    measured.push(await measureRound(engine, wishes.whole && round === rounds))
  }
  say(`\n${engine}: ${rounds} rounds, ${1000 / pace} writes a second, milliseconds`)
  say(row(['', 'p50', 'p95', 'worst', 'core in use', 'p50, times that without (each round)']))
  const phases = /** @type {const} */ (['without', 'purge', 'deletion'])
  for (const phase of phases) {
    const ratios = measured.map((round) => share(round[phase].times, 0.5) / share(round.without.times, 0.5))
    const ratio = median(ratios)
    const over = (/** @type {number} */ part) =>
      median(measured.map((round) => share(round[phase].times, part))).toFixed(1)
    say(
      row([
        phase,
        ...[0.5, 0.95, 1].map(over),
        `${median(measured.map((round) => 100 * round[phase].processor)).toFixed(0)} %`,
        `${ratio.toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(', ')})`,
      ]),
    )
    if ((phase === 'purge' || phase === 'deletion') && ratio > most[phase])
      missed.push(`${engine}, ${phase}: ${ratio.toFixed(2)} times as long as without, not ${most[phase]}`)
  }
  const purges = measured.map(({ rowsPerSecond }) => rowsPerSecond)
  say(
    `purged ${median(purges).toFixed(0)} rows a second, which makes ${(50_000 / median(purges)).toFixed(0)} s for 50,000`,
  )
  for (const { wholePurge } of measured) {
    if (wholePurge !== undefined) say(`the whole purge took ${wholePurge.toFixed(0)} s`)
  }
  say(
    `the deletion of such an account was answered after ${median(measured.map(({ answered }) => answered)).toFixed(1)} s`,
  )
  return measured.map((round) => ({
    ...round,
    ...Object.fromEntries(
      phases.map((phase) => [phase, [0.5, 0.95, 1].map((part) => share(round[phase].times, part))]),
    ),
  }))
}

/** @param {Engine} engine @param {boolean} toTheEnd */
async function measureRound(engine, toTheEnd) {
  const url = await databases.empty(engine)
  const database = await openDatabase(url)
  const people = await Promise.all(
    Array.from({ length: writers }, (_, number) => addPerson(database, `Writer ${number}`, { todos: 20 })),
  )
  const leaving = [await addFull(database, 'Leaving'), await addFull(database, 'Leaving too')]
  const deleted = await addFull(database, 'Deleted')
  const serve = () =>
    startDaymark('src/app/server.ts', { DATABASE_URL: url, AUTH_SECRET: secret }, cores.serving)
  const rowsLeft = () => countRows(database, deleted.user)

  await markDeleted(database, deleted.user, Date.now() - day)
  let daymark = await serve()
  const before = await watch(daymark, people, () => pause(seconds * 1000))
  await daymark.stop()

  await markDeleted(database, deleted.user, Date.now() - 31 * day)
  const started = performance.now()
  daymark = await serve()
  const rows = await rowsLeft()
  const from = performance.now()
  let end = from
  const purge = await watch(daymark, people, async () => {
    const until = performance.now() + (toTheEnd ? 3_600_000 : seconds * 1000)
    while (performance.now() < until && (await isPurging(database, deleted.user))) await pause(50)
    end = performance.now()
  })
  const rowsPerSecond = (rows - (await rowsLeft())) / ((end - from) / 1000)
  const wholePurge = (await isPurging(database, deleted.user)) ? undefined : (end - started) / 1000
  await daymark.stop()

  await markDeleted(database, deleted.user, Date.now() - day)
  daymark = await serve()
  const after = await watch(daymark, people, () => pause(seconds * 1000))
  let answered = 0
  const deletion = await watch(daymark, people, async () => {
    for (const { cookie } of leaving) {
      const began = performance.now()
      const status = await send(daymark.port, 'POST', '/api/auth/delete-user', cookie, { password })
      if (status !== 200) throw new Error(`The deletion of an account was answered with ${status}`)
      answered += (performance.now() - began) / 1000 / leaving.length
    }
  })
  await daymark.stop()
  await database.close()
  const without = { times: [...before.times, ...after.times], processor: before.processor }
  return { without, purge, deletion, rowsPerSecond, wholePurge, answered }
}

/**
 * An account of 50,000 rows, with a password.
 * @param {Database} database
 * @param {string} name
 */
async function addFull(database, name) {
  const account = await addAttacker(database, name)
  await addTodos(database, account.user, lists.todos, 40)
  await sql`
    insert into todo_tags (user_id, todo_id, tag, spelling, is_on, changed_at)
    select user_id, id, 'letters', 'letters', 1, 1 from todos where user_id = ${account.user} limit ${lists.tagged}
  `.execute(database.auth)
  await addLongHabit(database, account.user, lists.completions)
  await addFocusDays(database, account.user, lists.focusDays)
  return account
}

/** Deletes all rows of this person, as they do it themselves, at an instant. @param {Database} database @param {string} user @param {number} at */
async function markDeleted(database, user, at) {
  for (const table of synced) {
    await database.write((tx) =>
      tx
        .updateTable(table)
        .set({ deleted_at: at, deletion_changed_at: at })
        .where('user_id', '=', user)
        .execute(),
    )
  }
}

/** @param {Database} database @param {string} user */
async function countRows({ read }, user) {
  let count = 0
  for (const table of [...synced, ...parts]) {
    const { rows } = await sql`
      select count(*) as rows from ${sql.table(table)} where user_id = ${user}
    `.execute(read)
    count += Number(/** @type {{ rows: number }} */ (rows[0]).rows)
  }
  return count
}

/** @param {Database} database @param {string} user */
async function isPurging({ read }, user) {
  for (const table of synced) {
    if (await read.selectFrom(table).select('id').where('user_id', '=', user).limit(1).executeTakeFirst())
      return true
  }
  return false
}

/**
 * Lets the people write at their pace for as long as `during` takes.
 * @param {Daymark} daymark
 * @param {Person[]} people
 * @param {() => Promise<unknown>} during
 * @returns {Promise<Watched>}
 */
async function watch({ port, pid }, people, during) {
  let counting = false
  let over = false
  /** @type {number[]} */
  const times = []
  /** @type {Promise<void>[]} */
  const sent = []
  const writing = (async () => {
    const began = performance.now()
    for (let turn = 0; !over; turn += 1) {
      const due = began + turn * pace
      await pause(Math.max(0, due - performance.now()))
      sent.push(writeOnce(turn, due))
    }
  })()
  /** @param {number} turn @param {number} due */
  async function writeOnce(turn, due) {
    const person = people[turn % people.length]
    if (!person) throw new Error('There is nobody')
    const completed = Math.floor(turn / people.length) % 2
    const counts = counting
    const status = await send(port, 'PUT', `/api/todos/${person.todos[0]}`, person.cookie, { completed })
    if (status !== 200) throw new Error(`A write was answered with ${status}`)
    if (counts) times.push(performance.now() - due)
  }
  await pause(warmUp * 1000)
  counting = true
  const [since, used] = [performance.now(), processorTime(pid)]
  await during()
  const processor = (processorTime(pid) - used) / (performance.now() - since)
  counting = false
  over = true
  await writing
  await Promise.all(sent)
  return { times, processor }
}

/**
 * The status of the response.
 * @param {number} port
 * @param {string} method
 * @param {string} path
 * @param {string} cookie
 * @param {object} body
 * @returns {Promise<number>}
 */
function send(port, method, path, cookie, body) {
  const json = JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      headers: {
        Cookie: cookie,
        Origin: `http://127.0.0.1:${port}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(json),
      },
    })
    asked.on('response', (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
      response.resume()
    })
    asked.on('error', reject)
    asked.end(json)
  })
}

/** @param {string[]} cells */
function row([name = '', ...cells]) {
  return name.padEnd(10) + cells.map((cell) => cell.padStart(12)).join('  ')
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`)
}
