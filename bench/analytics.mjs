// What the cards of the analytics cost: each of their calls over 30 days, over a year with the year before, and over ten
// years, for an account of ten busy years (36,500 to-dos, 20 daily habits, 10,000 focus sessions) and for one of its last
// year alone. Both lie in the same database and are asked in turns, over HTTP and without. On SQLite, where the promise is
// 50 ms and three times the year's account; on PostgreSQL too where there is one. `node bench/analytics.mjs [rounds]`
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { createApp } from '../src/app/api.ts'
import { createAuth } from '../src/features/account/server/auth.ts'
import { importFocusSessions } from '../src/features/focus/server/exported-focus-store.ts'
import { importCompletions, importHabits } from '../src/features/habits/server/exported-habit-store.ts'
import { importTodos } from '../src/features/todos/server/exported-todo-store.ts'
import { addDays, daysFrom, instantToWire } from '../src/platform/calendar/day.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { obtainPostgres } from '../src/platform/database/testing/postgres-server.ts'
import { listen } from '../src/platform/http/listen.ts'
import { newRowId } from '../src/platform/wire/new-row-id.ts'

/** @typedef {import('../src/platform/calendar/day.ts').Day} Day */
/** @typedef {Awaited<ReturnType<typeof account>>} Account */

const year = 365
const todosADay = 10
const habits = 20
const sessionsAYear = 1_000
const mostTime = 50
const mostAllowed = 3
const rounds = Number(process.argv[2] ?? 25)

const now = Date.now()
const today = /** @type {Day} */ (instantToWire(now).slice(0, 10))

/** @type {{ card: string, path: string, ranges: Record<string, number | undefined> }[]} */
const calls = [
  {
    card: 'to-dos',
    path: '/api/todos/completed',
    ranges: { '30 days': 30, '2 years': 730, '10 years': 3_650 },
  },
  {
    card: 'habits',
    path: '/api/habits/completed',
    ranges: { '30 days': 30, '2 years': 730, '10 years': 3_650 },
  },
  { card: 'habits, by name', path: '/api/habits/due', ranges: { '30 days': 30, '1 year': 366 } },
  { card: 'habits now', path: '/api/habits/completed/count', ranges: { '': undefined } },
  {
    card: 'focus',
    path: '/api/focus/completed',
    ranges: { '30 days': 30, '2 years': 730, '10 years': 3_650 },
  },
]

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const worst = await measure('SQLite', `sqlite:${join(folder, 'daymark.db')}`)
const kept = worst.time < mostTime && worst.ratio <= mostAllowed
process.stdout.write(
  `slowest ${worst.time.toFixed(1)} ms (less than ${mostTime}), worst ratio ${worst.ratio.toFixed(2)} (at most ${mostAllowed})\n`,
)
const postgres = await obtainPostgres()
if ('missing' in postgres) process.stdout.write(`PostgreSQL: left out. ${postgres.missing}\n`)
else await measureOnPostgres(postgres.url)
if ('stop' in postgres) await postgres.stop()
process.exit(kept ? 0 : 1)

/**
 * The slowest median and the worst ratio of it all.
 * @param {string} engine
 * @param {string} url
 * @param {() => Promise<void>} [settle] what a server does by itself once it has the rows for a while
 */
async function measure(engine, url, settle) {
  const log = pino({ level: 'silent' })
  const database = await openDatabase(url)
  const settings = /** @type {const} */ ({ baseUrl: undefined, signUp: 'open', proxies: 0, rateLimit: false })
  const secret = 'a secret of the benchmark that is long enough'
  const auth = createAuth(database, { secret, ...settings }, log)
  const app = createApp({ database, auth, settings, log, clock: () => now, web: undefined })
  const listening = await listen(app, '127.0.0.1', 0, log)
  const address = `http://127.0.0.1:${listening.port}`
  const accounts = [await account(database, address, 1), await account(database, address, 10)]
  await settle?.()

  /** @param {Account} account @param {string} path */
  const overHttp = async ({ cookie }, path) => bodyOf(await fetch(address + path, { headers: { cookie } }))
  /** @param {Account} account @param {string} path */
  const inside = async ({ cookie }, path) =>
    bodyOf(
      await app.request(
        path,
        { headers: { cookie } },
        { incoming: { socket: { remoteAddress: '127.0.0.1' } } },
      ),
    )

  process.stdout.write(
    `${engine}, ${rounds} rounds in turns: medians (a tenth and nine tenths are below), ten years to one year\n`,
  )
  const worst = { time: 0, ratio: 0 }
  for (const { card, path, ranges } of calls) {
    for (const [range, days] of Object.entries(ranges)) {
      const asked = days === undefined ? path : `${path}?from=${addDays(today, 1 - days)}&to=${today}`
      const [time, ratio, words] = await compare(accounts, (account) => inside(account, asked))
      const [timeOverHttp, , wordsOverHttp] = await compare(accounts, (account) => overHttp(account, asked))
      worst.time = Math.max(worst.time, time, timeOverHttp)
      worst.ratio = Math.max(worst.ratio, ratio)
      process.stdout.write(`${card.padEnd(16)}${range.padEnd(9)}${words}   over HTTP ${wordsOverHttp}\n`)
    }
  }
  await listening.close(1_000)
  await database.close()
  return worst
}

