import { duringActivity } from '#platform/browser/activity.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { type Failure, failureSchema } from '#platform/wire/failure.ts'
import { takeEarlyRead } from './early-reads.ts'

export type RequestResult =
  | ({ kind: 'done' } & CachedResponse & Timestamped)
  | ({ kind: 'refused'; status: number; failure: Failure } & Timestamped)
  /** The server does not accept requests as this account now. */
  | ({ kind: 'signed-out' } & Timestamped)
  /**
   * No conclusive response. Try again, but not before `retryAfter` milliseconds if the server asked for that.
   * `by`: what responded instead, our busy server or something in front of it; left out if perhaps nothing did.
   * `status`: of the response that did not come from our server.
   * `storageProblem`: why the server cannot store anything, in its own words.
   */
  | {
      kind: 'none'
      retryAfter: number | undefined
      by?: 'server' | 'something else'
      status?: number
      storageProblem?: string
    }

interface Timestamped {
  /** When the server wrote the response, by its own clock, in epoch milliseconds rounded down to seconds. */
  date?: Instant | undefined
  /** When the request was sent, by this device's clock, if that was before `sendRequest` was called. */
  askedAt?: Instant
}

/** An earlier response and the tag by which the server recognizes it. */
export interface CachedResponse {
  body: object
  tag?: string | undefined
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  headers?: Readonly<Record<string, string>> | undefined
  body?: unknown
  /** The body as JSON text, in place of `body`. */
  json?: string
  /** The response we already have. If it is unchanged, the server does not send it again. */
  cached?: CachedResponse | undefined
  /** Whether to accept the response to a request that the page sent before its scripts ran. */
  early?: boolean
}

/** Milliseconds until a request is aborted: a hanging connection must not hold up the queue forever. */
const timeout = 30_000

const retriableStatuses = new Set([408, 425, 429, 502, 503, 504])

/**
 * Sends a request to our server as `account`. Only our own JSON counts as a response: the page of a captive portal and the
 * 404 of a proxy do not. Calls `onResponseStart` when a response begins to arrive. Never rejects.
 */
export function sendRequest(...request: Parameters<typeof exchange>): Promise<RequestResult> {
  return duringActivity(exchange(...request))
}

async function exchange(
  request: ApiRequest,
  account: string,
  signal: AbortSignal,
  onResponseStart?: () => void,
): Promise<RequestResult> {
  try {
    const body: string | undefined = request.json ?? JSON.stringify(request.body)
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
    const early = request.early ? takeEarlyRead(request.path, account) : undefined
    if (early) {
      const result = early.response.then((response) => {
        onResponseStart?.()
        return readResponse(response, undefined)
      })
      return askedAt(early.askedAt, await Promise.race([result, whenAborted(until)]))
    }
    const response = await fetch(request.path, {
      method: request.method,
      headers: {
        accept: 'application/json',
        // The cookie may belong to another account by now; the server then responds with 401.
        'x-daymark-user': account,
        ...request.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(request.cached?.tag === undefined ? {} : { 'if-none-match': request.cached.tag }),
      },
      body,
      credentials: 'same-origin',
      // An account's data is stored only in its local store, which a sign-out erases. The browser's cache would keep it.
      cache: 'no-store',
      redirect: 'error',
      signal: until,
    })
    onResponseStart?.()
    return await readResponse(response, request.cached)
  } catch {
    return { kind: 'none', retryAfter: undefined }
  }
}

/** Rejects when the signal is aborted; never resolves. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function askedAt(askedAt: Instant, result: RequestResult): RequestResult {
  return result.kind === 'none' ? result : { ...result, askedAt }
}

/** Turns a response into a result. Never rejects. */
export async function readResponse(
  response: Response,
  cached: CachedResponse | undefined,
): Promise<RequestResult> {
  const tag = response.headers.get('etag') ?? undefined
  const date = dateOf(response)
  if (cached && response.status === 304 && isSameTag(tag, cached.tag))
    return { kind: 'done', ...cached, date }
  const text = await textOf(response)
  if (text === undefined) return { kind: 'none', retryAfter: undefined }
  const retryDelay = retryAfter(response.headers.get('retry-after'), date ?? Date.now())
  const result = interpretResponse(response.status, jsonObject(text), retryDelay, date)
  return result.kind === 'done' && tag !== undefined ? { ...result, tag } : result
}

/** What a response means. `retryAfter` is in milliseconds; `date` is when the server wrote the response. */
export function interpretResponse(
  status: number,
  body: object | undefined,
  retryAfter: number | undefined,
  date: Instant | undefined,
): RequestResult {
  const failure = failureSchema.safeParse(body).data
  if (retriableStatuses.has(status)) {
    if (!failure) return { kind: 'none', retryAfter }
    const storageProblem = status === 503 ? storageProblemIn(failure) : undefined
    return { kind: 'none', retryAfter, by: 'server', ...(storageProblem !== undefined && { storageProblem }) }
  }
  if (body && status < 300) return { kind: 'done', body, date }
  if (!failure) return { kind: 'none', retryAfter: undefined, by: 'something else', status }
  if (status === 401) return { kind: 'signed-out', date }
  return { kind: 'refused', status, failure, date }
}

/**
 * Our server's reason why it cannot store. A 503 may also come from a proxy or a server that is only starting, which is no
 * storage problem.
 */
function storageProblemIn({ code, message }: Failure): string | undefined {
  return code.startsWith('STORAGE_') ? message : undefined
}

/** Compares ETags, ignoring weakness: the tag of a compressed response is weak, that of a 304 isn't. */
function isSameTag(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.replace(/^W\//, '') === other?.replace(/^W\//, '')
}

function dateOf(response: Response): Instant | undefined {
  const date = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(date) ? undefined : date
}

/** The body's text; empty if it is not JSON, undefined if the response broke off. */
async function textOf(response: Response): Promise<string | undefined> {
  if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) return ''
  return response.text().catch(() => undefined)
}

function jsonObject(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined
  } catch {
    return undefined
  }
}

/**
 * Milliseconds to wait by a Retry-After header, which holds seconds or a date. `now`: the server's time if known, else this
 * device's. Capped at an hour, so that a faulty proxy cannot stop the queue for days.
 */
function retryAfter(header: string | null, now: Instant): number | undefined {
  if (!header) return undefined
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return milliseconds > 0 ? Math.min(milliseconds, 3_600_000) : undefined
}
