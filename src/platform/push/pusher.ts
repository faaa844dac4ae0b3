import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import type { Instant } from '#platform/calendar/day.ts'
import { loggable, withoutAddresses } from '#platform/log/loggable.ts'
import { encryptPush, type PushSubscription } from './encrypt.ts'
import { isPublicAddress, type Lookup, lookupPublic, PrivateAddress } from './public-address.ts'
import { createVapid, type PushKeys } from './vapid.ts'

/**
 * The outcome of a push: the service accepted it, will never accept it, no longer knows the subscription, or cannot take it
 * now.
 */
export type PushOutcome =
  | { outcome: 'delivered' | 'refused' | 'gone' }
  | { outcome: 'unreachable'; retryAfter?: number | undefined }

export interface PushOptions {
  /** Seconds for which the service keeps the push for an offline browser. */
  ttl: number
  /** Of several waiting pushes with the same topic, only the last is delivered. */
  topic: string
}

export interface Pusher {
  /** Whether this server sends no pushes. */
  isOff: boolean
  publicKey(): Promise<string>
  /** Sends a push. Never rejects, and resolves within `pushTimeout`. */
  push(to: PushSubscription, text: string, options: PushOptions): Promise<PushOutcome>
  /** Why nothing may be sent to this address; undefined if it is fine. */
  problemOf(endpoint: string): string | undefined
  close(): void
}

export interface PushSettings {
  /** How push services can reach the operator: a `mailto:` or https address. */
  contact: string
  /** `anywhere` also allows http and addresses in the server's own network; `nowhere` sends nothing. */
  to: 'internet' | 'anywhere' | 'nowhere'
  /** Receives refused pushes, and pushes that could not be sent at all. */
  log?: Logger | undefined
  /** Replaces the machine's own name lookup. */
  lookUp?: Lookup | undefined
}

/** The longest time that one push may take, in milliseconds. */
export const pushTimeout = 8_000
// Milliseconds for which nothing is sent to a push service that did not respond, so that other pushes need not wait for it
// each time.
const pauseAfterSilence = 30_000
// There are four or five push services. Subscriptions that name others must not fill the memory.
const maxOrigins = 1_000

// The most characters of a push service's refusal that are logged.
const maxReasonLength = 200

type Headers = Record<string, string | number>

class ConnectionClosed extends Error {}

