// What rhythms cost: GET /api/habits for 50 habits of ten years, all daily and of mixed rhythms, amounts, skips and pauses, in
// turns over HTTP. With the folder of an earlier checkout, its daily ones are what both are compared with.
// `node bench/calls/habits-rhythms.mjs [earlier checkout]`
import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { median } from '../share.mjs'
import { call, signUp } from './person.mjs'

const habits = 50
const days = 3_652
const runs = 7
const requestsOfRun = 60
const mostAllowed = 1.3

/** Rhythms, and on every how many days each is done, skipped, or something is entered. */
const mixed = [
  {},
  { rhythm: { times: 3, per: 'week' }, every: 2 },
  { rhythm: { weekdays: [1, 3, 5] }, every: 2, skips: 9 },
  { target: { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }, amounts: true },
  { frequency: 'weekly', every: 5 },
  { rhythm: { every: 3 }, every: 3 },
  { rhythm: { times: 4, per: 'month' }, every: 7 },
  { rhythm: { times: 2, days: 5 }, every: 2 },
  { target: { at: 'most', amount: 9_000, unit: 'cups', per: 'day' }, amounts: true },
  { target: { at: 'least', amount: 40_000, unit: 'km', per: 'month' }, amounts: true, every: 3 },
]

if (process.send) await serve()
else await compare()

async function compare() {
  const here = fileURLToPath(new URL('../..', import.meta.url))
  const earlier = resolve(process.argv[2] ?? here)
  const servers = []
  for (const [name, checkout, kind] of [
    ['daily, as it was', earlier, 'daily'],
    ['daily', here, 'daily'],
    ['mixed', here, 'mixed'],
  ]) {
    const child = fork(fileURLToPath(import.meta.url), [checkout ?? here, kind ?? ''])
    await messageFrom(child)
    servers.push({ name, child, times: /** @type {number[]} */ ([]), bytes: 0 })
  }
  for (let run = 0; run < runs; run += 1) {
    // Rotate who goes first.
    const turn = run % servers.length
    for (const server of [...servers.slice(turn), ...servers.slice(0, turn)]) {
      server.child.send('run')
      const { time, bytes } = await messageFrom(server.child)
      server.times.push(time)
      server.bytes = bytes
    }
  }
  process.stdout.write(
    `GET /api/habits, ${habits} habits of ${days} days, median of ${runs} runs in turns, SQLite, over HTTP\n`,
  )
  const floor = median(servers[0]?.times ?? [])
  let worst = 0
  for (const { name, times, bytes, child } of servers) {
    const ratio = median(times) / floor
    worst = Math.max(worst, ratio)
    const shown = times.map((time) => time.toFixed(2)).join(' ')
    process.stdout.write(
      `${name?.padEnd(18)}${median(times).toFixed(2)} ms  ${bytes} bytes  ratio ${ratio.toFixed(2)}  (${shown})\n`,
    )
    child.kill()
  }
  process.stdout.write(`worst ratio ${worst.toFixed(2)} (at most ${mostAllowed})\n`)
  process.exit(worst <= mostAllowed ? 0 : 1)
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ time: number, bytes: number }>}
 */
function messageFrom(child) {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(/** @type {{ time: number, bytes: number }} */ (message)))
    child.once('exit', (code) => reject(new Error(`A server of the benchmark ended with ${code}`)))
  })
}

