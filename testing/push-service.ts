import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Subscription } from '#features/reminders/devices/push-subscription.ts'

export interface PushedMessage {
  /** Which browser, by its number. */
  browser: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever was pushed; the tests say what they expect
  message: any
  ttl: number
  topic: string | undefined
  urgency: string | undefined
}

export interface SubscribedBrowser {
  number: number
  /** As a browser makes JSON of its subscription. */
  subscription: Subscription
}

export interface PushService {
  origin: string
  pushed: readonly PushedMessage[]
  /** What was wrong with a push; nothing is told to whoever sent it. */
  wrong: readonly string[]
  subscribe(): SubscribedBrowser
  /** The next responses to a browser's pushes; 201 after them. 0 leaves the push without a response. */
  respond(browser: SubscribedBrowser, ...responses: { status: number; retryAfter?: string }[]): void
  /** Leaves a browser's pushes without a response until the one that is returned is called; then they get theirs. */
  hold(browser: SubscribedBrowser): () => void
  /** As `hold`, of every browser. */
  holdAll(): () => void
  /** How many pushes have arrived and are not answered yet. */
  underWay(): number
  /** How many pushes to a browser have arrived, answered or not. */
  arrived(browser: SubscribedBrowser): number
  /** Milliseconds that each push takes. */
  takes(milliseconds: number): void
  stop(): Promise<void>
}

/**
 * A push service in the test's own process that does what push services and browsers do: it checks who pushes (RFC 8292)
 * for the key that the subscription was made with, and decrypts (RFC 8291) with the keys of the browser.
 * `applicationKey`: the key that browsers subscribe with, once it is known.
 */
export async function startPushService(applicationKey: () => string): Promise<PushService> {
  const pushed: PushedMessage[] = []
  const wrong: string[] = []
  const browsers: {
    pair: ECDH
    auth: Buffer
    responses: { status: number; retryAfter?: string }[]
    arrived: number
    held?: Promise<void>
  }[] = []
  let delay = 0
  let heldAll: Promise<void> | undefined
  let underWay = 0

  const server = createServer((request, response) => {
    underWay += 1
    // Also when whoever pushed has lost patience.
    response.once('close', () => {
      underWay -= 1
    })
    receive(request, response).catch((error) => {
      wrong.push(String(error))
      response.writeHead(400).end()
    })
  }).listen(0, '127.0.0.1')
  server.keepAliveTimeout = 60_000
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  const origin = `http://127.0.0.1:${address.port}`

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const number = Number(/^\/push\/(\d+)$/.exec(request.url ?? '')?.[1])
    const browser = browsers[number]
    if (request.method !== 'POST' || !browser) throw new Error(`${request.method} ${request.url}`)
    const body = await buffer(request)
    checkSender(request.headers.authorization ?? '')
    if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('Not encrypted as it has to be')
    if (!/^\d+$/.test(request.headers.ttl?.toString() ?? '')) throw new Error('No TTL')
    if (body.length > 4_096) throw new Error(`${body.length} bytes are more than a push service takes`)
    const message = JSON.parse(decrypted(body, browser.pair, browser.auth))
    browser.arrived += 1
    if (delay > 0) await pause(delay)
    await Promise.all([heldAll, browser.held])
    const { status, retryAfter } = browser.responses.shift() ?? { status: 201 }
    if (status === 0) return
    if (status < 300) {
      const { ttl, topic, urgency } = request.headers
      pushed.push({
        browser: number,
        message,
        ttl: Number(ttl),
        topic: topic?.toString(),
        urgency: urgency?.toString(),
      })
    }
    response.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter }).end('{}')
  }

  function checkSender(header: string): void {
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
    if (key !== applicationKey()) throw new Error('Pushed by somebody that the browser does not know')
    const [head = '', claims = '', signature = ''] = token.split('.')
    const point = Buffer.from(key, 'base64url')
    const number = (from: number) => point.subarray(from, from + 32).toString('base64url')
    const publicKey = createPublicKey({
      key: { kty: 'EC', crv: 'P-256', x: number(1), y: number(33) },
      format: 'jwk',
    })
    const signer = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    if (!verify('sha256', Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, 'base64url'))) {
      throw new Error('The signature is not of that key')
    }
    const { typ, alg } = parsed(head)
    if (typ !== 'JWT' || alg !== 'ES256') throw new Error(`${typ} ${alg}`)
    const { aud, exp, sub } = parsed(claims)
    if (aud !== origin) throw new Error(`For ${aud}, not for here`)
    const hours = (Number(exp) - Date.now() / 1000) / 3600
    if (!(hours > 0 && hours <= 24)) throw new Error(`It ends in ${hours} hours`)
    if (!/^(mailto:.+@.+|https:\/\/.+)$/.test(String(sub)))
      throw new Error(`${sub} cannot be told of trouble`)
  }

  return {
    origin,
    pushed,
    wrong,
    subscribe() {
      const pair = createECDH('prime256v1')
      const keys = {
        p256dh: pair.generateKeys('base64url', 'uncompressed'),
        auth: randomBytes(16).toString('base64url'),
      }
      const number =
        browsers.push({ pair, auth: Buffer.from(keys.auth, 'base64url'), responses: [], arrived: 0 }) - 1
      return { number, subscription: { endpoint: `${origin}/push/${number}`, keys } }
    },
    respond({ number }, ...responses) {
      browsers[number]?.responses.push(...responses)
    },
    hold({ number }) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const browser = browsers[number]
      if (browser) browser.held = promise
      return resolve
    },
    holdAll() {
      const { promise, resolve } = Promise.withResolvers<void>()
      heldAll = promise
      return resolve
    },
    underWay: () => underWay,
    arrived: ({ number }) => browsers[number]?.arrived ?? 0,
    takes(milliseconds) {
      delay = milliseconds
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parsed(base64url: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(base64url, 'base64url').toString())
}

/** As a browser does it: the one record that a push has, RFC 8188. */
function decrypted(body: Buffer, browser: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body[20] ?? 0
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  if (record.length > body.readUInt32BE(16)) throw new Error('More than one record')
  const derive = (secret: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const secret = derive(browser.computeSecret(senderKey), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('It is not the last record')
  return padded.subarray(0, end).toString()
}
