import { isIPv4, isIPv6 } from 'node:net'

/** Browsers name the same few hosts again and again. */
const known = new Map<string, boolean>()
const mostKnown = 1_000
// With a dot at the end, and a port.
const longest = 254 + ':65535'.length

/**
 * Whether the `Host` that a request claims can be nobody's on the internet: this machine, an address, or a name that only
 * one's own network knows. Any other name may belong to somebody who makes it lead here, so that pages of theirs count as
 * ours (DNS rebinding).
 */
export function isLocalHost(host: string): boolean {
  if (host.length > longest) return false
  const found = known.get(host)
  if (found !== undefined) return found
  const isLocal = isLocalName(host)
  if (known.size >= mostKnown) known.clear()
  known.set(host, isLocal)
  return isLocal
}

// Names that nobody can register: RFC 6762 (local), 8375 (home.arpa), 6761 (localhost), and what ICANN keeps back (internal)
// or routers have always used (lan).
const localDomain = /\.(localhost|local|lan|home\.arpa|internal)$/

function isLocalName(host: string): boolean {
  const written = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host)
  const [, address, name] = written ?? []
  if (address !== undefined) return isIPv6(address)
  // With the dot that ends it a name is the same.
  const bare = name?.toLowerCase().replace(/\.$/, '')
  if (bare === undefined || bare.split('.').includes('')) return false
  return isIPv4(bare) || !bare.includes('.') || localDomain.test(`.${bare}`)
}
