import { isIP } from 'node:net'
import type { Logger } from 'pino'
import type { HttpRequest } from './context.ts'

/**
 * The client's address: the socket's, or behind `proxies` trusted proxies the address that the outermost proxy saw. Each proxy
 * appends the address it saw to the right of X-Forwarded-For. So only that many entries from the right are trusted: the client
 * can write only entries further left.
 */
export function clientAddress(request: HttpRequest, proxies: number): string {
  const socket = bare(request.address)
  if (proxies === 0) return socket
  const hops = (request.header('x-forwarded-for') ?? '').split(',')
  // Fewer entries than proxies: this request bypassed a proxy, and the client may have written all of the entries.
  const seen = bare(hops[hops.length - proxies] ?? '')
  return isIP(seen) ? seen : socket
}

/**
 * The networks that a client is counted under, narrowest first. Over IPv4 that is its address. Over IPv6 it is its /64, in
 * which one client has every address, and the /48 that providers give to one customer.
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
 * Returns a function that warns once when an untrusted proxy seems to be in front. Everyone behind the proxy then counts as one
 * client, and when one of them exceeds a limit, all of them are refused.
 */
export function proxyWarning(log: Logger, proxies: number): (request: HttpRequest) => void {
  let isToWarn = proxies === 0
  return (request) => {
    if (!isToWarn) return
    const header = ['X-Forwarded-For', 'Forwarded'].find(
      (name) => request.header(name.toLowerCase()) !== undefined,
    )
    if (header === undefined) return
    isToWarn = false
    log.warn(
      `A request came with ${header} while TRUST_PROXY is off. If a proxy of yours stands in front, set TRUST_PROXY=on: ` +
        'without it, everybody behind the proxy shares one limit of sign-ins and sign-ups.',
    )
  }
}

// Some proxies add a port, sockets a zone, and a dual-stack socket writes IPv4 as ::ffff:192.0.2.1.
function bare(text: string): string {
  const trimmed = text.trim()
  const unbracketed = /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed.replace(/^([\d.]+):\d+$/, '$1')
  return unbracketed.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
}
