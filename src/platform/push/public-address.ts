import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Thrown when a name resolves to this machine or its network, where outsiders must not make the server send requests. */
export class PrivateAddress extends Error {}

// IANA's special-purpose registries. There are two lists because, in a single one, the rule for IPv6 addresses that carry
// an IPv4 address would apply to every IPv4 address.
const special = { 4: new BlockList(), 6: new BlockList() }
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  // An anycast range that leads to the nearest IPv6-to-IPv4 relay, whoever runs it.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special[4].addSubnet(network, bits, 'ipv4')
  special[6].addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6')
}
for (const [network, bits] of [
  // A range reserved for protocols. Reachable addresses in it lead to the nearest node, such as one's own router, and never to a
  // push service.
  ['2001::', 23],
  ['2001:db8::', 32],
  // These addresses carry an IPv4 address, which may be private.
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special[6].addSubnet(network, bits, 'ipv6')
}

// All IPv6 addresses allocated so far. Outside this range are local networks, ranges that embed an IPv4 address, and
// unallocated space.
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
// Networks with only IPv6 reach IPv4 addresses through this prefix. Such an address is as public as the IPv4 address in it.
global6.addSubnet('64:ff9b::', 96, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special[4].check(address, 'ipv4')
  // An address with a zone, such as %eth0, belongs to a local network, and block lists do not accept it.
  if (!isIPv6(address) || address.includes('%')) return false
  return global6.check(address, 'ipv6') && !special[6].check(address, 'ipv6')
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Looks up the addresses of a name, in the form in which Node does it for a connection. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Looks up a name for a connection, and fails if any of its addresses is not public. The connection uses the very address
 * that was checked, so changing the name's address in between gains nothing.
 */
export function lookupPublic(
  hostname: string,
  options: LookupOptions,
  callback: LookupCallback,
  lookUp: Lookup = lookup,
): void {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new PrivateAddress(), [])
    }
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}
