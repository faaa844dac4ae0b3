import { countResponseBytes, countTaken } from '#platform/database/pacing/work.ts'
import { ClientGone, type Slot } from '../budget/slot.ts'
import type { UserBudgets } from '../budget/user-budget.ts'
import { withinBudget } from '../budget/within-budget.ts'
import type {
  Deferred,
  Encoded,
  Endpoint,
  Input,
  Limit,
  Reply,
  Success,
  Unchanged,
  Written,
} from '../endpoint/endpoint.ts'
import { pathFinder } from '../endpoint/path-finder.ts'
import { LargeBodies } from '../guards/large-bodies.ts'
import { refuseForeignOrigin } from '../guards/origin.ts'
import { parseJson, readBytes, refuseDeclaredSize, usualBodyLimit } from '../request/body.ts'
import type { HttpContext, HttpRequest, HttpResponse } from '../request/context.ts'
import { handlingFor } from '../request/current-request.ts'
import {
  type ErrorResponse,
  errorResponse,
  inJson,
  notFound,
  notSignedIn,
  tooManyRequests,
} from '../request/error-response.ts'
import { queryOf } from '../request/request-path.ts'
import { asCompressed, compressedPieces, takes, variesByEncoding } from '../responses/compressed.ts'
import { fixedResponse } from '../responses/fixed-response.ts'
import type { ResponseCache } from '../responses/response-cache.ts'
import { serialized } from '../responses/serialized.ts'
import { streamOf } from '../responses/written.ts'

/** The services that the guards need from the application, passed in so that no feature depends on another. */
export interface Guards {
  baseUrl: string | undefined
  /** Returns the id of the signed-in user, or the error that prevents finding out. May add cookies to the response. */
  signedInUser(c: HttpContext): Promise<string | undefined | ErrorResponse>
  /** Counts the call. Returns 0 when the call is admitted, or else the seconds until the next call will be. */
  secondsToWait(limit: Limit, c: HttpContext): Promise<number>
  /** Nothing is cached when this is left out. */
  responseCache?: ResponseCache
  /** How much work each user may cause; nobody is limited when this is left out. */
  budgets?: UserBudgets | undefined
  /** Called when a response fails while it is being sent. */
  brokeOff(error: unknown, c: HttpContext): void
}

/**
 * Calls an endpoint after the guards have admitted the request. `madeMeanwhile` returns the response that was made for an equal
 * request while this request waited for its turn.
 */
type Handler = (c: HttpContext, params: Input['params'], madeMeanwhile?: () => Cached) => Promise<Reply>

type Cached = Encoded | Unchanged | undefined

/** Largest cached response, in bytes, that is sent without being charged: sending it costs no more than the lookup. */
const freeToSend = 64 * 1024

/** Nobody reads this response: the client is gone. */
const clientGone = errorResponse(503, 'CLIENT_GONE', 'The client disconnected before the response was ready.')

const someoneElse = errorResponse(
  401,
  'SIGNED_IN_AS_SOMEONE_ELSE',
  'A different account is now signed in on this device.',
)

/**
 * Responds to every request under /api. Each one passes the same guards in the same order, whether or not it came over a
 * socket: declared size, origin, rate limit, session. Then comes the response cache, and only after that the body, the
 * user's budget and the endpoint itself.
 */
