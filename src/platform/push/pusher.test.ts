import { createServer as createHttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { startPushService } from '#testing/push-service.ts'
import { waitFor } from '#testing/wait.ts'
import type { PushSubscription } from './encrypt.ts'
import { openPusher, type Pusher } from './pusher.ts'
import { makePushKeys } from './vapid.ts'

const keys = makePushKeys()
const options = { ttl: 60, topic: 'x' }

function open(clock: () => number = Date.now): Pusher {
  const pusher = openPusher({ contact: 'mailto:ada@example.org', to: 'anywhere' }, async () => keys, clock)
  onTestFinished(() => pusher.close())
  return pusher
}

async function startService() {
  const service = await startPushService(() => keys.publicKey)
  onTestFinished(() => service.stop())
  const subscribe = (): PushSubscription & { browser: ReturnType<typeof service.subscribe> } => {
    const browser = service.subscribe()
    const { endpoint, keys } = browser.subscription
    return { endpoint, ...keys, browser }
  }
  return { service, subscribe }
}

it('delivers a push unchanged, to one browser and no other', async () => {
  const { service, subscribe } = await startService()
  const [ada, eve] = [subscribe(), subscribe()]
  const pusher = open()
  const text = JSON.stringify({ title: 'Water the plants 🌱' })
  expect(await pusher.push(ada, text, options)).toEqual({ outcome: 'delivered' })
  expect(service.pushed).toMatchObject([{ browser: 0, message: { title: 'Water the plants 🌱' }, ttl: 60 }])
  // With one person's keys at another's address, that browser cannot read it.
  await pusher.push({ ...eve, endpoint: ada.endpoint }, text, options)
  expect(service.wrong).toEqual([expect.stringContaining('authenticate')])
})

it('is rejected when somebody else signed the push', async () => {
  const { service, subscribe } = await startService()
  const other = openPusher(
    { contact: 'mailto:eve@example.org', to: 'anywhere' },
    async () => makePushKeys(),
    Date.now,
  )
  onTestFinished(() => other.close())
  expect(await other.push(subscribe(), '{}', options)).toEqual({ outcome: 'refused' })
  expect(service.wrong).toEqual([expect.stringContaining('somebody that the browser does not know')])
})

it('reports when to try again in seconds, however the push service says it', async () => {
  const { service, subscribe } = await startService()
  // How far away a date is goes by the clock of the push service: ours is hours behind.
  const pusher = open(() => Date.now() - 6 * 60 * 60_000)
  const to = subscribe()
  const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString()
  service.respond(
    to.browser,
    { status: 429, retryAfter: '120' },
    { status: 503, retryAfter: inTwoMinutes },
    { status: 503, retryAfter: 'soon' },
  )
  const push = () => pusher.push(to, '{}', options)
  expect(await push()).toEqual({ outcome: 'unreachable', retryAfter: 120 })
  const byDate = await push()
  expect(byDate.outcome === 'unreachable' && byDate.retryAfter).toSatisfy(
    (seconds) => Number(seconds) > 60 && Number(seconds) <= 121,
  )
  expect(await push()).toEqual({ outcome: 'unreachable', retryAfter: undefined })
})

it('leaves a push service that does not answer alone for half a minute, but not the others', async () => {
  const { service, subscribe } = await startService()
  let connections = 0
  const dead = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void dead.close())
  await new Promise((resolve) => dead.once('listening', resolve))
  const address = dead.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  let now = Date.now()
  const pusher = open(() => now)
  const alive = subscribe()
  const gone = { ...alive, endpoint: `http://127.0.0.1:${address.port}/push/0` }
  for (let pushes = 0; pushes < 5; pushes++) {
    expect(await pusher.push(gone, '{}', options)).toEqual({ outcome: 'unreachable' })
    expect(await pusher.push(alive, '{}', options)).toEqual({ outcome: 'delivered' })
  }
  expect(connections).toBe(1)
  now += 30_001
  await pusher.push(gone, '{}', options)
  expect(connections).toBe(2)
  // The clock was ahead, and is set right.
  now -= 48 * 60 * 60_000
  await pusher.push(gone, '{}', options)
  expect(connections).toBe(3)
  expect(service.wrong).toEqual([])
})

