import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The name leads into this machine or its network, where nobody may have us ask for anything. */
export class PrivateAddress extends Error {}

// The special-purpose registries of IANA. Two lists: in one, the rule for IPv6 addresses that carry an IPv4 address would
// hold for every IPv4 address.
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
  // The nearest relay from IPv6 to IPv4, whoever runs it.
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
  // For protocols. What is reachable in it leads to whoever is nearest, such as one's own router, and never to a push service.
  ['2001::', 23],
  ['2001:db8::', 32],
  // Carries an IPv4 address, which may be a private one.
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special[6].addSubnet(network, bits, 'ipv6')
}

// All that is handed out of IPv6 so far. Outside of it lie local networks, the ways to carry an IPv4 address inside, and
// what nobody has yet.
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
// A network of IPv6 alone reaches an IPv4 address through this one, which is as public as the other is.
global6.addSubnet('64:ff9b::', 96, 'ipv6')

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special[4].check(address, 'ipv4')
  // With a zone, such as %eth0, it is one of a local network, and the lists do not take it.
  if (!isIPv6(address) || address.includes('%')) return false
  return global6.check(address, 'ipv6') && !special[6].check(address, 'ipv6')
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Looks a name up, as Node does for a connection. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  found: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Looks a name up for a connection, and fails where any of its addresses is not a public one. The address that was looked
 * at is the one that is connected to: a name that changes in between gains nothing.
 */
export function lookupPublic(
  hostname: string,
  options: LookupOptions,
  found: Found,
  lookUp: Lookup = lookup,
): void {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, [])
    const [first] = addresses
    if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
      return found(new PrivateAddress(), [])
    }
    if (options.all) found(null, addresses)
    else found(null, first.address, first.family)
  })
}
