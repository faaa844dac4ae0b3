import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { QuickSignIn } from '#features/account/server/quick-sign-in.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { FirstAnswer, FirstTry } from '#platform/http/listen.ts'
import { hasTag, headersOf, type ReadyAnswers } from '#platform/http/ready-answers.ts'
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
 * The way of most requests: somebody who is signed in asks for a list that is as it was when they last asked. It is tried
 * before everything else, and costs the signature of the cookie, one statement, and sending the bytes that are still
 * there, or that nothing has changed. Whatever is not that simple goes the long way, which answers the same (`mount.ts`).
 */
export function hotPath({ signIn, ready, endpoints, headers, log }: HotPathParts): FirstTry {
  const paths = new Set(endpoints.filter(({ changesWith }) => changesWith).map(({ path }) => path))
  const always = Object.entries(headers).flat()

  return ({ method, url = '', headers: asked }) => {
    const query = url.indexOf('?')
    const path = query === -1 ? url : url.slice(0, query)
    if (method !== 'GET' || !paths.has(path)) return undefined
    // A body, or no host, is looked at by those who refuse it.
    if ('content-length' in asked || 'transfer-encoding' in asked || !asked.host) return undefined
    return answer(url, path, asked)
  }

  async function answer(
    url: string,
    path: string,
    asked: Parameters<FirstTry>[0]['headers'],
  ): Promise<FirstAnswer | undefined> {
    const start = performance.now()
    // Why this failed is for the long way to say, where it fails again.
    const signedIn = await signIn(asked.cookie).catch(() => undefined)
    if (signedIn?.revision === undefined) return undefined
    const meant = asked['x-daymark-user']
    if (meant !== undefined && meant !== signedIn.user) return undefined

    const found = ready.find(signedIn.user, signedIn.revision, url)
    if (!found) return undefined
    const has = hasTag(asked['if-none-match'], found.tag)
    if (!has && !found.bytes) return undefined

    const requestId = randomUUID()
    const status = has ? 304 : 200
    logRequest(log, { requestId, method: 'GET', route: path, status, start })
    return {
      status,
      // Whoever has the answer has its other headers too.
      headers: [...(has ? [] : always), ...headersOf(found, has), 'X-Request-Id', requestId],
      bytes: has ? undefined : found.bytes,
    }
  }
}
