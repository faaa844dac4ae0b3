import { createHash } from 'node:crypto'
import type { Encoded, Input, Reply } from '../endpoint/endpoint.ts'
import type { HttpContext } from '../request/context.ts'
import { hasTag } from './response-cache.ts'

/**
 * Calls `ask` once, for the first caller, and returns its result to everyone: the bytes, or a 304 to a client that has
 * them. Only a success is cached, so one failure does not become everyone's.
 */
export function fixedResponse(
  ask: (c: HttpContext, params: Input['params']) => Promise<Reply>,
): (c: HttpContext, params: Input['params']) => Promise<Reply> {
  let cached: Encoded | undefined
  return async (c, params) => {
    if (!cached) {
      const reply = await ask(c, params)
      if (!('body' in reply) || reply.status !== 200) return reply
      cached = fixedOf(JSON.stringify(reply.body))
    }
    const { headers } = cached
    return hasTag(c.request.header('if-none-match'), headers.ETag ?? '') ? { status: 304, headers } : cached
  }
}

/** The ETag is a hash of the content, so it is the same in every process and after every restart of the same program. */
function fixedOf(text: string): Encoded {
  const json = Buffer.from(text)
  const tag = createHash('sha256').update(json).digest('base64url').slice(0, 22)
  // A client must revalidate the response before every use, since an update of the program may change it.
  return { status: 200, json, headers: { ETag: `"${tag}"`, 'Cache-Control': 'public, no-cache' } }
}
