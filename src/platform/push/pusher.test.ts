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
const wish = { ttl: 60, topic: 'x' }

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

it('a push arrives as it was said, for one browser and no other', async () => {
  const { service, subscribe } = await startService()
  const [ada, eve] = [subscribe(), subscribe()]
  const pusher = open()
  const text = JSON.stringify({ title: 'Water the plants 🌱' })
  expect(await pusher.push(ada, text, wish)).toEqual({ outcome: 'delivered' })
  expect(service.pushed).toMatchObject([{ browser: 0, message: { title: 'Water the plants 🌱' }, ttl: 60 }])
  // Somebody's keys at another's address: that browser cannot read it.
  await pusher.push({ ...eve, endpoint: ada.endpoint }, text, wish)
  expect(service.wrong).toEqual([expect.stringContaining('authenticate')])
})

it('a push that somebody else signed is not taken', async () => {
  const { service, subscribe } = await startService()
  const other = openPusher(
    { contact: 'mailto:eve@example.org', to: 'anywhere' },
    async () => makePushKeys(),
    Date.now,
  )
  onTestFinished(() => other.close())
  expect(await other.push(subscribe(), '{}', wish)).toEqual({ outcome: 'refused' })
  expect(service.wrong).toEqual([expect.stringContaining('somebody that the browser does not know')])
})

it('when to try again is told in seconds, however the push service says it', async () => {
  const { service, subscribe } = await startService()
  const now = Date.now()
  const pusher = open(() => now)
  const to = subscribe()
  const inTwoMinutes = new Date(now + 120_000).toUTCString()
  service.answer(
    to.browser,
    { status: 429, retryAfter: '120' },
    { status: 503, retryAfter: inTwoMinutes },
    { status: 503, retryAfter: 'soon' },
  )
  const push = () => pusher.push(to, '{}', wish)
  expect(await push()).toEqual({ outcome: 'unreachable', retryAfter: 120 })
  expect(await push()).toEqual({
    outcome: 'unreachable',
    retryAfter: (Date.parse(inTwoMinutes) - now) / 1000,
  })
  expect(await push()).toEqual({ outcome: 'unreachable', retryAfter: undefined })
})

it('a push service that does not answer is left alone for half a minute, and the others are not', async () => {
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
    expect(await pusher.push(gone, '{}', wish)).toEqual({ outcome: 'unreachable' })
    expect(await pusher.push(alive, '{}', wish)).toEqual({ outcome: 'delivered' })
  }
  expect(connections).toBe(1)
  now += 30_001
  await pusher.push(gone, '{}', wish)
  expect(connections).toBe(2)
  expect(service.wrong).toEqual([])
})

it.each([
  ['closed', (socket: Socket) => void socket.destroy()],
  ['made unusable', (socket: Socket) => void socket.write('HTTP/9.9 nonsense\r\n\r\n')],
])('a kept connection that the push service has %s meanwhile costs no push', async (_, spoil) => {
  const { subscribe } = await startService()
  let connections = 0
  const forgetful = createServer((socket) => {
    connections += 1
    let asked = 0
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (!data.includes('POST ')) return
      asked += 1
      if (asked > 1) spoil(socket)
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
    expect(await pusher.push(to, '{}', wish)).toEqual({ outcome: 'delivered' })
    // The connection is free for the next one a turn after its answer has been read.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(connections).toBeGreaterThan(1)
})

it('a name that leads into a private network is not connected to, whatever it led to before, and answers as one that leads nowhere', async () => {
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
  const push = (host: string) => pusher.push({ ...subscribe(), endpoint: `https://${host}/x` }, '{}', wish)
  expect(pusher.problemOf('https://inside.example/x')).toBeUndefined()
  const inwards = [await push('inside.example'), await push('inside.example')]
  expect(inwards).toEqual([{ outcome: 'unreachable' }, { outcome: 'unreachable' }])
  // At the second try neither is looked up again.
  expect([await push('nowhere.example'), await push('nowhere.example')]).toEqual(inwards)
  expect(lookedUp).toEqual(['inside.example', 'nowhere.example'])
  // Had it been connected to, there would be nothing to tell.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { service: 'inside.example', msg: 'A push service is not on the internet: see PUSH_TO' },
  ])
})

it('why a push was refused is logged, and nothing by which somebody could push', async () => {
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
  expect(await pusher.push(to, '{}', wish)).toEqual({ outcome: 'refused' })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { status: 403, said: expect.stringContaining('"reason":"BadJwtToken"') },
  ])
  expect(lines.join()).not.toMatch(/APA91b|ada@/)
})

it('a push that cannot be made is no failure of whoever asks for it', async () => {
  const { subscribe } = await startService()
  const away = openPusher(
    { contact: 'mailto:ada@example.org', to: 'anywhere' },
    () => Promise.reject(new Error('The database is away')),
    Date.now,
  )
  onTestFinished(() => away.close())
  expect(await away.push(subscribe(), '{}', wish)).toEqual({ outcome: 'unreachable' })
  const wrongKey = { ...subscribe(), p256dh: Buffer.alloc(65, 4).toString('base64url') }
  expect(await open().push(wrongKey, '{}', wish)).toEqual({ outcome: 'unreachable' })
})

it('after the rest of a push service one push asks whether it answers again, and the others do not wait', async () => {
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
  await pusher.push(gone, '{}', wish)
  now += 30_001
  const first = pusher.push(gone, '{}', wish)
  expect(await pusher.push(gone, '{}', wish)).toEqual({ outcome: 'unreachable' })
  await waitFor(() => expect(connections.size).toBe(2))
  for (const socket of connections) socket.destroy()
  expect(await first).toEqual({ outcome: 'unreachable' })
  expect(service.wrong).toEqual([])
})
