import { expect, it } from 'vitest'
import { isPublicAddress, lookupPublic, PrivateAddress } from './public-address.ts'

/** The first and the last address of each range: one that is cut too short shows at its end. */
const closed: [string, ...string[]][] = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private use', '10.0.0.0', '10.255.255.255'],
  ['the network of a provider', '100.64.0.0', '100.127.255.255'],
  ['this machine', '127.0.0.0', '127.255.255.255'],
  ['this link', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['private use', '172.16.0.0', '172.31.255.255'],
  ['protocols, with the nearest port mapper', '192.0.0.0', '192.0.0.9', '192.0.0.10', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['relays of 6to4', '192.88.99.0', '192.88.99.1', '192.88.99.255'],
  ['private use', '192.168.0.0', '192.168.255.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['what is reserved, and broadcast', '240.0.0.0', '255.255.255.255'],
  ['no address', '::'],
  ['this machine', '::1'],
  ['IPv4-compatible', '::7f00:1', '::8.8.8.8'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a00:1'],
  ['IPv4-translated', '::ffff:0:0:0', '::ffff:0:127.0.0.1', '::ffff:0:808:808'],
  ['NAT64 of a private IPv4 address', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:0:0:0:0:c0a8:101'],
  ['NAT64 of a relay', '64:ff9b::192.88.99.1'],
  ['NAT64 of a local network', '64:ff9b:1::', '64:ff9b:1::808:808', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['NAT64 with something in between', '64:ff9b::1:808:808', '64:ff9a:ffff:ffff:ffff:ffff:808:808'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
  ['what is not handed out', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::', '400::1'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['the nearest port mapper and relay', '2001:1::1', '2001:1::2', '2001:1::3'],
  ['benchmarks', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['identifiers that nobody routes', '2001:10::1', '2001:20::1', '2001:30::1', '2001:1ff:ffff::1'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:7f00:1::', '2002:808:808::1', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fd12:3456::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['this link', 'fe80::1', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::1%eth0', '2606:4700::1%eth0'],
  ['this site', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['no address at all', 'localhost', '', '8.8.8', '0x7f.0.0.1', '2130706433', '[2606:4700::1]'],
]

it.each(closed.flatMap(([what, ...addresses]) => addresses.map((address) => [address, what] as const)))(
  '%s is not on the internet (%s)',
  (address) => {
    expect(isPublicAddress(address)).toBe(false)
  },
)

// The neighbours of the closed ranges: one that is cut too wide shows here.
it.each([
  '1.0.0.0',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '2000::',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2003::1',
  '2606:4700::6810:84e5',
  '2A00:1450:4001:80e::200a',
  '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '3fff:1000::',
  '64:ff9b::8.8.8.8',
  '64:ff9b::ac20:1',
])('%s is', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

it('a name that resolves to this machine has no address to connect to', async () => {
  for (const all of [true, false]) {
    const error = await new Promise((resolve) => lookupPublic('localhost', { all }, resolve))
    expect(error).toBeInstanceOf(PrivateAddress)
  }
})
