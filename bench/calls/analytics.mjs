// What the analytics cards cost: each of their calls over 30 days, over a year with the previous year, and over ten
// years. It compares an account of ten busy years (36,500 tasks, 20 daily habits, 10,000 focus sessions) with one that
// has only the last of them. Both are in the same database and queried in turn, over HTTP and without. On SQLite, the
// promise is 50 ms and at most three times the one-year account. PostgreSQL is measured too if there is one.
// `node bench/calls/analytics.mjs [rounds]`
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { importFocusSessions } from '../../src/features/focus/sessions/server/exported-focus-store.ts'
import { importCompletions } from '../../src/features/habits/account-file/server/import-habit-store.ts'
import { habitRow } from '../../src/features/habits/habit/habit-row.ts'
import { habitRows } from '../../src/features/habits/habit/server/habit-rows.ts'
import { importTodos } from '../../src/features/todos/server/exported-todo-store.ts'
import { todoRow } from '../../src/features/todos/todo/todo-row.ts'
import { addDays, daysFrom, instantToWire } from '../../src/platform/calendar/day.ts'
import { writeWithinLimits } from '../../src/platform/database/rows/write-within-limits.ts'
import { obtainPostgres } from '../../src/platform/database/testing/postgres/postgres-server.ts'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'
import { valuesWhenMissing } from '../../src/platform/wire/synced-row.ts'
import { share } from '../share.mjs'
import { daymarkOn } from './daymark.mjs'
import { call, signUp } from './person.mjs'

/** @typedef {import('../../src/platform/calendar/day.ts').Day} Day */
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
 * The slowest median and the worst ratio overall.
 * @param {string} engine
 * @param {string} url
 * @param {() => Promise<void>} [settle] what a server does by itself after it has had the rows for a while
 */
async function measure(engine, url, settle) {
  const { app, database, listening, address } = await daymarkOn(url, { clock: () => now })
  const accounts = [await account(database, address, 1), await account(database, address, 10)]
  await settle?.()

  let asked = 0
  /** Otherwise the response of the round before is still there. @param {string} path */
  const anew = (path) => {
    asked += 1
    return `${path}${path.includes('?') ? '&' : '?'}asked=${asked}`
  }
  /** @param {Account} account @param {string} path */
  const overHttp = async ({ cookie }, path) =>
    bodyOf(await fetch(address + anew(path), { headers: { cookie } }))
  /** @param {Account} account @param {string} path */
  const inside = async ({ cookie }, path) =>
    bodyOf(await app.request(anew(path), { headers: { cookie } }, { address: '127.0.0.1' }))

  process.stdout.write(
    `${engine}, ${rounds} rounds in turns: medians (a tenth and nine tenths are below), ten years to one year\n`,
  )
  const worst = { time: 0, ratio: 0 }
  for (const { card, path, ranges } of calls) {
    for (const [range, days] of Object.entries(ranges)) {
      const call = days === undefined ? path : `${path}?from=${addDays(today, 1 - days)}&to=${today}`
      const [time, ratio, words] = await compare(accounts, (account) => inside(account, call))
      const [timeOverHttp, , wordsOverHttp] = await compare(accounts, (account) => overHttp(account, call))
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
 * The median of the ten-year account, its ratio to that of the one-year account, and both as text.
 * @param {Account[]} accounts of one year and of ten
 * @param {(account: Account) => Promise<unknown>} read
 * @returns {Promise<[time: number, ratio: number, words: string]>}
 */
async function compare(accounts, read) {
  const times = new Map(accounts.map((account) => [account, /** @type {number[]} */ ([])]))
  for (let round = -3; round < rounds; round += 1) {
    // Alternate who goes first, so that no account always runs after the other's garbage.
    for (const account of round % 2 === 0 ? accounts : accounts.toReversed()) {
      const started = performance.now()
      await read(account)
      // The first rounds are warm-up: code gets compiled, pages of the file get read.
      if (round >= 0) times.get(account)?.push(performance.now() - started)
    }
  }
  const [ofOne = [], ofTen = []] = accounts.map((account) => times.get(account))
  const ratio = share(ofTen, 0.5) / share(ofOne, 0.5)
  return [share(ofTen, 0.5), ratio, `${spread(ofTen)} / ${spread(ofOne)} = ${ratio.toFixed(2)}`]
}

/**
 * A person who has been busy for this many years, every day up to today.
 * @param {import('../../src/platform/database/database.ts').Database} database
 * @param {string} address
 * @param {number} years
 */
async function account(database, address, years) {
  const person = await signUp(address, `years-${years}`)
  const days = daysFrom(addDays(today, 1 - years * year), today)
  const id = () => newRowId(now, randomBytes(10))
  await writeWithinLimits(database, person.user, ['todos'], async (tx, adding) => {
    const todos = days.flatMap((day) =>
      Array.from({ length: todosADay }, (_, place) => {
        const at = instantToWire(Math.min(now, Date.parse(day) + (7 + place) * 3_600_000))
        return {
          id: id(),
          title: `Task ${place}: answer the letter of the insurance before the end of the month`,
          completed: /** @type {const} */ (1),
          completed_at: at,
          completed_on: day,
          ...valuesWhenMissing(todoRow),
          created_at: at,
          updated_at: at,
        }
      }),
    )
    await importTodos(tx, person.user, todos, now, adding)
  })
  for (let made = 0; made < habits; made += 1) {
    const habit = {
      id: id(),
      name: `Habit ${made}`,
      description: '',
      start_date: days[0] ?? today,
      ...valuesWhenMissing(habitRow),
      created_at: instantToWire(now),
    }
    const done = days.filter((_, place) => (place * 7 + made) % 5 !== 0)
    await database.write(async (tx) => {
      await habitRows.importRows(tx, person.user, [habit], now)
      await tx
        .insertInto('rhythms')
        .values({
          user_id: person.user,
          habit_id: habit.id,
          from_day: habit.start_date,
          rhythm: '{"every":1}',
          rhythm_at: now,
          target: '"yes"',
          target_at: now,
        })
        .execute()
      await importCompletions(tx, person.user, [{ habit_id: habit.id, days: done }], now)
    })
  }
  await database.write(async (tx) => {
    const count = years * sessionsAYear
    const sessions = Array.from({ length: count }, (_, place) => {
      const day = days[Math.floor((place * days.length) / count)] ?? today
      const ended = Math.min(now, Date.parse(day) + (8 + (place % 12)) * 3_600_000)
      return {
        id: id(),
        .../** @type {const} */ ({ kind: 'countdown', todo_id: null, habit_id: null }),
        duration: 1_500,
        started_at: instantToWire(ended - 1_500_000),
        ended_at: instantToWire(ended),
        days: [{ day, seconds: 1_500 }],
      }
    })
    await importFocusSessions(tx, person.user, sessions, now)
  })
  const counted = await (await call(person, 'GET', `/api/todos/completed?from=${days[0]}`)).json()
  if (counted.count !== days.length * todosADay) throw new Error('Not every to-do is there')
  return { ...person, years }
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

/** @param {number[]} times */
function spread(times) {
  const [low, middle, high] = [0.1, 0.5, 0.9].map((part) => share(times, part).toFixed(1))
  return `${middle} ms (${low} to ${high})`.padEnd(22)
}
