import { isIP } from 'node:net'
import type { HttpContext } from './context.ts'

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

/** The same for everybody who can change addresses within it: an IPv6 client owns its whole /64. */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === '' ? [] : right.split(':')
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`
}

// Some proxies add a port, sockets a zone, and a dual-stack socket writes IPv4 as ::ffff:192.0.2.1.
function bare(text: string): string {
  const trimmed = text.trim()
  const unbracketed = /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed.replace(/^([\d.]+):\d+$/, '$1')
  return unbracketed.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
}