/** @param {string} server */
async function measureOnPostgres(server) {
  const name = `daymark_bench_${randomBytes(8).toString('hex')}`
  const url = new URL(server)
  url.pathname = name
  await query(server, `create database ${name}`)
  try {
    await measure('PostgreSQL', url.href, () => query(url.href, 'vacuum analyze'))
  } finally {
    await query(server, `drop database ${name} with (force)`)
  }
}

/**
 * The median of the account of ten years, its ratio to that of one year, and both in words.
 * @param {Account[]} accounts of one year and of ten
 * @param {(account: Account) => Promise<unknown>} call
 * @returns {Promise<[time: number, ratio: number, words: string]>}
 */
async function compare(accounts, call) {
  const times = new Map(accounts.map((account) => [account, /** @type {number[]} */ ([])]))
  for (let round = -3; round < rounds; round += 1) {
    // Who goes first changes, so that nobody always comes after the same other's garbage.
    for (const account of round % 2 === 0 ? accounts : accounts.toReversed()) {
      const started = performance.now()
      await call(account)
      // The first ones are warm-up: the programs compiled, the pages of the file read.
      if (round >= 0) times.get(account)?.push(performance.now() - started)
    }
  }
  const [ofOne = [], ofTen = []] = accounts.map((account) => times.get(account))
  const ratio = share(ofTen, 0.5) / share(ofOne, 0.5)
  return [share(ofTen, 0.5), ratio, `${spread(ofTen)} / ${spread(ofOne)} = ${ratio.toFixed(2)}`]
}

/**
 * Somebody who has been busy for so many years, every day up to today.
 * @param {import('../src/platform/database/database.ts').Database} database
 * @param {string} address
 * @param {number} years
 */
async function account(database, address, years) {
  const signedUp = await fetch(`${address}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { origin: address, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Maren',
      email: `years-${years}@example.org`,
      password: 'correct horse battery',
    }),
  })
  const { user } = await signedUp.json()
  const cookie = signedUp.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const days = daysFrom(addDays(today, 1 - years * year), today)
  const id = () => newRowId(now, randomBytes(10))
  await database.write(async (tx) => {
    const todos = days.flatMap((day) =>
      Array.from({ length: todosADay }, (_, place) => {
        const at = instantToWire(Math.min(now, Date.parse(day) + (7 + place) * 3_600_000))
        return {
          id: id(),
          title: `Task ${place}: answer the letter of the insurance before the end of the month`,
          completed: /** @type {const} */ (1),
          completed_at: at,
          completed_on: day,
          created_at: at,
          updated_at: at,
        }
      }),
    )
    await importTodos(tx, user.id, todos, now)
  })
  for (let made = 0; made < habits; made += 1) {
    const habit = {
      id: id(),
      name: `Habit ${made}`,
      description: '',
      frequency: /** @type {const} */ ('daily'),
      start_date: days[0] ?? today,
      created_at: instantToWire(now),
    }
    const done = days.filter((_, place) => (place * 7 + made) % 5 !== 0)
    await database.write(async (tx) => {
      await importHabits(tx, user.id, [habit], now)
      await importCompletions(tx, user.id, [{ habit_id: habit.id, days: done }], now)
    })
  }
  await database.write(async (tx) => {
    const count = years * sessionsAYear
    const sessions = Array.from({ length: count }, (_, place) => {
      const day = days[Math.floor((place * days.length) / count)] ?? today
      const ended = Math.min(now, Date.parse(day) + (8 + (place % 12)) * 3_600_000)
      return {
        id: id(),
        duration: 1_500,
        started_at: instantToWire(ended - 1_500_000),
        ended_at: instantToWire(ended),
        days: [{ day, seconds: 1_500 }],
      }
    })
    await importFocusSessions(tx, user.id, sessions, now)
  })
  const counted = await (
    await fetch(`${address}/api/todos/completed?from=${days[0]}`, { headers: { cookie } })
  ).json()
  if (counted.count !== days.length * todosADay) throw new Error('Not every to-do is there')
  return { cookie, years }
}

/** @param {Response} response */
async function bodyOf(response) {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return text
}

/**
 * @param {string} url
 * @param {string} statement
 */
async function query(url, statement) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/**
 * The number that so large a share of them is below.
 * @param {number[]} numbers
 * @param {number} part
 */
function share(numbers, part) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** @param {number[]} times */
function spread(times) {
  const [low, middle, high] = [0.1, 0.5, 0.9].map((part) => share(times, part).toFixed(1))
  return `${middle} ms (${low} to ${high})`.padEnd(22)
}
