// What ten years of history cost: GET /api/habits for 20 habits done on each of 30 days, and on each of 3,652. The
// latter is measured with a fresh summary of the old completions, and with one as old as it can get before it is made
// again. The accounts are in the same SQLite file and queried in turn over HTTP.
// `node bench/calls/habits-history.mjs [rounds]`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays, daysFrom, instantToWire } from '../../src/platform/calendar/day.ts'
import { median } from '../share.mjs'
import { daymarkOn } from './daymark.mjs'
import { call, signUp } from './person.mjs'

const habits = 20
const mostAllowed = 3
const rounds = Number(process.argv[2] ?? 200)

const folder = mkdtempSync(join(tmpdir(), 'daymark-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

let now = Date.now()

const { database, listening, address } = await daymarkOn(`sqlite:${join(folder, 'daymark.db')}`, {
  clock: () => now,
})

// One more day, and the next write makes the summary again.
const daysOld = 30
const accounts = [
  await person('short', 30),
  await person('long', 3_652),
  await person('long, old sum', 3_652, daysOld),
]

// Warm up: code gets compiled, pages of the file get read.
for (let round = 0; round < 20; round += 1) for (const account of accounts) await read(account)

for (let round = 0; round < rounds; round += 1) {
  // Rotate who goes first, so that no account always runs after the same other's garbage.
  const turn = round % accounts.length
  for (const account of [...accounts.slice(turn), ...accounts.slice(0, turn)]) {
    // As after a write: otherwise the previous round's response is still cached.
    await database.writeFor(account.user, [], async () => {})
    const started = performance.now()
    await read(account)
    account.times.push(performance.now() - started)
  }
}

process.stdout.write(`GET /api/habits, ${habits} habits, ${rounds} rounds in turns, SQLite, over HTTP\n`)
const floor = median(accounts[0]?.times ?? [])
let worst = 0
for (const { name, days, times, bytes } of accounts) {
  const ratio = median(times) / floor
  worst = Math.max(worst, ratio)
  const time = `${median(times).toFixed(2)} ms`
  process.stdout.write(
    `${name.padEnd(14)}${`${days} days`.padStart(10)}${time.padStart(11)}${`${bytes} bytes`.padStart(13)}   ratio ${ratio.toFixed(2)}\n`,
  )
}
process.stdout.write(`worst ratio ${worst.toFixed(2)} (at most ${mostAllowed})\n`)

await listening.close(1_000)
await database.close()
process.exit(worst <= mostAllowed ? 0 : 1)

/**
 * A person with 20 habits, each done on every one of the last `days`. The old completions were summarized `daysOld` days
 * ago.
 * @param {string} name
 * @param {number} days
 */
async function person(name, days, daysOld = 0) {
  const signedUp = await signUp(address, name)
  const { user } = signedUp
  const [today, then] = [dayAgo(0), dayAgo(daysOld)]
  const first = addDays(today, 1 - days)
  now = Date.now() - daysOld * 86_400_000
  for (let made = 0; made < habits; made += 1) {
    const added = await call(signedUp, 'POST', '/api/habits', { name: `${name} ${made}`, start_date: first })
    const { id } = (await added.json()).habit
    await keep(user, id, daysFrom(first, then))
    // Like any write to an old day, this makes the summary of the completions again.
    await call(signedUp, 'POST', `/api/habits/${id}/complete`, { date: first, completed: true })
    await keep(user, id, daysFrom(addDays(then, 1), today))
  }
  now = Date.now()
  const { habits: listed } = JSON.parse(await read(signedUp))
  if (
    listed.some((/** @type {{ current_streak: number }} */ { current_streak }) => current_streak !== days)
  ) {
    throw new Error(`Not every habit of ${name} has a streak of ${days}`)
  }
  return {
    ...signedUp,
    name,
    days,
    bytes: (await read(signedUp)).length,
    times: /** @type {number[]} */ ([]),
  }
}

/** @param {number} days */
function dayAgo(days) {
  return /** @type {import('../../src/platform/calendar/day.ts').Day} */ (
    instantToWire(Date.now() - days * 86_400_000).slice(0, 10)
  )
}

/**
 * Inserts directly into the table: sending 73,000 requests first would only test our patience.
 * @param {string} user
 * @param {string} habit
 * @param {import('../../src/platform/calendar/day.ts').Day[]} days
 */
async function keep(user, habit, days) {
  for (let next = 0; next < days.length; next += 1_000) {
    const rows = days
      .slice(next, next + 1_000)
      .map((day) => ({ user_id: user, habit_id: habit, day, done: /** @type {const} */ (1), changed_at: 1 }))
    await database.write((tx) => tx.insertInto('completions').values(rows).execute())
  }
}

/** @param {import('./person.mjs').Person} person */
async function read(person) {
  return (await call(person, 'GET', '/api/habits')).text()
}
