import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { QuickSignIn } from '#features/account/server/quick-sign-in.ts'
import type { HttpContext, HttpEnv } from '#platform/http/context.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import { hasTag, headersOf, pathWithQuery, type ReadyAnswers } from '#platform/http/ready-answers.ts'
import { logRequest } from '#platform/http/request-log.ts'

interface HotPathParts {
  signIn: QuickSignIn
  ready: ReadyAnswers
  endpoints: readonly Endpoint[]
  /** What every answer carries. */
  headers: Record<string, string>
  log: Logger
}

/**
 * The way of most requests: somebody who is signed in asks for a list that is as it was when they last asked. It costs the
 * signature of the cookie, one statement, and sending the bytes that are still there, or that nothing has changed.
 * Whatever is not that simple goes on to the long way, which answers the same (see `mount.ts`).
 */
export function hotPath({
  signIn,
  ready,
  endpoints,
  headers,
  log,
}: HotPathParts): MiddlewareHandler<HttpEnv> {
  const paths = new Set(endpoints.filter(({ changesWith }) => changesWith).map(({ path }) => path))
  return async (c, next) => {
    if (c.req.method !== 'GET' || !paths.has(c.req.path) || hasBody(c)) return next()
    const start = performance.now()

    // Why this failed is for the long way to say, where it fails again.
    const signedIn = await signIn(c.req.header('cookie')).catch(() => undefined)
    c.set('signedIn', signedIn)
    if (signedIn?.revision === undefined || isMeantForAnother(c, signedIn.user)) return next()

    const answer = ready.find(signedIn.user, signedIn.revision, pathWithQuery(c))
    if (!answer) return next()
    const has = hasTag(c.req.header('if-none-match'), answer.tag)
    if (!has && !answer.bytes) return next()

    const requestId = randomUUID()
    const status = has ? 304 : 200
    logRequest(log, { requestId, method: 'GET', route: c.req.path, status, start })
    return new Response(has ? null : answer.bytes, {
      status,
      headers: {
        ...headers,
        ...headersOf(answer.tag),
        ...(has ? {} : { 'Content-Type': 'application/json' }),
        'X-Request-Id': requestId,
      },
    })
  }
}

function hasBody(c: HttpContext): boolean {
  return c.req.header('content-length') !== undefined || c.req.header('transfer-encoding') !== undefined
}

function isMeantForAnother(c: HttpContext, user: string): boolean {
  const meant = c.req.header('x-daymark-user')
  return meant !== undefined && meant !== user
}
