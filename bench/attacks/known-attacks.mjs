// What one account, or a client without one, can do to take the server away from everyone else. attacker.mjs runs each
// attack in a process of its own, against an account that `prepare` filled; ../attacks.mjs measures the effect on
// others.
import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import sharp from 'sharp'
import { addDays, instantToWire } from '../../src/platform/calendar/day.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { newRowId } from '../../src/platform/wire/new-row-id.ts'
import {
  addAttacker,
  addFocusDays,
  addHabits,
  addLongHabit,
  addTodos,
  deleteTodos,
  forgetReminders,
  letRemindersComeDue,
  password,
  takeCompletionsBack,
} from './accounts.mjs'

/** @typedef {import('../../src/platform/database/database.ts').Database} Database */
/** @typedef {import('../../src/platform/calendar/day.ts').Day} Day */
/** @typedef {import('./siege.mjs').Siege} Siege */

/**
 * @template Target
 * @typedef {{
 *   name: string,
 *   prepare: (database: Database, name: string) => Promise<Target>,
 *   attack: (siege: Siege, target: Target, databaseUrl: string) => Promise<void>,
 *   seconds?: number,
 *   beside?: { does: 'picture' | 'reminder', longest: number }
 * }} Attack `seconds`: how long it takes, if that can't be chosen. `beside`: what a bystander does in the meantime that has
 *   a limit of its own, in milliseconds.
 */

/** @typedef {{ cookie: string, todos: string[], habits: string[] }} Filled */

const longTitle = 490
const sinceEver = { letters: 480, start: '1900-01-01' }
const today = /** @type {Day} */ (instantToWire(Date.now()).slice(0, 10))
const address = '198.51.100.7'

/** The longest first; if a server rejects it, the others are still requested. */
const ranges = [366, 92, 31].map((days) => `from=${addDays(today, 1 - days)}&to=${today}`)

const importsOfHabits = declare({
  name: 'imports of long, old habits without a pause',
  async prepare(database, name) {
    return (await addAttacker(database, name)).cookie
  },
  async attack(siege, cookie) {
    await siege.keepAsking(4, () => {
      // As many as fit in one request.
      const rows = Array.from({ length: 90 }, () => ({
        ...{ id: newId(), name: 'x'.repeat(sinceEver.letters), description: '', frequency: 'daily' },
        ...{ start_date: sinceEver.start, reminder: null, created_at: now() },
      }))
      return { method: 'POST', path: '/api/import', cookie, address, body: { habits: rows } }
    })
  },
})

const dueOfAYear = declare({
  name: 'what was due in a year, of 1,000 old habits',
  prepare: (database, name) => fill(database, name, { habits: 1_000 }),
  attack: (siege, { cookie }) =>
    siege.keepAsking(10, (connection) => ({ path: duePath(connection), cookie, address })),
})

const habitLists = declare({
  name: 'lists of 1,000 old habits, after a change each',
  prepare: (database, name) => fill(database, name, { habits: 1_000 }),
  attack: (siege, { cookie, habits }) =>
    siege.keepAsking(10, (connection, turn) => {
      if (turn % 3 === 0) return complete(cookie, habits[connection] ?? '', { completed: turn % 2 === 0 })
      const path = turn % 3 === 1 ? '/api/habits' : `/api/habits/completed?${ranges[0]}`
      return { path, cookie, address }
    }),
})

const unreadDue = declare({
  name: 'thirty who never read what was due',
  prepare: (database, name) => fill(database, name, { habits: 1_000 }),
  attack: (siege, { cookie }) => siege.leaveUnread(30, { path: duePath(0), cookie, address }),
})

const unreadLists = declare({
  name: 'thirty each who never read to-dos, habits, export',
  prepare: (database, name) => fill(database, name, { todos: 20_000, habits: 1_000 }),
  async attack(siege, { cookie }) {
    const paths = ['/api/todos', '/api/habits', '/api/export']
    await Promise.all(paths.map((path) => siege.leaveUnread(30, { path, cookie, address })))
  },
})

const listOf20000 = declare({
  name: 'list of 20,000 long to-dos, after a change each',
  prepare: (database, name) => fill(database, name, { todos: 20_000 }),
  attack: listsAfterChanges,
})

const listOf100000 = declare({
  name: 'list of 100,000 long to-dos, after a change each',
  prepare: (database, name) => fill(database, name, { todos: 100_000 }),
  attack: listsAfterChanges,
})

const oldDays = declare({
  name: 'old days of a habit with 46,000 completions',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    return { cookie, ...(await addLongHabit(database, user, 46_000)) }
  },
  attack: (siege, { cookie, habit, start }) =>
    siege.keepAsking(10, (connection, turn) => {
      const date = addDays(/** @type {Day} */ (start), 1_000 * connection + (turn >> 1))
      return complete(cookie, habit, { date, completed: turn % 2 === 1 })
    }),
})

