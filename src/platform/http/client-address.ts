import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { HttpContext, HttpEnv } from './context.ts'

/**
 * Who is calling, as the socket says it; behind `proxies` trusted proxies, as the outermost of them saw it.
 * Each proxy adds the address it saw at the right end of X-Forwarded-For, so only that many entries from
 * the right are believed: whatever the client wrote itself stands further left.
 */
export function clientAddress(c: HttpContext, proxies: number): string {
  const socket = bare(c.env?.incoming?.socket.remoteAddress ?? '')
  if (proxies === 0) return socket
  const hops = (c.req.header('x-forwarded-for') ?? '').split(',')
  // Fewer than there are proxies: this call has passed one by, and the client may have written all of it.
  const seen = bare(hops[hops.length - proxies] ?? '')
  return isIP(seen) ? seen : socket
}

/**
 * Those that a client is counted with, the narrowest first: itself over IPv4. Over IPv6 its /64, within which anybody has
 * all addresses, and the /48 that providers give to one customer.
 */
export function clientNetworks(address: string): [narrow: string, wide?: string] {
  if (isIP(address) !== 6) return [address]
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === '' ? [] : right.split(':')
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  const groups = [...head, ...zeros, ...tail]
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`]
}

/**
 * Says, once, that a proxy seems to stand in front which is not believed: then everybody behind it is one client, and what one
 * of them does too often nobody may do.
 */
export function proxyWarning(log: Logger, proxies: number): MiddlewareHandler<HttpEnv> {
  let isToWarn = proxies === 0
  return async (c, next) => {
    const header =
      isToWarn && ['X-Forwarded-For', 'Forwarded'].find((name) => c.req.header(name) !== undefined)
    if (header) {
      isToWarn = false
      log.warn(
        `A request came with ${header} while TRUST_PROXY is off. If a proxy of yours stands in front, set TRUST_PROXY=on: ` +
          'without it, everybody behind the proxy shares one limit of sign-ins and sign-ups.',
      )
    }
    await next()
  }
}

// Some proxies add a port, sockets a zone, and a dual-stack socket writes IPv4 as ::ffff:192.0.2.1.
function bare(text: string): string {
  const trimmed = text.trim()
  const unbracketed = /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed.replace(/^([\d.]+):\d+$/, '$1')
  return unbracketed.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
}
