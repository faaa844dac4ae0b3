// Other people on the server under attack, in a process of their own. They read their list, check tasks off and add
// some, one request after another, and record how long each took. Forked by ../attacks.mjs, which sends one message at a
// time: `watch`, then `tell`.
import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'

/** Milliseconds between two requests, and the longest wait for one. */
const pace = 20
const patience = 15_000
/** Milliseconds until the reminder that a bystander waits for: by then the attacker's are due. */
const remindedIn = 4_000

/** @typedef {{ cookie: string, todos: string[], tag?: string }} Bystander */
/** @typedef {{ port: number, people: Bystander[], beside?: 'picture' | 'reminder' }} Watch */
/** @typedef {{ times: number[], wrong: Record<string, number>, beside: number | undefined }} Seen */
/** @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: object | string }} Asked */

const agent = new Agent({ keepAlive: true })
let watching = false
/** @type {Promise<Seen>} */
let seen = Promise.resolve({ times: [], wrong: {}, beside: undefined })

process.on('message', (/** @type {{ watch: Watch } | { tell: true }} */ message) => {
  if ('watch' in message) {
    watching = true
    seen = watch(message.watch)
    // `tell` reports a failure.
    seen.catch(() => {})
    process.send?.({})
    return
  }
  watching = false
  seen.then(
    (all) => process.send?.(all),
    (error) => process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
  )
})
process.once('disconnect', () => process.exit())

/** @param {Watch} watch @returns {Promise<Seen>} */
async function watch({ port, people, beside }) {
  /** @type {number[]} */
  const times = []
  /** @type {Record<string, number>} */
  const wrong = {}
  const [first] = people
  const alsoDone = beside && first ? besides[beside](port, first) : undefined
  for (let turn = 0; watching; turn += 1) {
    const person = people[turn % people.length]
    if (!person) throw new Error('There is nobody')
    const started = performance.now()
    const { status, tag } = await ask(port, person, next(person, Math.floor(turn / people.length)))
    const took = performance.now() - started
    times.push(took)
    person.tag = tag ?? person.tag
    if (![200, 201, 304].includes(status)) wrong[status] = (wrong[status] ?? 0) + 1
    await pause(Math.max(1, pace - took))
  }
  return { times, wrong, beside: await alsoDone }
}

/** An unchanged list, a task checked off, the changed list, and a new task. */
function next(/** @type {Bystander} */ { todos, tag = '""' }, /** @type {number} */ turn) {
  const list = { path: '/api/todos', headers: { 'If-None-Match': tag } }
  const completed = Math.floor(turn / 4) % 2
  /** @type {Asked[]} */
  const usual = [
    list,
    { method: 'PUT', path: `/api/todos/${todos[0]}`, body: { completed } },
    list,
    { method: 'POST', path: '/api/todos', body: { title: 'Answer the letter', completed: 0 } },
  ]
  return usual[turn % usual.length] ?? list
}

/** Other things to time, in milliseconds. */
const besides = {
  /** Until the server has processed the bystander's own picture. @param {number} port @param {Bystander} person */
  async picture(port, person) {
    const create = { width: 1_200, height: 900, channels: /** @type {const} */ (3), background: '#775533' }
    const bytes = await sharp({ create }).jpeg().toBuffer()
    const body = { image: `data:image/jpeg;base64,${bytes.toString('base64')}` }
    await pause(500)
    const started = performance.now()
    const { status } = await ask(port, person, { method: 'POST', path: '/api/auth/update-user', body })
    // A rejected one has waited in vain.
    return status === 200 ? performance.now() - started : patience
  },

  /** From when the bystander's reminder is due until it is pushed. @param {number} port @param {Bystander} person */
  async reminder(port, person) {
    /** @type {(at: number) => void} */
    let pushed = () => {}
    const arrival = new Promise((resolve) => {
      pushed = resolve
    })
    const service = createServer((request, response) => {
      pushed(Date.now())
      request.resume().on('end', () => response.writeHead(201).end())
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const address = service.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const p256dh = createECDH('prime256v1').generateKeys('base64url')
    const subscription = {
      endpoint: `${origin}/push`,
      keys: { p256dh, auth: randomBytes(16).toString('base64url') },
    }
    await ask(port, person, { method: 'PUT', path: '/api/reminders/devices', body: subscription })
    const due = Date.now() + remindedIn
    const body = { title: 'Call', completed: 0, remind_at: new Date(due).toISOString() }
    await ask(port, person, { method: 'POST', path: '/api/todos', body })
    const over = until(() => !watching)
    const arrived = await Promise.race([arrival, over.then(() => Date.now())])
    service.closeAllConnections()
    service.close()
    return arrived - due
  },
}

/** @param {() => boolean} what */
async function until(what) {
  while (!what()) await pause(10)
}

/**
 * @param {number} port
 * @param {Bystander} person
 * @param {Asked} asked
 * @returns {Promise<{ status: number, tag: string | undefined }>} status 0 if there was no response
 */
function ask(port, { cookie }, { method = 'GET', path, headers = {}, body }) {
  const json = body ? JSON.stringify(body) : undefined
  return new Promise((resolve) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      signal: AbortSignal.timeout(patience),
      headers: {
        Cookie: cookie,
        'X-Forwarded-For': '203.0.113.9',
        ...headers,
        ...(json === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }),
      },
    })
    let answered = { status: 0, tag: /** @type {string | undefined} */ (undefined) }
    request.on('response', (response) => {
      response.on('end', () => {
        answered = { status: response.statusCode ?? 0, tag: response.headers.etag }
      })
      response.on('error', () => {})
      response.resume()
    })
    request.on('error', () => {})
    request.on('close', () => resolve(answered))
    request.end(json)
  })
}
