import type { CarriedResponse } from '#platform/wire/live-event.ts'
import type { ChangesWith, Endpoint } from '../endpoint/endpoint.ts'
import { HttpContext, type HttpResponse } from '../request/context.ts'
import type { Opening } from './event-stream.ts'

interface CarriedParts {
  endpoints: readonly Endpoint[]
  /** The API, as one function from request to response. */
  respond(c: HttpContext): Promise<HttpResponse>
  /** The ETag, without quotes, of what the user's devices have that read at a revision. */
  tagAt(user: string, revision: string, changesWith: ChangesWith): Promise<string>
}

/** The most bytes of a response that is looked at: far more than an event carries. */
const mostBytes = 4_000

/**
 * Returns the function that reads, for the device that opened a stream, what has changed of collections: by the same requests that
 * the device would send, which the same guards admit and the same budget pays for. The streams of one user share what is read.
 */
export function changedReader({ endpoints, respond, tagAt }: CarriedParts) {
  const carried = endpoints.filter(({ carriedAs }) => carriedAs !== undefined)
  const reading = new Map<string, Promise<CarriedResponse[]>>()

  async function read(
    c: HttpContext,
    user: string,
    collections: readonly string[],
    { since, until }: { since: string; until: string },
  ): Promise<CarriedResponse[]> {
    const responses: CarriedResponse[] = []
    for (const { byRevision = '', carriedAs: path = '', changesWith } of carried) {
      if (!collections.includes(byRevision) || typeof changesWith !== 'string') continue
      const tag = await tagAt(user, since, changesWith)
      const target = `${path}${path.includes('?') ? '&' : '?'}since=${tag}`
      const response = partIn(await respond(requestOf(target, c, user)), { path, since: tag })
      if (response?.tag.startsWith(until)) responses.push(response)
    }
    return responses
  }

  return (c: HttpContext, user: string): NonNullable<Opening['readChanged']> =>
    (collections, revisions) => {
      const key = JSON.stringify([user, revisions, collections])
      const shared = reading.get(key)
      if (shared) return shared
      const begun = read(c, user, collections, revisions).finally(() => reading.delete(key))
      reading.set(key, begun)
      return begun
    }
}

function requestOf(target: string, { request }: HttpContext, user: string): HttpContext {
  const headers = new Map([
    ['cookie', request.header('cookie')],
    ['x-daymark-user', user],
  ])
  const c = new HttpContext({
    method: 'GET',
    target,
    address: '',
    outgoing: undefined,
    header: (name) => headers.get(name),
    readBody: async () => new Uint8Array(),
    cut() {},
  })
  c.wantsOnlyChanged = true
  return c
}

function partIn(
  { status, headers, body }: HttpResponse,
  { path, since }: { path: string; since: string },
): CarriedResponse | undefined {
  if (status !== 200 || !(body instanceof Uint8Array) || body.byteLength > mostBytes) return undefined
  const response: object = JSON.parse(new TextDecoder().decode(body))
  const tag = String(headers.ETag).replaceAll('"', '')
  return 'since' in response && response.since === since
    ? { path, tag, response: { ...response, since } }
    : undefined
}