export function apiPipeline(
  endpoints: readonly Endpoint[],
  guards: Guards,
): (c: HttpContext) => Promise<HttpResponse> {
  const paths = pathFinder(endpoints)
  const largeBodies = new LargeBodies()
  const handlers = new Map(endpoints.map((endpoint) => [endpoint, handlerFor(endpoint, guards, largeBodies)]))

  return async (c) => {
    const { request } = c
    const { method } = request
    const found = paths.find(method === 'HEAD' ? 'GET' : method, c.path)
    const foreign =
      refuseDeclaredSize(request, found?.endpoint.bodyLimit ?? usualBodyLimit) ??
      refuseForeignOrigin(method, request, guards.baseUrl)
    if (foreign) return inJson(foreign)
    if (!found) return refuseUnknown(c, paths.otherMethods(c.path))
    const { endpoint, params } = found
    c.route = endpoint.path
    const error = await refuseEntry(c, endpoint, guards)
    if (error) return inJson(error)
    let reply: Reply
    // Not `.catch`: its extra promise noticeably slows down cached responses.
    try {
      const handle = () => handlers.get(endpoint)?.(c, params)
      reply = (await (c.signedIn ? handlingFor(c.signedIn, handle) : handle())) ?? notFound
    } catch (failure) {
      if (!(failure instanceof ClientGone)) throw failure
      reply = clientGone
    }
    const response = responseOf(reply, c, endpoint, guards)
    // Close the connection: otherwise the server would receive a large body only to discard it.
    if (response.status === 429 && isLarge(request)) response.headers.Connection = 'close'
    return response
  }
}

function isLarge(request: HttpRequest): boolean {
  return Number(request.header('content-length') ?? 0) > usualBodyLimit
}

function refuseUnknown(c: HttpContext, other: { route: string; allowed: string } | undefined): HttpResponse {
  if (!other) return inJson(notFound)
  const { route, allowed } = other
  c.route = route
  const headers = { Allow: allowed }
  if (c.request.method === 'OPTIONS') return { status: 204, headers }
  const message = `Only these methods are allowed here: ${allowed}.`
  return inJson(errorResponse(405, 'METHOD_NOT_ALLOWED', message, { headers }))
}

/** Calls the endpoint every time, or only when no cached response is valid. */
function handlerFor(
  endpoint: Endpoint,
  { responseCache, budgets }: Guards,
  largeBodies: LargeBodies,
): Handler {
  const within: Handler = (c, params, madeMeanwhile) =>
    respondWithin(c, params, endpoint, budgets, madeMeanwhile)
  const { bodyLimit, changesWith, byRevision } = endpoint
  const ask: Handler =
    bodyLimit === undefined ? within : (c, params) => largeBodies.run(c, () => within(c, params))
  if (endpoint.fixed) return fixedResponse(ask)
  if (!responseCache || !changesWith) return ask
  return async (c, params) => {
    const find = () => responseCache.find(c)
    const cached = find()
    if (cached) return refuseSending(cached, c, budgets) ?? cached
    const changes = typeof changesWith === 'string' ? changesWith : changesWith(queryOf(c.request.target))
    return responseCache.respond(c, { changesWith: changes, byRevision }, () => ask(c, params, find))
  }
}

function refuseSending(
  cached: Encoded | Unchanged,
  { user }: HttpContext,
  budgets: UserBudgets | undefined,
): ErrorResponse | undefined {
  if (!('json' in cached) || cached.json.byteLength <= freeToSend) return undefined
  return budgets?.sendCached(user, cached.json.byteLength)
}

async function refuseEntry(
  c: HttpContext,
  { limit, access }: Endpoint,
  guards: Guards,
): Promise<ErrorResponse | undefined> {
  // Clients are counted first, before any work goes into finding out who they are.
  if (limit && limit.per !== 'user') {
    const error = await refuseCounted(c, limit, guards)
    if (error) return error
  }
  if (access === 'anyone') return undefined
  const user = await guards.signedInUser(c)
  if (user === undefined) return notSignedIn
  if (typeof user === 'object') return user
  // A queued write names its user: it must not land in an account that has signed in since.
  const meant = c.request.header('x-daymark-user')
  if (meant !== undefined && meant !== user) return someoneElse
  c.user = user
  return limit?.per === 'user' ? refuseCounted(c, limit, guards) : undefined
}

async function refuseCounted(
  c: HttpContext,
  limit: Limit,
  guards: Guards,
): Promise<ErrorResponse | undefined> {
  const seconds = await guards.secondsToWait(limit, c)
  return seconds > 0 ? tooManyRequests(seconds) : undefined
}

