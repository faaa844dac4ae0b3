import { refuseDeclaredSize, usualBodyLimit } from './body.ts'
import type { HttpApp, HttpContext } from './context.ts'
import type { Endpoint, Limit, Reply, Streamed, Success, Written } from './endpoint.ts'
import { refuseForeignOrigin } from './origin.ts'
import type { ReadyAnswers } from './ready-answers.ts'
import { notFound, notSignedIn, type Refusal, refuse, send } from './refusal.ts'
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
  /** An answer that was being sent could not be written to its end. */
  brokeOff(error: unknown, c: HttpContext): void
}

const someoneElse = refuse(401, 'SIGNED_IN_AS_SOMEONE_ELSE', 'Somebody else is signed in here by now.')

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
  })

  for (const endpoint of endpoints) {
    app.on(endpoint.method, routerPath(endpoint.path), async (c) => {
      c.set('route', endpoint.path)
      const refusal = await refuseEntry(c, endpoint, doors)
      if (refusal) return send(c, refusal)
      const ask = () => endpoint.answer(c)
      const { changesWith } = endpoint
      const reply = await (doors.ready && changesWith ? doors.ready.answer(c, changesWith, ask) : ask())
      if (reply instanceof Response) return reply
      if ('written' in reply) return sendWritten(c, reply, (error) => doors.brokeOff(error, c))
      if ('stream' in reply) return sendStream(c, endpoint, reply)
      return isRefusal(reply) ? send(c, reply) : answer(c, endpoint, reply)
    })
  }

  for (const [path, allowed] of methodsByPath(endpoints)) {
    app.all(routerPath(path), (c) => {
      c.set('route', path)
      c.header('Allow', allowed)
      if (c.req.method === 'OPTIONS') return c.body(null, 204)
      return send(c, refuse(405, 'METHOD_NOT_ALLOWED', `Only ${allowed} can be asked here.`))
    })
  }

  app.all('/api', (c) => send(c, notFound))
  app.all('/api/*', (c) => send(c, notFound))
}

async function refuseEntry(c: HttpContext, endpoint: Endpoint, doors: Doors): Promise<Refusal | undefined> {
  const { limit, access } = endpoint
  // Clients are counted before it costs anything to find out who they are.
  if (limit && limit.per !== 'user') {
    const refusal = await refuseTooMany(c, limit, doors)
    if (refusal) return refusal
  }
  if (access === 'anyone') return undefined
  const refusal = await refuseStranger(c, doors)
  if (refusal) return refusal
  return limit?.per === 'user' ? refuseTooMany(c, limit, doors) : undefined
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

async function refuseTooMany(c: HttpContext, limit: Limit, doors: Doors): Promise<Refusal | undefined> {
  const seconds = await doors.secondsToWait(limit, c)
  if (seconds <= 0) return undefined
  const message = `Too many requests. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
  return refuse(429, 'TOO_MANY_REQUESTS', message, { headers: { 'Retry-After': String(seconds) } })
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

function isRefusal(reply: Exclude<Reply, Written | Streamed>): reply is Refusal {
  return reply.status >= 400
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
