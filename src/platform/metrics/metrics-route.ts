import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpApp } from '#platform/http/context.ts'
import { refuse, send } from '#platform/http/refusal.ts'
import { type Registry, textFormat } from './registry.ts'

export const metricsPath = '/metrics'

const noToken = refuse(401, 'NO_METRICS_TOKEN', 'Reading metrics requires the token set in METRICS_TOKEN.', {
  headers: { 'WWW-Authenticate': 'Bearer' },
})

/** `GET /metrics` for whoever brings the token. */
export function serveMetrics(app: HttpApp, registry: Registry, token: string): void {
  const expected = digest(`Bearer ${token}`)
  app.get(metricsPath, async (c) => {
    c.set('route', metricsPath)
    c.header('Cache-Control', 'no-store')
    // Digests have one length, and comparing them takes as long whatever was sent.
    if (!timingSafeEqual(digest(c.req.header('authorization') ?? ''), expected)) return send(c, noToken)
    return c.body(await registry.text(), 200, { 'Content-Type': textFormat })
  })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
