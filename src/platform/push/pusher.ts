import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Instant } from '#platform/calendar/day.ts'
import { encryptPush, type PushSubscription } from './encrypt.ts'
import { isPublicAddress, lookupPublic, PrivateAddress } from './public-address.ts'
import { createVapid, type PushKeys } from './vapid.ts'

/** What became of a push: the service took it; will never take it; knows the subscription no more; or not now. */
export type PushOutcome =
  | { outcome: 'delivered' | 'refused' | 'gone' }
  | { outcome: 'unreachable'; retryAfter?: number | undefined }

export interface PushWish {
  /** Seconds for which the service keeps it for a browser that is away. */
  ttl: number
  /** Of several that wait there under one topic, the last is shown. */
  topic: string
}

export interface Pusher {
  publicKey(): Promise<string>
  /** Never fails: what happened is the answer, within `patience`. */
  push(to: PushSubscription, text: string, wish: PushWish): Promise<PushOutcome>
  /** Why nothing is sent to this address, if so. */
  problemOf(endpoint: string): string | undefined
  close(): void
}

export interface PushSettings {
  /** Where push services can tell the operator of trouble: `mailto:` or https. */
  contact: string
  /** `anywhere` takes http and addresses of one's own network as well. */
  to: 'internet' | 'anywhere'
}

/** The longest that one push is waited for, in milliseconds. */
export const patience = 8_000
// For so long nothing is asked of a push service that did not answer: those of others must not wait for it each time.
const restAfterSilence = 30_000
// There are four or five push services; whoever names others must not fill the memory.
const mostOrigins = 1_000

type Headers = Record<string, string | number>

class ConnectionWasClosed extends Error {}

/** Web Push, over connections that are kept. `keys` are read when they are first needed. */
export function openPusher(
  settings: PushSettings,
  readKeys: () => Promise<PushKeys>,
  clock: () => Instant,
): Pusher {
  const kept = { keepAlive: true, maxFreeSockets: 8, scheduling: 'lifo' as const, timeout: 60_000 }
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) }
  const silent = new Map<string, Instant>()
  let opened: Promise<{ keys: PushKeys; vapid: ReturnType<typeof createVapid> }> | undefined

  function open() {
    opened ??= readKeys().then((keys) => ({ keys, vapid: createVapid(keys, settings.contact) }))
    // Asked again where the database was away.
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }

  function problemOf(endpoint: string): string | undefined {
    if (!URL.canParse(endpoint)) return 'Expected an address such as https://push.example/…'
    const { protocol, hostname, port, username, password } = new URL(endpoint)
    if (username || password) return 'An address with a password is not pushed to'
    if (settings.to === 'anywhere') {
      return protocol === 'https:' || protocol === 'http:' ? undefined : 'Expected an https address'
    }
    if (protocol !== 'https:' || port !== '') return 'Expected an https address without a port'
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const isPrivate = isIP(host) ? !isPublicAddress(host) : /(^|\.)localhost\.?$/.test(host)
    return isPrivate ? 'An address of a private network is not pushed to' : undefined
  }

  async function push(to: PushSubscription, text: string, { ttl, topic }: PushWish): Promise<PushOutcome> {
    if (problemOf(to.endpoint) !== undefined) return { outcome: 'refused' }
    const { vapid } = await open()
    const url = new URL(to.endpoint)
    if ((silent.get(url.origin) ?? 0) > clock()) return { outcome: 'unreachable' }
    const body = encryptPush(to, text)
    const headers = {
      Authorization: vapid(url.origin, clock()),
      'Content-Encoding': 'aes128gcm',
      'Content-Type': 'application/octet-stream',
      'Content-Length': body.length,
      TTL: Math.max(0, Math.round(ttl)),
      Urgency: 'high',
      Topic: topic,
    }
    try {
      const answer = await ask(url, headers, body)
      silent.delete(url.origin)
      return outcomeOf(answer, clock())
    } catch (error) {
      if (isOfPrivateAddress(error)) return { outcome: 'refused' }
      if (silent.size >= mostOrigins) silent.clear()
      silent.set(url.origin, clock() + restAfterSilence)
      return { outcome: 'unreachable' }
    }
  }

  /** A connection that was kept may have been closed meanwhile, which says nothing of the push service: once more, anew. */
  async function ask(url: URL, headers: Headers, body: Buffer): Promise<IncomingMessage> {
    const signal = AbortSignal.timeout(patience)
    const isPlain = url.protocol === 'http:'
    const kept = isPlain ? agents['http:'] : agents['https:']
    try {
      return await askOnce(url, { headers, signal, agent: kept }, body)
    } catch (error) {
      if (!(error instanceof ConnectionWasClosed)) throw error
      return askOnce(url, { headers, signal, agent: false }, body)
    }
  }

  function askOnce(
    url: URL,
    options: { headers: Headers; signal: AbortSignal; agent: HttpAgent | false },
    body: Buffer,
  ): Promise<IncomingMessage> {
    const request = url.protocol === 'http:' ? httpRequest : httpsRequest
    const lookup = settings.to === 'internet' ? { lookup: lookupPublic } : {}
    return new Promise((resolve, reject) => {
      const asking = request(url, { method: 'POST', ...options, ...lookup }, (response) => {
        // What it says besides is nothing to us; read to its end, so that the connection can be used again.
        response.on('error', () => {})
        response.resume()
        resolve(response)
      })
      asking.on('error', (error) => {
        const isClosed = asking.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
        reject(isClosed ? new ConnectionWasClosed() : error)
      })
      asking.end(body)
    })
  }

  return {
    publicKey: async () => (await open()).keys.publicKey,
    push,
    problemOf,
    close() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage, now: Instant): PushOutcome {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'delivered' }
  if (statusCode === 404 || statusCode === 410) return { outcome: 'gone' }
  if (statusCode === 408 || statusCode === 425 || statusCode === 429 || statusCode >= 500) {
    return { outcome: 'unreachable', retryAfter: secondsOf(headers['retry-after'], now) }
  }
  return { outcome: 'refused' }
}

/** `Retry-After` in seconds, or as an instant. */
function secondsOf(header: string | undefined, now: Instant): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const instant = Date.parse(header)
  return Number.isNaN(instant) ? undefined : Math.max(0, (instant - now) / 1000)
}

function isOfPrivateAddress(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfPrivateAddress)
  return error instanceof PrivateAddress
}
