import { isIPv4, isIPv6 } from 'node:net'

/** Results of `isLocalHost`, by host: browsers send the same few hosts again and again. */
const cache = new Map<string, boolean>()
const maxCached = 1_000
// The longest host name, with a trailing dot and a port.
const maxLength = 254 + ':65535'.length

/**
 * Whether a request's `Host` cannot belong to anyone on the internet: this machine, an IP address, or a name that only the
 * local network knows. The owner of any other name could point it here, so that their pages would count as ours (DNS
 * rebinding).
 */
export function isLocalHost(host: string): boolean {
  if (host.length > maxLength) return false
  const found = cache.get(host)
  if (found !== undefined) return found
  const isLocal = isLocalName(host)
  if (cache.size >= maxCached) cache.clear()
  cache.set(host, isLocal)
  return isLocal
}

// Names that nobody can register: RFC 6762 (local), 8375 (home.arpa), 6761 (localhost), those that ICANN reserves
// (internal), and those that routers have always used (lan).
const localDomain = /\.(localhost|local|lan|home\.arpa|internal)$/

function isLocalName(host: string): boolean {
  const match = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host)
  const [, address, name] = match ?? []
  if (address !== undefined) return isIPv6(address)
  // A trailing dot does not change a name.
  const bare = name?.toLowerCase().replace(/\.$/, '')
  if (bare === undefined || bare.split('.').includes('')) return false
  return isIPv4(bare) || !bare.includes('.') || localDomain.test(`.${bare}`)
}