const deletedTodos = declare({
  name: '125,000 deleted to-dos, read after a change each',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    const todos = await addTodos(database, user, 125_000, 40)
    await deleteTodos(database, user)
    return { cookie, todos }
  },
  attack: (siege, { cookie, todos }) =>
    siege.keepAsking(10, (connection, turn) => {
      if (turn % 3 === 0) return toggle(cookie, todos[connection] ?? '', true)
      return { path: turn % 3 === 1 ? '/api/todos' : '/api/export', cookie, address }
    }),
})

const focusDays = declare({
  name: '200,000 days of focus, counted and listed',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    await addFocusDays(database, user, 200_000)
    return { cookie }
  },
  attack: (siege, { cookie }) =>
    siege.keepAsking(10, (connection, turn) => {
      // The task doesn't exist, but everything is read again after this.
      if (turn % 3 === 0) return toggle(cookie, newId(), true)
      const path = turn % 3 === 1 ? '/api/focus/completed' : '/api/focus'
      return { path: `${path}?${ranges[connection % ranges.length]}`, cookie, address }
    }),
})

const takenBackDays = declare({
  name: 'an old day of a habit with 46,000 taken-back days',
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    const { habit } = await addLongHabit(database, user, 46_000)
    await takeCompletionsBack(database, user)
    return { cookie, habit }
  },
  attack: (siege, { cookie, habit }) =>
    siege.keepAsking(10, (_connection, turn) =>
      complete(cookie, habit, { date: '1950-01-01', completed: turn % 2 === 0 }),
    ),
})

const writes = declare({
  name: 'writes and imports without a pause',
  prepare: (database, name) => fill(database, name, { todos: 100 }),
  attack: (siege, { cookie, todos }) =>
    siege.keepAsking(32, (connection, turn) => {
      if (turn % 8 === 7) {
        const rows = Array.from({ length: 85 }, () => ({
          ...{ id: newId(), title: 'x'.repeat(longTitle), completed: 0, completed_at: null },
          ...{ completed_on: null, created_at: now(), updated_at: now() },
        }))
        return { method: 'POST', path: '/api/import', cookie, address, body: { todos: rows } }
      }
      if (turn % 2 === 0) return toggle(cookie, todos[connection] ?? '', turn % 4 === 0)
      const body = { title: 'x'.repeat(longTitle), completed: 0 }
      return { method: 'POST', path: '/api/todos', cookie, address, body }
    }),
})

const hangUps = declare({
  name: 'those who ask for much and hang up',
  prepare: (database, name) => fill(database, name, { todos: 20_000, habits: 1_000 }),
  async attack(siege, { cookie, todos }) {
    const paths = [
      '/api/todos',
      duePath(0),
      '/api/habits',
      '/api/export',
      `/api/habits/completed?${ranges[0]}`,
    ]
    await Promise.all([
      siege.hangUp(10, (turn) => ({ path: paths[turn % paths.length] ?? '', cookie, address })),
      // So that nothing is served from the cache.
      siege.keepAsking(1, (_connection, turn) => toggle(cookie, todos[0] ?? '', turn % 2 === 0)),
    ])
  },
})

const documents = declare({
  name: 'the OpenAPI document, by nobody',
  prepare: async () => null,
  attack: (siege) => siege.keepAsking(10, () => ({ path: '/api/openapi.json', address })),
})

const pictures = declare({
  name: 'the largest pictures',
  async prepare(database, name) {
    // Made here, because it takes longer than the attack.
    largest ??= largestPictures()
    return { cookie: (await addAttacker(database, name)).cookie, bodies: await largest }
  },
  attack: (siege, { cookie, bodies }) =>
    siege.keepAsking(10, (connection, turn) => {
      const body = bodies[(connection + turn) % bodies.length] ?? ''
      return { method: 'POST', path: '/api/auth/update-user', cookie, address, body }
    }),
  // The bystander's own picture takes some 50 ms of this, and one already in progress is finished first.
  beside: { does: 'picture', longest: 2_000 },
})

