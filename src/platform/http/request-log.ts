import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { HttpEnv } from './context.ts'

interface RequestLine {
  requestId: string
  method: string
  route: string
  status: number
  /** On the clock of `performance`. */
  start: number
}

/**
 * One line a request: what was asked by its pattern, what came of it, how long it took. No address, id,
 * query, cookie or text of a person, so that the lines can be kept and shown.
 */
export function logRequest(log: Logger, { requestId, method, route, status, start }: RequestLine): void {
  log.info({ requestId, method, route, status, ms: Math.round((performance.now() - start) * 10) / 10 })
}

export function requestLog(log: Logger): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const start = performance.now()
    const requestId = crypto.randomUUID()
    c.set('requestId', requestId)
    c.set('route', 'none')
    c.header('X-Request-Id', requestId)
    await next()
    logRequest(log, {
      requestId,
      method: c.req.method,
      route: c.get('route'),
      status: c.res.status,
      start,
    })
  }
}

// What their messages quote is a name in our own program, never a value.
const saysNothingOfPeople = new Set(['ReferenceError'])

/**
 * What may be written of an error: its kind, its code and where it was thrown. A message can quote what a person typed,
 * in a database's words or the program's.
 */
export function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? error.code : undefined
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    ...(saysNothingOfPeople.has(error.name) && { message: error.message }),
    stack: framesOf(error),
    ...(error.cause !== undefined && { cause: loggable(error.cause) }),
  }
}

function framesOf(error: Error): string[] {
  const stack = error.stack ?? ''
  // A message may have lines that look like frames, so it is cut off as a whole; what remains begins with 'at'.
  const rest = stack.includes(error.message)
    ? stack.slice(stack.indexOf(error.message) + error.message.length)
    : ''
  return rest
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
}

export function withoutAddresses(text: string): string {
  return text.replace(/[^\s"'<>()=]+@[^\s"'<>()=]+/g, '(address)')
}