/** One server of a checkout, which measures itself when it is asked to. */
async function serve() {
  const [, , checkout = '', kind] = process.argv
  /**
   * Imports the first of the files that the checkout has, since earlier ones have some files elsewhere.
   * @param {string[]} files
   */
  const from = (...files) => {
    const found = files.map((file) => join(checkout, 'src', file)).find(existsSync)
    if (!found) throw new Error(`${checkout} has no ${files.join(' or ')} in src/`)
    return import(pathToFileURL(found).href)
  }
  const { pino } = await import('pino')
  const { createApp } = await from('app/api.ts')
  const { userTables } = await from('app/row-kinds.ts')
  const { createAuth } = await from(
    'features/account/server/auth.ts',
    'features/account/session/server/better-auth.ts',
  )
  const { openDatabase } = await from(
    'platform/database/opening/open-database.ts',
    'platform/database/database.ts',
  )
  const { listen } = await from('platform/http/request/listen.ts', 'platform/http/listen.ts')
  const { readOrCreatePushKeys } = await from('platform/push/push-key-store.ts')
  const { openPusher } = await from('platform/push/pusher.ts')

  const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.on('SIGTERM', () => process.exit(0))
  process.on('disconnect', () => process.exit(0))
  const log = pino({ level: 'silent' })
  const database = await openDatabase(`sqlite:${join(folder, 'daymark.db')}`)
  const settings = /** @type {const} */ ({ baseUrl: undefined, signUp: 'open', proxies: 0, rateLimit: false })
  const secret = 'a secret of the benchmark that is long enough'
  const auth = createAuth(database, { secret, ...settings, userTables }, log)
  const contact = /** @type {const} */ ({ contact: 'mailto:bench@daymark.example', to: 'internet' })
  const pusher = openPusher(contact, () => readOrCreatePushKeys(database), Date.now)
  const app = createApp({ database, auth, pusher, settings, log, clock: Date.now, web: undefined })
  const listening = await listen(app, '127.0.0.1', 0, log)
  const person = await signUp(`http://127.0.0.1:${listening.port}`, 'Maren')
  for (let made = 0; made < habits; made += 1) await addHabit(made)
  const read = async () => (await call(person, 'GET', '/api/habits')).text()
  for (let warm = 0; warm < 60; warm += 1) await measured()
  process.on('message', async () => {
    const times = []
    let bytes = 0
    for (let request = 0; request < requestsOfRun; request += 1) {
      const one = await measured()
      times.push(one.time)
      bytes = one.bytes
    }
    process.send?.({ time: median(times), bytes })
  })
  process.send?.({ time: 0, bytes: 0 })

  async function measured() {
    // As after a write: otherwise the previous response is still cached.
    await database.writeFor(person.user, [], async () => {})
    const started = performance.now()
    const text = await read()
    return { time: performance.now() - started, bytes: text.length }
  }

  /** @param {number} place */
  async function addHabit(place) {
    const start_date = dayAgo(days - 1)
    const how = kind === 'mixed' ? (mixed[place % mixed.length] ?? {}) : {}
    const { every = 1, amounts = false, skips = 0, ...fields } = how
    const added = await call(person, 'POST', '/api/habits', { name: `Habit ${place}`, start_date, ...fields })
    const { id } = (await added.json()).habit
    const all = Array.from({ length: days }, (_, back) => back).filter((back) => back % every === 0)
    for (let next = 0; next < all.length; next += 1_000) {
      const some = all
        .slice(next, next + 1_000)
        .map((back) => ({ user_id: person.user, habit_id: id, day: dayAgo(back) }))
      await database.write(async (/** @type {any} */ tx) => {
        if (amounts) {
          const entry = {
            is_set: 0,
            settles: null,
            value: 8_000,
            deleted_at: null,
            created_at: 1,
            updated_at: 1,
            deletion_changed_at: 1,
          }
          await tx
            .insertInto('amounts')
            .values(some.map((row, nth) => ({ ...row, ...entry, id: `${id}-${next + nth}` })))
            .execute()
          return
        }
        const state = (/** @type {number} */ nth) =>
          skips > 0 && nth % skips === 0
            ? { done: 0, skipped: 1 }
            : { done: 1, ...(kind === 'mixed' && { skipped: 0 }) }
        await tx
          .insertInto('completions')
          .values(some.map((row, nth) => ({ ...row, ...state(nth), changed_at: 1 })))
          .execute()
      })
    }
    // Like any write to an old day, this makes the summary again.
    const first = amounts ? {} : { date: start_date, completed: true }
    if (amounts) {
      await call(person, 'POST', `/api/habits/${id}/amounts`, { day: start_date, value: 1_000 })
    } else await call(person, 'POST', `/api/habits/${id}/complete`, first)
  }
}

/** @param {number} back */
function dayAgo(back) {
  return new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
}
