import type { ServerResponse } from 'node:http'
import { HttpContext, type HttpHandler, type HttpResponse } from '../request/context.ts'

/** The path pattern of a request and its outcome. Contains no address, id, query, cookie or text of a person. */
export interface RequestOutcome {
  requestId: string
  method: string
  route: string
  status: number
}

export interface Answered extends RequestOutcome {
  /** Milliseconds from the request's headers to the last byte of the response; for a stream, until it ended. */
  ms: number
  /** Set when the connection closed before the response was complete. */
  cut?: true
}

/** Called once for every request that the application answered. */
export type OnAnswered = (answered: Answered) => void

/** Calls `onAnswered` when the response has been sent or the connection is closed; at once when there is no connection. */
function reportWhenSent(
  onAnswered: OnAnswered,
  { requestId, method, route, status }: RequestOutcome,
  start: number,
  outgoing: ServerResponse | undefined,
): void {
  const report = () => {
    const ms = Math.round((performance.now() - start) * 10) / 10
    if (outgoing && !outgoing.writableFinished) {
      onAnswered({ requestId, method, route, status, ms, cut: true })
    } else onAnswered({ requestId, method, route, status, ms })
  }
  // `close` fires only once, and `on` is cheaper than `once`.
  if (outgoing && !outgoing.closed) outgoing.on('close', report)
  else report()
}

/** Gives each request its id, and reports it when it has been answered. */
export function reportResponses(
  onAnswered: OnAnswered,
  answer: (c: HttpContext) => Promise<HttpResponse>,
): HttpHandler {
  return async (request) => {
    const { method, outgoing } = request
    const start = outgoing?.arrivedAt ?? performance.now()
    const c = new HttpContext(request)
    const response = await answer(c)
    const { requestId, route } = c
    reportWhenSent(onAnswered, { requestId, method, route, status: response.status }, start, outgoing)
    return response
  }
}
