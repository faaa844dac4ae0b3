import type { Instant } from '#platform/calendar/day.ts'
import { type Failure, failureSchema } from '#platform/wire/failure.ts'
import { takeEarlyList } from './early-list.ts'

export type Answer =
  | ({ kind: 'done' } & Known & Dated)
  | ({ kind: 'refused'; status: number; failure: Failure } & Dated)
  /** The server does not take requests as this account now. */
  | ({ kind: 'signed-out' } & Dated)
  /**
   * Nothing came back that decides it: try again, but not before `retryAfter` milliseconds where the server asked for it.
   * `by`: who answered instead, our server that is busy or something in front of it; left out where it may be that nobody did.
   * `status`: that of something else.
   * `trouble`: why the server can store nothing, in its words.
   */
  | {
      kind: 'none'
      retryAfter: number | undefined
      by?: 'server' | 'something else'
      status?: number
      trouble?: string
    }

interface Dated {
  /** When the server wrote it, by its own clock, in whole seconds. */
  date?: Instant | undefined
  /** By this device's clock, where it was asked for before. */
  askedAt?: Instant
}

/** What the server said, and the tag by which it knows that it said so. */
export interface Known {
  body: object
  tag?: string
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  /** What it answered before: is it the same still, it is not sent again. */
  known?: Known | undefined
}

/** A connection that hangs must not hold up the queue for ever. */
const patience = 30_000

const passing = new Set([408, 425, 429, 502, 503, 504])

/**
 * Asks our server as `account`. Only our own JSON is an answer: the page of a captive portal and the 404 of a proxy are
 * none. `begun` is called when an answer begins to arrive. Never rejects.
 */
export async function ask(
  request: Request,
  account: string,
  signal: AbortSignal,
  begun?: () => void,
): Promise<Answer> {
  try {
    const early = await takeEarlyList(request, account)
    if (early) {
      const answer = await understand(early.response, undefined)
      if (answer.kind === 'done') return { ...answer, askedAt: early.askedAt }
    }
    const response = await fetch(request.path, {
      method: request.method,
      headers: {
        accept: 'application/json',
        // The cookie may be someone else's by now; the server answers 401 when it is.
        'x-daymark-user': account,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(request.known?.tag === undefined ? {} : { 'if-none-match': request.known.tag }),
      },
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      credentials: 'same-origin',
      // What an account sees is kept in its own store only, which a sign-out empties; the browser's cache would stay.
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
    })
    begun?.()
    return await understand(response, request.known)
  } catch {
    return { kind: 'none', retryAfter: undefined }
  }
}

/** Never rejects. */
export async function understand(response: Response, known: Known | undefined): Promise<Answer> {
  const tag = response.headers.get('etag') ?? undefined
  const date = dateOf(response)
  if (known && response.status === 304 && isSameTag(tag, known.tag)) return { kind: 'done', ...known, date }
  const text = await textOf(response)
  if (text === undefined) return { kind: 'none', retryAfter: undefined }
  const wait = retryAfter(response.headers.get('retry-after'))
  const answer = decided(response.status, jsonObject(text), wait, date)
  return answer.kind === 'done' && tag !== undefined ? { ...answer, tag } : answer
}

/** What an answer comes to: `retryAfter` in milliseconds, `date` when the server wrote it. */
export function decided(
  status: number,
  body: object | undefined,
  retryAfter: number | undefined,
  date: Instant | undefined,
): Answer {
  const failure = failureSchema.safeParse(body).data
  if (passing.has(status)) {
    if (!failure) return { kind: 'none', retryAfter }
    const trouble = status === 503 ? storageTrouble(failure) : undefined
    return { kind: 'none', retryAfter, by: 'server', ...(trouble !== undefined && { trouble }) }
  }
  if (body && status < 300) return { kind: 'done', body, date }
  if (!failure) return { kind: 'none', retryAfter: undefined, by: 'something else', status }
  if (status === 401) return { kind: 'signed-out', date }
  return { kind: 'refused', status, failure, date }
}

/** A proxy says 503 too, and a server that is only starting is none that somebody has to look after. */
function storageTrouble({ code, message }: Failure): string | undefined {
  return code.startsWith('STORAGE_') ? message : undefined
}

/** A proxy that compresses weakens the tag of what it compressed, and not that of a 304. */
function isSameTag(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.replace(/^W\//, '') === other?.replace(/^W\//, '')
}

function dateOf(response: Response): Instant | undefined {
  const date = Date.parse(response.headers.get('date') ?? '')
  return Number.isNaN(date) ? undefined : date
}

/** Empty where it is no JSON; undefined where it broke off. */
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

/** The header is seconds or a date; milliseconds, at most an hour, so that no slip of a proxy stops the queue for days. */
function retryAfter(header: string | null): number | undefined {
  if (!header) return undefined
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return milliseconds > 0 ? Math.min(milliseconds, 3_600_000) : undefined
}