const reminders = declare({
  name: '20,000 reminders, and a slow push service',
  seconds: 12,
  async prepare(database, name) {
    const slow = await addAttacker(database, `${name}, slow`, 20)
    await addTodos(database, slow.user, 50, 20, Date.now())
    const many = await addAttacker(database, `${name}, many`)
    await addTodos(database, many.user, 20_000, 20, Date.now())
    return { users: [slow.user, many.user], slow: slow.cookies, many: many.cookie }
  },
  async attack(siege, { users, slow, many }, databaseUrl) {
    // Long, but within the time limit: a service that never responds would be skipped for a while.
    const service = createServer((request, response) => {
      const after = request.url?.includes('slow') ? 6_000 : 0
      request.resume().on('end', () => setTimeout(() => response.writeHead(201).end(), after))
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const listening = service.address()
    const port = typeof listening === 'object' ? listening?.port : undefined
    const devices = [
      ...slow.map((cookie, place) => ({ cookie, path: `slow/${place}` })),
      { cookie: many, path: 'quick' },
    ]
    for (const { cookie, path } of devices) {
      const body = subscription(`http://127.0.0.1:${port}/${path}`)
      await siege.ask({ method: 'PUT', path: '/api/reminders/devices', cookie, address, body })
    }
    const database = await openDatabase(databaseUrl)
    await letRemindersComeDue(database, users)
    await siege.end
    await forgetReminders(database, users)
    await database.close()
    service.closeAllConnections()
    service.close()
  },
  beside: { does: 'reminder', longest: 5_000 },
})

const deletion = declare({
  name: 'the deletion of an account with 200,000 rows',
  // Long enough for the file to contain nothing of it either.
  seconds: 15,
  async prepare(database, name) {
    const { user, cookie } = await addAttacker(database, name)
    await addTodos(database, user, 100_000, 40)
    await addLongHabit(database, user, 100_000)
    return { cookie }
  },
  async attack(siege, { cookie }) {
    const body = { password }
    await siege.ask({ method: 'POST', path: '/api/auth/delete-user', cookie, address, body })
  },
})

const wrongPasswords = declare({
  name: 'wrong passwords, from many addresses',
  async prepare(database, name) {
    return { email: (await addAttacker(database, name)).email }
  },
  attack: (siege, { email }) =>
    siege.keepAsking(10, (connection, turn) => ({
      ...{ method: 'POST', path: '/api/auth/sign-in/email' },
      // Ten tries from each address, which is its limit per minute.
      address: `198.18.${connection}.${(Math.floor(turn / 10) % 250) + 1}`,
      // One existing account and one that doesn't exist: neither may be cheaper to try.
      body: {
        email: turn % 2 === 0 ? email : `nobody-${connection}@example.org`,
        password: `wrong password ${turn}`,
      },
    })),
})

export const knownAttacks = [
  importsOfHabits,
  dueOfAYear,
  habitLists,
  unreadDue,
  unreadLists,
  listOf20000,
  listOf100000,
  oldDays,
  deletedTodos,
  focusDays,
  takenBackDays,
  writes,
  hangUps,
  documents,
  pictures,
  reminders,
  deletion,
  wrongPasswords,
]

/**
 * Checks the type of `attack` against what `prepare` returns. The list of all attacks can't: on its way to the attacker's
 * process, a target loses its type.
 * @template Target
 * @param {Attack<Target>} attack
 */
function declare({ name, prepare, attack, seconds, beside }) {
  return {
    ...{ name, prepare, seconds, beside },
    attack: (/** @type {Siege} */ siege, /** @type {any} */ target, /** @type {string} */ databaseUrl) =>
      attack(siege, target, databaseUrl),
  }
}

/**
 * @param {Database} database
 * @param {string} name
 * @param {{ todos?: number, habits?: number }} lists
 * @returns {Promise<Filled>}
 */
async function fill(database, name, { todos = 0, habits = 0 }) {
  const { user, cookie } = await addAttacker(database, name)
  return {
    cookie,
    todos: todos > 0 ? await addTodos(database, user, todos, longTitle) : [],
    habits: habits > 0 ? await addHabits(database, user, habits, sinceEver) : [],
  }
}

/** @param {Siege} siege @param {Filled} target */
function listsAfterChanges(siege, { cookie, todos }) {
  return siege.keepAsking(10, (connection, turn) =>
    turn % 2 === 0
      ? toggle(cookie, todos[connection] ?? '', turn % 4 === 0)
      : { path: '/api/todos', cookie, address },
  )
}

/** @param {number} connection */
function duePath(connection) {
  return `/api/habits/due?${ranges[connection % ranges.length]}`
}

/** @param {string} cookie @param {string} todo @param {boolean} completed */
function toggle(cookie, todo, completed) {
  const body = { completed: completed ? 1 : 0 }
  return { method: 'PUT', path: `/api/todos/${todo}`, cookie, address, body }
}

/** @param {string} cookie @param {string} habit @param {object} body */
function complete(cookie, habit, body) {
  return { method: 'POST', path: `/api/habits/${habit}/complete`, cookie, address, body }
}

/** @type {Promise<string[]> | undefined} */
let largest

/** As many pixels as are allowed, or used to be; and as many bytes. */
async function largestPictures() {
  const plain = [49, 24, 12].map(async (megapixels) => {
    const side = Math.floor(Math.sqrt(megapixels * 1_000_000))
    const create = { width: side, height: side, channels: /** @type {const} */ (3), background: '#447799' }
    return asBody('png', await sharp({ create }).png({ compressionLevel: 1 }).toBuffer())
  })
  const side = 2_000
  const noise = sharp(randomBytes(3 * side * side), { raw: { width: side, height: side, channels: 3 } })
  return [...(await Promise.all(plain)), asBody('jpeg', await noise.jpeg({ quality: 80 }).toBuffer())]
}

/** @param {string} kind @param {Buffer} bytes */
function asBody(kind, bytes) {
  return JSON.stringify({ image: `data:image/${kind};base64,${bytes.toString('base64')}` })
}

/** @param {string} endpoint */
function subscription(endpoint) {
  const p256dh = createECDH('prime256v1').generateKeys('base64url')
  return { endpoint, keys: { p256dh, auth: randomBytes(16).toString('base64url') } }
}

function newId() {
  return newRowId(Date.now(), randomBytes(10))
}

function now() {
  return instantToWire(Date.now())
}
