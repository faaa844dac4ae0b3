import type { ServerResponse } from 'node:http'
import { HttpContext, type HttpHandler, type HttpResponse } from '../request/context.ts'

/**
 * A handled request with its outcome, for the log and the metrics. Contains no address, id, query, cookie or personal text.
 */
export interface RequestOutcome {
  requestId: string
  method: string
  route: string
  status: number
}

export interface ResponseReport extends RequestOutcome {
  /** Milliseconds from the request's headers to the last byte of the response; for a stream, until it ended. */
  ms: number
  /** Set when the connection closed before the response was complete. */
  cut?: true
}

/** Called once for every request that the application has handled. */
export type OnResponse = (report: ResponseReport) => void

/** Calls `onResponse` when the response has been sent or the connection is closed; at once when there is no connection. */
function reportWhenSent(
  onResponse: OnResponse,
  { requestId, method, route, status }: RequestOutcome,
  start: number,
  outgoing: ServerResponse | undefined,
): void {
  const report = () => {
    const ms = Math.round((performance.now() - start) * 10) / 10
    if (outgoing && !outgoing.writableFinished) {
      onResponse({ requestId, method, route, status, ms, cut: true })
    } else onResponse({ requestId, method, route, status, ms })
  }
  // `close` fires only once, and `on` is cheaper than `once`.
  if (outgoing && !outgoing.closed) outgoing.on('close', report)
  else report()
}

/** Gives each request an id, and reports the request once its response is sent. */
export function reportResponses(
  onResponse: OnResponse,
  respond: (c: HttpContext) => Promise<HttpResponse>,
): HttpHandler {
  return async (request) => {
    const { method, outgoing } = request
    const start = outgoing?.arrivedAt ?? performance.now()
    const c = new HttpContext(request)
    const response = await respond(c)
    const { requestId, route } = c
    reportWhenSent(onResponse, { requestId, method, route, status: response.status }, start, outgoing)
    return response
  }
}
