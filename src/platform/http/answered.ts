import { ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { HttpEnv } from './context.ts'

/** What was asked, by its pattern, and what came of it: no address, id, query, cookie or text of a person. */
export interface Answer {
  requestId: string
  method: string
  route: string
  status: number
}

export interface Answered extends Answer {
  /** Milliseconds from the headers of the request to the last byte of the answer; of a stream, until it ended. */
  ms: number
  /** Where the connection ended before the answer did. */
  cut?: true
}

/** Is told of every request that the application answered, once. */
export type OnAnswered = (answered: Answered) => void

/** An answer on a socket, made when the headers of its request have arrived. */
export class TimedResponse extends ServerResponse {
  readonly arrivedAt = performance.now()
}

/** When the request arrived, on the clock of `performance`: now where there is no socket that says it. */
export function arrivalOf(outgoing: unknown): number {
  return outgoing instanceof TimedResponse ? outgoing.arrivedAt : performance.now()
}

/** Tells `onAnswered` as soon as the answer has left, or the connection is gone: at once where there is none. */
export function tellWhenAnswered(
  onAnswered: OnAnswered,
  { requestId, method, route, status }: Answer,
  start: number,
  outgoing: ServerResponse | undefined,
): void {
  const tell = () => {
    const ms = Math.round((performance.now() - start) * 10) / 10
    if (outgoing && !outgoing.writableFinished) {
      onAnswered({ requestId, method, route, status, ms, cut: true })
    } else onAnswered({ requestId, method, route, status, ms })
  }
  // It comes once; `once` would cost the hot path more.
  if (outgoing && !outgoing.closed) outgoing.on('close', tell)
  else tell()
}

/** Gives each request its id, and tells of it when it is answered. */
export function tellOfAnswers(onAnswered: OnAnswered): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const outgoing = c.env?.outgoing
    const start = arrivalOf(outgoing)
    const requestId = crypto.randomUUID()
    c.set('requestId', requestId)
    c.set('route', 'none')
    c.header('X-Request-Id', requestId)
    await next()
    const answer = { requestId, method: c.req.method, route: c.get('route'), status: c.res.status }
    tellWhenAnswered(onAnswered, answer, start, outgoing)
  }
}