/** Opens a Web Push sender with kept-alive connections. `readKeys` is called when the keys are first needed. */
export function openPusher(
  settings: PushSettings,
  readKeys: () => Promise<PushKeys>,
  clock: () => Instant,
): Pusher {
  const agentOptions = { keepAlive: true, maxFreeSockets: 8, scheduling: 'lifo' as const, timeout: 60_000 }
  const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) }
  const pausedUntil = new Map<string, Instant>()
  let opened: Promise<{ keys: PushKeys; vapid: ReturnType<typeof createVapid> }> | undefined

  function open() {
    opened ??= readKeys().then((keys) => ({ keys, vapid: createVapid(keys, settings.contact) }))
    // If the database was unavailable, read the keys again next time.
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }

  const lookUp: typeof lookupPublic = (hostname, options, found) =>
    lookupPublic(hostname, options, found, settings.lookUp)

  function problemOf(endpoint: string): string | undefined {
    if (settings.to === 'nowhere') return "This server doesn't send push reminders"
    if (!URL.canParse(endpoint)) return 'Expected an address such as https://push.example/…'
    const { protocol, hostname, port, username, password } = new URL(endpoint)
    if (username || password) return "Addresses with a password aren't allowed"
    if (settings.to === 'anywhere') {
      return protocol === 'https:' || protocol === 'http:' ? undefined : 'Expected an https address'
    }
    if (protocol !== 'https:' || port !== '') return 'Expected an https address without a port'
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const isPrivate = isIP(host) ? !isPublicAddress(host) : /(^|\.)localhost\.?$/.test(host)
    return isPrivate ? "Addresses on a private network aren't allowed" : undefined
  }

  async function push(to: PushSubscription, text: string, options: PushOptions): Promise<PushOutcome> {
    if (problemOf(to.endpoint) !== undefined) return { outcome: 'refused' }
    const url = new URL(to.endpoint)
    const until = pausedUntil.get(url.origin)
    if (until !== undefined) {
      // A longer pause was begun before the clock was set back, and no longer counts.
      const left = until - clock()
      if (left > 0 && left <= pauseAfterSilence) return { outcome: 'unreachable' }
      // After a pause, only the first push tries the service; the others wait for its outcome.
      pausedUntil.set(url.origin, clock() + pauseAfterSilence)
    }
    const prepared = await prepareRequest(url, to, text, options)
    if ('outcome' in prepared) return prepared
    try {
      const response = await send(url, prepared.headers, prepared.body)
      pausedUntil.delete(url.origin)
      const outcome = outcomeOf(response, clock())
      if (outcome.outcome !== 'refused') {
        // The rest of the response does not matter; it is read to its end so that the connection can be reused.
        response.resume()
        return outcome
      }
      const logged = { service: url.host, status: response.statusCode, said: await readReason(response) }
      settings.log?.warn(logged, 'A push service refused a push')
      return outcome
    } catch (error) {
      // The caller sees the same as for an unreachable name, and so cannot find out what a name resolves to inside the server's
      // network. The log tells the operator.
      if (isOfPrivateAddress(error)) {
        settings.log?.warn({ service: url.host }, 'A push service is not on the internet: see PUSH_TO')
      }
      if (pausedUntil.size >= maxOrigins) pausedUntil.clear()
      pausedUntil.set(url.origin, clock() + pauseAfterSilence)
      return { outcome: 'unreachable' }
    }
  }

  /** Prepares the request, or returns the outcome of a push that cannot be sent. */
  async function prepareRequest(
    url: URL,
    to: PushSubscription,
    text: string,
    { ttl, topic }: PushOptions,
  ): Promise<{ headers: Headers; body: Buffer } | PushOutcome> {
    try {
      const { vapid } = await open()
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
      return { headers, body }
    } catch (error) {
      settings.log?.error({ error: loggable(error) }, 'A push could not be made')
      return { outcome: 'unreachable' }
    }
  }

  /**
   * Sends a request, on a new connection if the first attempt fails on a kept-alive one. A kept-alive connection may have been
   * closed meanwhile, which says nothing about the push service.
   */
  async function send(url: URL, headers: Headers, body: Buffer): Promise<IncomingMessage> {
    const signal = AbortSignal.timeout(pushTimeout)
    const isPlain = url.protocol === 'http:'
    const agent = isPlain ? agents['http:'] : agents['https:']
    try {
      return await sendOnce(url, { headers, signal, agent }, body)
    } catch (error) {
      if (!(error instanceof ConnectionClosed)) throw error
      return sendOnce(url, { headers, signal, agent: false }, body)
    }
  }

  function sendOnce(
    url: URL,
    options: { headers: Headers; signal: AbortSignal; agent: HttpAgent | false },
    body: Buffer,
  ): Promise<IncomingMessage> {
    const startRequest = url.protocol === 'http:' ? httpRequest : httpsRequest
    const lookup = settings.to === 'internet' ? { lookup: lookUp } : {}
    return new Promise((resolve, reject) => {
      const request = startRequest(url, { method: 'POST', ...options, ...lookup }, (response) => {
        response.on('error', () => {})
        resolve(response)
      })
      request.on('error', (error) => {
        // Any failure of a reused connection counts as closed, except a response that timed out.
        const isClosed = request.reusedSocket && !options.signal.aborted
        reject(isClosed ? new ConnectionClosed() : error)
      })
      request.end(body)
    })
  }

  return {
    isOff: settings.to === 'nowhere',
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
    return { outcome: 'unreachable', retryAfter: secondsOf(headers['retry-after'], headers.date, now) }
  }
  return { outcome: 'refused' }
}

/** Reads enough of a response to explain the refusal, without anything that may be an address or a secret. */
async function readReason(response: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      if (text.length >= maxReasonLength) break
    }
  } catch {
    // The part that arrived before the connection broke may be explanation enough.
  }
  return withoutAddresses(text.slice(0, maxReasonLength)).replace(/[\w+/.=-]{20,}/g, '(long word)')
}

/** Parses `Retry-After`: seconds, or an instant by the service's clock, which the `Date` header tells. */
function secondsOf(header: string | undefined, date: string | undefined, now: Instant): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const instant = Date.parse(header)
  const theirs = Date.parse(date ?? '')
  const since = Number.isNaN(theirs) ? now : theirs
  return Number.isNaN(instant) ? undefined : Math.max(0, (instant - since) / 1000)
}

function isOfPrivateAddress(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfPrivateAddress)
  return error instanceof PrivateAddress
}
