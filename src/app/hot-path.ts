import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { QuickSignIn } from '#features/account/server/quick-sign-in.ts'
import { countTaken } from '#platform/database/work.ts'
import { arrivalOf, type OnAnswered, tellWhenAnswered } from '#platform/http/answered.ts'
import { parseJson, usualBodyLimit } from '#platform/http/body.ts'
import { type Endpoint, isHeavy, type Success } from '#platform/http/endpoint.ts'
import type { FirstAnswer, FirstTry } from '#platform/http/listen.ts'
import { refuseForeignOrigin } from '#platform/http/origin.ts'
import { type FoundPath, pathFinder } from '#platform/http/path-finder.ts'
import { hasTag, headersOf, type ReadyAnswers } from '#platform/http/ready-answers.ts'
import type { Refusal } from '#platform/http/refusal.ts'
import type { UserBudgets } from '#platform/http/user-budget.ts'
import { withinBudget } from '#platform/http/within-budget.ts'

interface HotPathParts {
  signIn: QuickSignIn
  ready: ReadyAnswers
  budgets: UserBudgets | undefined
  endpoints: readonly Endpoint[]
  baseUrl: string | undefined
  /** What every answer carries. */
  headers: Record<string, string>
  /** What is answered when a call throws. */
  surprised(error: unknown, of: FailedRequest): Promise<Refusal>
  onAnswered: OnAnswered
}

/** Bytes of a ready answer whose sending costs no more than finding it. */
const sentForNothing = 64 * 1024

const usualHost = /^[\w.:[\]-]+$/

type PlainAnswer = NonNullable<Endpoint['answerPlain']>

export interface FailedRequest {
  requestId: string
  route: string
}

/**
 * The way of most requests: somebody who is signed in asks for a list that is as it was when they last asked, or writes.
 * It is tried before everything else. A list costs the signature of the cookie, one statement, and sending the bytes that
 * are still there, or that nothing has changed; a write costs those and what the endpoint itself does. Whatever is not
 * that simple, and nearly all that is refused, goes the long way, which answers the same (`mount.ts`).
 */
export function hotPath(parts: HotPathParts): FirstTry {
  const { signIn, ready, budgets, endpoints, baseUrl, onAnswered } = parts
  const lists = new Set(endpoints.filter(({ changesWith }) => changesWith).map(({ path }) => path))
  const findWrite = pathFinder(endpoints)
  const always = Object.entries(parts.headers).flat()

  return ({ method = '', url = '', headers }, readBody, outgoing) => {
    // A host that is none is for those to look at who refuse it, and so is a body that does not say how long it is.
    if (!usualHost.test(headers.host ?? '') || 'transfer-encoding' in headers) return undefined
    if (method === 'GET') {
      const query = url.indexOf('?')
      const path = query === -1 ? url : url.slice(0, query)
      return lists.has(path) && !('content-length' in headers)
        ? answerList(url, path, headers, outgoing)
        : undefined
    }
    const found = findWrite(method, url)
    const answer = found && plainAnswer(found.endpoint)
    if (!found || !answer || !isUsualBody(found.endpoint, headers['content-length'])) return undefined
    if (refuseForeignOrigin(method, (name) => headers[name], baseUrl)) return undefined
    return answerWrite(found, answer, headers, readBody, outgoing)
  }

  async function answerList(
    url: string,
    path: string,
    headers: IncomingHttpHeaders,
    outgoing: ServerResponse | undefined,
  ): Promise<FirstAnswer | undefined> {
    const start = arrivalOf(outgoing)
    const signedIn = await whoAsks(headers)
    if (signedIn?.revision === undefined) return undefined
    const found = ready.find(signedIn.user, signedIn.revision, url)
    if (!found) return undefined
    const has = hasTag(headers['if-none-match'], found.tag)
    if (!has && !found.bytes) return undefined

    const requestId = randomUUID()
    const size = has ? 0 : (found.bytes?.byteLength ?? 0)
    const spent = size > sentForNothing ? budgets?.sendReady(signedIn.user, size) : undefined
    if (spent) {
      tellWhenAnswered(
        onAnswered,
        { requestId, method: 'GET', route: path, status: spent.status },
        start,
        outgoing,
      )
      return inJson(spent, requestId)
    }
    const status = has ? 304 : 200
    tellWhenAnswered(onAnswered, { requestId, method: 'GET', route: path, status }, start, outgoing)
    return {
      status,
      // Whoever has the answer has its other headers too.
      headers: [...(has ? [] : always), ...headersOf(found, has), 'X-Request-Id', requestId],
      body: has ? undefined : found.bytes,
    }
  }

  async function answerWrite(
    { endpoint, params }: FoundPath,
    answer: PlainAnswer,
    headers: IncomingHttpHeaders,
    readBody: () => Promise<Uint8Array>,
    outgoing: ServerResponse | undefined,
  ): Promise<FirstAnswer | undefined> {
    const start = arrivalOf(outgoing)
    // First, so that nothing is read of strangers.
    const signedIn = await whoAsks(headers)
    if (!signedIn) return undefined
    const { body: wanted } = endpoint.takes
    const reading = wanted ? parseJson(await readBody(), (name) => headers[name]) : { value: undefined }
    if ('refusal' in reading) return undefined

    const requestId = randomUUID()
    const { path: route, method } = endpoint
    const { user } = signedIn
    const write = () => {
      countTaken(Number(headers['content-length'] ?? 0))
      return answer({ user, params, query: {}, body: reading.value })
    }
    const writing = withinBudget(budgets, endpoint, user, write)
    // From here on it is answered here: what was written must not be written again.
    const reply = await writing.catch((error) => parts.surprised(error, { requestId, route }))
    tellWhenAnswered(onAnswered, { requestId, method, route, status: reply.status }, start, outgoing)
    return inJson(reply, requestId)
  }

  /** Undefined where that is not clear, or the request means somebody else: why, the long way finds out again. */
  async function whoAsks(headers: IncomingHttpHeaders): ReturnType<QuickSignIn> {
    try {
      const signedIn = await signIn(headers.cookie)
      const meant = headers['x-daymark-user']
      return meant === undefined || meant === signedIn?.user ? signedIn : undefined
    } catch {
      return undefined
    }
  }

  function inJson(
    { status, body: answered, headers = {} }: Success | Refusal,
    requestId: string,
  ): FirstAnswer {
    const body = JSON.stringify(answered)
    const length = String(Buffer.byteLength(body))
    const own = ['Content-Type', 'application/json', 'Content-Length', length, 'X-Request-Id', requestId]
    return {
      status,
      headers: [...always, 'Cache-Control', 'no-store', ...Object.entries(headers).flat(), ...own],
      body,
    }
  }
}

/** Of those that are little work, count nobody and answer JSON to what was sent, and to nothing else of the request. */
function plainAnswer(endpoint: Endpoint): PlainAnswer | undefined {
  const { answerPlain, limit, answers } = endpoint
  return limit || isHeavy(endpoint) || 'mediaType' in (answers[200] ?? {}) ? undefined : answerPlain
}

function isUsualBody({ takes }: Endpoint, length = '0'): boolean {
  return Number(length) <= (takes.body ? usualBodyLimit : 0)
}
