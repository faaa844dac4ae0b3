// Attacks by requests each of which is much work: pictures, passwords, reminders, an account to delete.
import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import sharp from 'sharp'
import { openDatabase } from '../../src/platform/database/opening/open-database.ts'
import {
  addAttacker,
  addLongHabit,
  addTodos,
  forgetReminders,
  letRemindersComeDue,
  password,
} from './accounts.mjs'
import { declare } from './attack.mjs'
import { address } from './requests.mjs'

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
    await addTodos(database, slow.user, 50, 20, { remind_at: Date.now() })
    const many = await addAttacker(database, `${name}, many`)
    await addTodos(database, many.user, 20_000, 20, { remind_at: Date.now() })
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
      method: 'POST',
      path: '/api/auth/sign-in/email',
      // Ten tries from each address, which is its limit per minute.
      address: `198.18.${connection}.${(Math.floor(turn / 10) % 250) + 1}`,
      // One existing account and one that doesn't exist: neither may be cheaper to try.
      body: {
        email: turn % 2 === 0 ? email : `nobody-${connection}@example.org`,
        password: `wrong password ${turn}`,
      },
    })),
})

export const costlyRequests = [documents, pictures, reminders, deletion, wrongPasswords]

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