/** Calls the endpoint within its user's budget. */
async function respondWithin(
  c: HttpContext,
  params: Input['params'],
  endpoint: Endpoint,
  budgets: UserBudgets | undefined,
  madeMeanwhile: () => Cached = () => undefined,
): Promise<Reply> {
  const { request } = c
  // A user with a spent budget uploads nothing.
  const spent = endpoint.access === 'anyone' ? undefined : budgets?.refuse(c.user)
  if (spent) return spent
  // Read the body before the request takes one of the user's few slots, so that a slow upload does not block the user's other
  // devices.
  const reading = await readBytes(request, endpoint.bodyLimit ?? usualBodyLimit)
  if ('error' in reading) return reading.error
  const ask = async () => {
    const parsed = endpoint.takes.body ? parseJson(reading.bytes, request) : ignored(reading.bytes)
    if ('error' in parsed) return parsed.error
    let made = madeMeanwhile()
    if (!made && c.findChanged) {
      c.changed = await c.findChanged()
      c.needsWhole = c.changed === undefined
      if (c.needsWhole) made = madeMeanwhile()
    }
    if (made) {
      if ('json' in made) countResponseBytes(made.json.byteLength)
      return made
    }
    if (c.wantsOnlyChanged && c.needsWhole) return notFound
    const reply = await endpoint.respond({ params, query: queryOf(request.target), body: parsed.value }, c)
    // What is written is read only while it is sent, so it costs nothing to leave it.
    if (c.wantsOnlyChanged && 'written' in reply) return notFound
    return 'body' in reply && reply.status < 300 && !isBytes(reply.body) ? serialized(reply) : reply
  }
  if (endpoint.access === 'anyone') return withDeferred(await ask())
  return withDeferred(
    await withinBudget<Reply | Deferred>(budgets, endpoint, c.user, ask, {
      outgoing: request.outgoing,
      continueInSlot: restInSlot,
    }),
  )
}

/** Charges the sender of an unwanted body for the bytes received. */
function ignored(bytes: Uint8Array): { value: undefined } {
  countTaken(bytes.byteLength)
  return { value: undefined }
}

/** Produces each part of a long response in a separate step of the slot, so that other requests run in between. */
function restInSlot(reply: Reply | Deferred, slot: Slot): Written | undefined {
  return 'written' in reply ? { ...reply, written: releasing(slot, slot.steps(reply.written)) } : undefined
}

/**
 * Runs deferred work after the request's slot is released. Each call of that work takes one of the same few slots, and would
 * otherwise wait for its own request.
 */
async function withDeferred(reply: Reply | Deferred): Promise<Reply> {
  return 'afterwards' in reply ? reply.afterwards() : reply
}

async function* releasing<Piece>(slot: Slot, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces
  } finally {
    slot.release()
  }
}

function responseOf(
  reply: Reply,
  c: HttpContext,
  { responses }: Endpoint,
  { brokeOff }: Guards,
): HttpResponse {
  if ('written' in reply) {
    const isCompressed = takes('gzip', c.request)
    const stream = streamOf(isCompressed ? compressedPieces(reply.written) : reply.written, (error) => {
      if (!(error instanceof ClientGone)) brokeOff(error, c)
    })
    const headers = { ...reply.headers, ...variesByEncoding, 'Content-Type': 'application/json' }
    return { status: 200, headers: isCompressed ? asCompressed(headers) : headers, body: stream }
  }
  if ('json' in reply) return inBytes(reply.json, 'application/json', reply)
  const mediaType = responses[200] && 'mediaType' in responses[200] ? responses[200].mediaType : ''
  if ('stream' in reply) {
    return { status: 200, headers: { ...reply.headers, 'Content-Type': mediaType }, body: reply.stream }
  }
  if (reply.status === 304) return reply
  if (reply.status !== 200 || mediaType === '' || !isBytes(reply.body)) return inJson(reply)
  return inBytes(reply.body, mediaType, reply)
}

function inBytes(
  body: Uint8Array<ArrayBuffer>,
  mediaType: string,
  { status, headers }: Pick<Success, 'status' | 'headers'>,
): HttpResponse {
  const length = String(body.byteLength)
  return { status, headers: { ...headers, 'Content-Type': mediaType, 'Content-Length': length }, body }
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array
}