it.each([
  ['closed', (socket: Socket) => void socket.destroy()],
  ['made unusable', (socket: Socket) => void socket.write('HTTP/9.9 nonsense\r\n\r\n')],
])('loses no push to a kept connection that the push service has %s in the meantime', async (_, spoil) => {
  const { subscribe } = await startService()
  let connections = 0
  const forgetful = createServer((socket) => {
    connections += 1
    let requests = 0
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (!data.includes('POST ')) return
      requests += 1
      if (requests > 1) spoil(socket)
      else socket.write('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n')
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void forgetful.close())
  await new Promise((resolve) => forgetful.once('listening', resolve))
  const address = forgetful.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  const to = { ...subscribe(), endpoint: `http://127.0.0.1:${address.port}/push/0` }
  const pusher = open()
  for (let pushes = 0; pushes < 3; pushes++) {
    expect(await pusher.push(to, '{}', options)).toEqual({ outcome: 'delivered' })
    // The connection becomes free one turn of the event loop after its response has been read.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(connections).toBeGreaterThan(1)
})

it('does not connect to a name that resolves into a private network, whatever it resolved to before, and reports it like a name that does not resolve', async () => {
  const { subscribe } = await startService()
  const lookedUp: string[] = []
  const lines: string[] = []
  const log = pino({ base: undefined }, { write: (line: string) => lines.push(line) })
  const pusher = openPusher(
    {
      contact: 'mailto:ada@example.org',
      to: 'internet',
      log,
      lookUp(hostname, _, found) {
        lookedUp.push(hostname)
        if (hostname === 'nowhere.example') return found(new Error('ENOTFOUND'), [])
        found(null, [{ address: '127.0.0.1', family: 4 }])
      },
    },
    async () => keys,
    Date.now,
  )
  onTestFinished(() => pusher.close())
  const push = (host: string) => pusher.push({ ...subscribe(), endpoint: `https://${host}/x` }, '{}', options)
  expect(pusher.problemOf('https://inside.example/x')).toBeUndefined()
  const inwards = [await push('inside.example'), await push('inside.example')]
  expect(inwards).toEqual([{ outcome: 'unreachable' }, { outcome: 'unreachable' }])
  // The second try looks up neither of them again.
  expect([await push('nowhere.example'), await push('nowhere.example')]).toEqual(inwards)
  expect(lookedUp).toEqual(['inside.example', 'nowhere.example'])
  // If it had been connected to, nothing would be logged.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { service: 'inside.example', msg: 'A push service is not on the internet: see PUSH_TO' },
  ])
})

it('logs why a push was refused, and nothing that would let somebody push', async () => {
  const { subscribe } = await startService()
  const token = 'fGk3:APA91bHun4MxP5egoKMwt2KZFBaFUH'
  const strict = createHttpServer((_, response) =>
    response.writeHead(403).end(`{"reason":"BadJwtToken","of":"ada@example.org","endpoint":"${token}"}`),
  ).listen(0, '127.0.0.1')
  onTestFinished(() => void strict.close())
  await new Promise((resolve) => strict.once('listening', resolve))
  const address = strict.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  const lines: string[] = []
  const log = pino({ base: undefined }, { write: (line: string) => lines.push(line) })
  const pusher = openPusher(
    { contact: 'mailto:ada@example.org', to: 'anywhere', log },
    async () => keys,
    Date.now,
  )
  onTestFinished(() => pusher.close())
  const to = { ...subscribe(), endpoint: `http://127.0.0.1:${address.port}/push/0` }
  expect(await pusher.push(to, '{}', options)).toEqual({ outcome: 'refused' })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { status: 403, said: expect.stringContaining('"reason":"BadJwtToken"') },
  ])
  expect(lines.join()).not.toMatch(/APA91b|ada@/)
})

it('does not fail its caller when a push cannot be made', async () => {
  const { subscribe } = await startService()
  const away = openPusher(
    { contact: 'mailto:ada@example.org', to: 'anywhere' },
    () => Promise.reject(new Error('The database is away')),
    Date.now,
  )
  onTestFinished(() => away.close())
  expect(await away.push(subscribe(), '{}', options)).toEqual({ outcome: 'unreachable' })
  const wrongKey = { ...subscribe(), p256dh: Buffer.alloc(65, 4).toString('base64url') }
  expect(await open().push(wrongKey, '{}', options)).toEqual({ outcome: 'unreachable' })
})

it('sends one push to see whether a paused push service responds again, and the others do not wait', async () => {
  const { service, subscribe } = await startService()
  let now = Date.now()
  const pusher = open(() => now)
  const to = subscribe()
  const connections = new Set<Socket>()
  const dead = createServer((socket) => {
    connections.add(socket)
    if (connections.size === 1) socket.destroy()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void dead.close())
  await new Promise((resolve) => dead.once('listening', resolve))
  const address = dead.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  const gone = { ...to, endpoint: `http://127.0.0.1:${address.port}/push/0` }
  await pusher.push(gone, '{}', options)
  now += 30_001
  const first = pusher.push(gone, '{}', options)
  expect(await pusher.push(gone, '{}', options)).toEqual({ outcome: 'unreachable' })
  await waitFor(() => expect(connections.size).toBe(2))
  for (const socket of connections) socket.destroy()
  expect(await first).toEqual({ outcome: 'unreachable' })
  expect(service.wrong).toEqual([])
})
