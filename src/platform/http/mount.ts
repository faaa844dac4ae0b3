import { refuseDeclaredSize, usualBodyLimit } from './body.ts'
import type { HttpApp, HttpContext } from './context.ts'
import {
  type Endpoint,
  isHeavy,
  type Limit,
  type Parted,
  type Reply,
  type Streamed,
  type Success,
} from './endpoint.ts'
import { fixedAnswer } from './fixed-answer.ts'
import { LargeBodies } from './large-bodies.ts'
import { refuseForeignOrigin } from './origin.ts'
import { ClientGone, Place } from './place.ts'
import type { ReadyAnswers, WrittenBytes } from './ready-answers.ts'
import { isRefusal, notFound, notSignedIn, type Refusal, refuse, send, tooManyRequests } from './refusal.ts'
import type { UserBudgets } from './user-budget.ts'
import { sendWritten } from './written.ts'

/** What an endpoint needs to know of the person, handed in by the application so that no feature knows another. */
export interface Doors {
  baseUrl: string | undefined
  /** The id of whoever is signed in, or why that cannot be told; may add cookies to the answer. */
  signedInUser(c: HttpContext): Promise<string | undefined | Refusal>
  /** Counts the call; the seconds until the next one is let in, 0 when this one is. */
  secondsToWait(limit: Limit, c: HttpContext): Promise<number>
  /** Where answers are kept for the next who asks; none are when it is left out. */
  ready?: ReadyAnswers
  /** What each user may cost; nobody is limited when it is left out. */
  budgets?: UserBudgets | undefined
  /** An answer that was being sent could not be written to its end. */
  brokeOff(error: unknown, c: HttpContext): void
}

/** Never read by anybody. */
const clientGone = refuse(503, 'CLIENT_GONE', 'The client disconnected before the response was ready.')

const someoneElse = refuse(
  401,
  'SIGNED_IN_AS_SOMEONE_ELSE',
  'A different account is now signed in on this device.',
)

/** Puts the endpoints behind their doors. Whatever else is asked under /api is refused in the same shape. */
export function mountEndpoints(app: HttpApp, endpoints: readonly Endpoint[], doors: Doors): void {
  const bodyLimits = new Map(endpoints.map(({ method, path, bodyLimit }) => [`${method} ${path}`, bodyLimit]))
  app.use('/api/*', async (c, next) => {
    const bodyLimit = bodyLimits.get(`${c.req.method} ${c.req.path}`) ?? usualBodyLimit
    const refusal =
      refuseDeclaredSize(c, bodyLimit) ??
      refuseForeignOrigin(c.req.method, (name) => c.req.header(name), doors.baseUrl)
    if (refusal) return send(c, refusal)
    await next()
    // Else all of a large body would be taken, only to be thrown away.
    const isLarge = Number(c.req.header('content-length') ?? 0) > usualBodyLimit
    if (isLarge && c.res.status === 429) c.header('Connection', 'close')
  })

  const largeBodies = new LargeBodies()
  for (const endpoint of endpoints) {
    const ask = askOf(endpoint, doors, largeBodies)
    app.on(endpoint.method, routerPath(endpoint.path), async (c) => {
      c.set('route', endpoint.path)
      const refusal = await refuseEntry(c, endpoint, doors)
      if (refusal) return send(c, refusal)
      const reply = await ask(c).catch(refuseClientGone)
      if (reply instanceof Response) return reply
      if ('written' in reply) {
        return sendWritten(c, reply, (error) => {
          if (!(error instanceof ClientGone)) doors.brokeOff(error, c)
        })
      }
      if ('stream' in reply) return sendStream(c, endpoint, reply)
      if (reply.status === 304) return c.body(null, 304, reply.headers)
      return isRefusal(reply) ? send(c, reply) : answer(c, endpoint, reply)
    })
  }

  for (const [path, allowed] of methodsByPath(endpoints)) {
    app.all(routerPath(path), (c) => {
      c.set('route', path)
      c.header('Allow', allowed)
      if (c.req.method === 'OPTIONS') return c.body(null, 204)
      return send(c, refuse(405, 'METHOD_NOT_ALLOWED', `Only these methods are allowed here: ${allowed}.`))
    })
  }

  app.all('/api', (c) => send(c, notFound))
  app.all('/api/*', (c) => send(c, notFound))
}

