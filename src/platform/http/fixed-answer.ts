import { createHash } from 'node:crypto'
import type { HttpContext } from './context.ts'
import type { Reply } from './endpoint.ts'
import { hasTag } from './ready-answers.ts'

interface FixedAnswer {
  bytes: Buffer<ArrayBuffer>
  tag: string
}

/**
 * Answers everybody with what the first caller made `ask` answer: its bytes, or a 304 to whoever has them. Only a success
 * is kept, so that one failure is not everybody's.
 */
export function fixedAnswer(
  ask: (c: HttpContext) => Promise<Reply>,
): (c: HttpContext) => Promise<Reply | Response> {
  let kept: FixedAnswer | undefined
  return async (c) => {
    if (!kept) {
      const reply = await ask(c)
      if ('written' in reply || 'stream' in reply || reply.status !== 200) return reply
      kept = fixedOf(JSON.stringify(reply.body))
    }
    c.header('ETag', kept.tag)
    // Never shown without asking: after an update it may be another one.
    c.header('Cache-Control', 'public, no-cache')
    if (hasTag(c.req.header('if-none-match'), kept.tag)) return c.body(null, 304)
    c.header('Content-Type', 'application/json')
    c.header('Content-Length', String(kept.bytes.byteLength))
    return c.body(kept.bytes, 200)
  }
}

/** By its content, so that every process and every restart of the same program gives it the same tag. */
function fixedOf(json: string): FixedAnswer {
  const bytes = Buffer.from(json)
  return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}
