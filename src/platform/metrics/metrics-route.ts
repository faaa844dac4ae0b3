import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpContext, HttpResponse } from '#platform/http/request/context.ts'
import { errorResponse, inJson } from '#platform/http/request/error-response.ts'
import { type Registry, textFormat } from './registry.ts'

export const metricsPath = '/metrics'

const noToken = errorResponse(
  401,
  'NO_METRICS_TOKEN',
  'Reading metrics requires the token set in METRICS_TOKEN.',
  {
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
)

/** Serves `GET /metrics` to anyone with the token; returns undefined for every other request. */
export function serveMetrics(
  registry: Registry,
  token: string,
): (c: HttpContext) => Promise<HttpResponse> | undefined {
  const expected = digest(`Bearer ${token}`)
  return (c) => {
    const { method } = c.request
    return c.path === metricsPath && (method === 'GET' || method === 'HEAD') ? respond(c) : undefined
  }

  async function respond(c: HttpContext): Promise<HttpResponse> {
    c.route = metricsPath
    c.setHeader('Cache-Control', 'no-store')
    // Digests have equal length, so comparing them takes the same time whatever was sent.
    const given = digest(c.request.header('authorization') ?? '')
    if (!timingSafeEqual(given, expected)) return inJson(noToken)
    const body = await registry.text()
    const length = String(Buffer.byteLength(body))
    return { status: 200, headers: { 'Content-Type': textFormat, 'Content-Length': length }, body }
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