function refuseClientGone(error: unknown): Refusal {
  if (error instanceof ClientGone) return clientGone
  throw error
}

/** How an endpoint is asked: each time, or only where there is nothing to answer from. */
function askOf(
  endpoint: Endpoint,
  { ready, budgets }: Doors,
  largeBodies: LargeBodies,
): (c: HttpContext) => Promise<Reply | Response | WrittenBytes> {
  const within = (c: HttpContext) => answerWithin(c, endpoint, budgets)
  const ask =
    endpoint.bodyLimit === undefined ? within : (c: HttpContext) => largeBodies.answer(c, () => within(c))
  if (endpoint.fixed) return fixedAnswer(ask)
  const { changesWith } = endpoint
  return ready && changesWith ? (c) => ready.answer(c, changesWith, () => ask(c)) : ask
}

async function refuseEntry(c: HttpContext, endpoint: Endpoint, doors: Doors): Promise<Refusal | undefined> {
  const { limit, access } = endpoint
  // Clients are counted before it costs anything to find out who they are.
  if (limit && limit.per !== 'user') {
    const refusal = await refuseCounted(c, limit, doors)
    if (refusal) return refusal
  }
  if (access === 'anyone') return undefined
  const refusal = await refuseStranger(c, doors)
  if (refusal) return refusal
  return limit?.per === 'user' ? refuseCounted(c, limit, doors) : undefined
}

async function refuseStranger(c: HttpContext, doors: Doors): Promise<Refusal | undefined> {
  const user = await doors.signedInUser(c)
  if (user === undefined) return notSignedIn
  if (typeof user === 'object') return user
  // A write that waited on a device says whose it is: it must not land in the account that signed in meanwhile.
  const meant = c.req.header('x-daymark-user')
  if (meant !== undefined && meant !== user) return someoneElse
  c.set('user', user)
  return undefined
}

async function refuseCounted(c: HttpContext, limit: Limit, doors: Doors): Promise<Refusal | undefined> {
  const seconds = await doors.secondsToWait(limit, c)
  return seconds > 0 ? tooManyRequests(seconds) : undefined
}

/** What the endpoint answers, within what its user may cost. */
async function answerWithin(
  c: HttpContext,
  endpoint: Endpoint,
  budgets: UserBudgets | undefined,
): Promise<Reply> {
  if (!budgets || endpoint.access === 'anyone') return whole(await endpoint.answer(c))
  const user = c.get('user')
  if (!isHeavy(endpoint)) return whole(await budgets.light(user, () => endpoint.answer(c)))

  const outgoing = c.env?.outgoing
  const place = await budgets.enter(user, outgoing)
  if (place === 'gone') return clientGone
  if (!(place instanceof Place)) return place
  let lasts = false
  try {
    // Whoever sends slowly keeps none of their other devices waiting for it.
    if (c.req.header('content-length')) await c.req.arrayBuffer().catch(() => undefined)
    const reply = await whole(await place.step(() => endpoint.answer(c)))
    if (!('written' in reply)) return reply
    lasts = true
    return { ...reply, written: leaving(place, place.steps(reply.written)) }
  } finally {
    // With a connection, when that has taken the answer.
    if (!outgoing && !lasts) place.leave()
  }
}

/** With what is left to be done once its place was left: each of its calls takes one of its own, of the same few. */
async function whole(reply: Reply | Parted): Promise<Reply> {
  return 'afterwards' in reply ? reply.afterwards() : reply
}

async function* leaving(place: Place, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* pieces
  } finally {
    place.leave()
  }
}

function answer(c: HttpContext, { answers }: Endpoint, { status, body, headers = {} }: Success): Response {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  const declared = answers[status]
  if (!declared || !('mediaType' in declared) || !isBytes(body)) return c.json(body, status)
  c.header('Content-Type', declared.mediaType)
  return c.body(body, status)
}

function sendStream(c: HttpContext, { answers }: Endpoint, { stream, headers = {} }: Streamed): Response {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  const declared = answers[200]
  if (declared && 'mediaType' in declared) c.header('Content-Type', declared.mediaType)
  return c.body(stream, 200)
}

function isBytes(body: unknown): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array
}

function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string> {
  const methods = new Map<string, string>()
  for (const { path, method } of endpoints) {
    const named = method === 'GET' ? 'GET, HEAD' : method
    methods.set(path, methods.has(path) ? `${methods.get(path)}, ${named}` : named)
  }
  return methods
}
