import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import type { Instant } from '#platform/calendar/day.ts'
import { loggable, withoutAddresses } from '#platform/http/request-log.ts'
import { encryptPush, type PushSubscription } from './encrypt.ts'
import { isPublicAddress, type Lookup, lookupPublic, PrivateAddress } from './public-address.ts'
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
  /** What is refused, and what could not be sent at all, is told here. */
  log?: Logger | undefined
  /** How names are looked up, where not as the machine does. */
  lookUp?: Lookup | undefined
}

/** The longest that one push is waited for, in milliseconds. */
export const patience = 8_000
// For so long nothing is asked of a push service that did not answer: those of others must not wait for it each time.
const restAfterSilence = 30_000
// There are four or five push services; whoever names others must not fill the memory.
const mostOrigins = 1_000

// Characters of what a push service says to a refusal.
const longestSaid = 200

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

  const lookupHere: typeof lookupPublic = (hostname, options, found) =>
    lookupPublic(hostname, options, found, settings.lookUp)

  function problemOf(endpoint: string): string | undefined {
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

  async function push(to: PushSubscription, text: string, wish: PushWish): Promise<PushOutcome> {
    if (problemOf(to.endpoint) !== undefined) return { outcome: 'refused' }
    const url = new URL(to.endpoint)
    const rest = silent.get(url.origin)
    if (rest !== undefined) {
      if (rest > clock()) return { outcome: 'unreachable' }
      // The first after a rest asks alone: the others wait for what becomes of it.
      silent.set(url.origin, clock() + restAfterSilence)
    }
    const asked = await request(url, to, text, wish)
    if ('outcome' in asked) return asked
    try {
      const answer = await ask(url, asked.headers, asked.body)
      silent.delete(url.origin)
      const outcome = outcomeOf(answer, clock())
      if (outcome.outcome !== 'refused') {
        // What it says besides is nothing to us; read to its end, so that the connection can be used again.
        answer.resume()
        return outcome
      }
      const said = { service: url.host, status: answer.statusCode, said: await beginningOf(answer) }
      settings.log?.warn(said, 'A push service refused a push')
      return outcome
    } catch (error) {
      // To whoever asks for the push it is the same as a name that nobody answers at: what a name leads to within the
      // server's network is not theirs to find out. The operator is told.
      if (isOfPrivateAddress(error)) {
        settings.log?.warn({ service: url.host }, 'A push service is not on the internet: see PUSH_TO')
      }
      if (silent.size >= mostOrigins) silent.clear()
      silent.set(url.origin, clock() + restAfterSilence)
      return { outcome: 'unreachable' }
    }
  }

  /** What is sent; or what becomes of a push that cannot be. */
  async function request(
    url: URL,
    to: PushSubscription,
    text: string,
    { ttl, topic }: PushWish,
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
    const send = url.protocol === 'http:' ? httpRequest : httpsRequest
    const lookup = settings.to === 'internet' ? { lookup: lookupHere } : {}
    return new Promise((resolve, reject) => {
      const asking = send(url, { method: 'POST', ...options, ...lookup }, (response) => {
        response.on('error', () => {})
        resolve(response)
      })
      asking.on('error', (error) => {
        // However it broke; unless there was no answer in time.
        const isClosed = asking.reusedSocket && !options.signal.aborted
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

/** As much of what an answer says as tells why, without what may be an address or a secret. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk
      if (text.length >= longestSaid) break
    }
  } catch {
    // What has come until it broke off may tell as well.
  }
  return withoutAddresses(text.slice(0, longestSaid)).replace(/[\w+/.=-]{20,}/g, '(long word)')
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
