import { describe, expect, it } from 'vitest'
import { clientAddress, clientNetworks } from './client-address.ts'
import { inProcess } from './in-process.ts'

async function addressSeen(address: string, proxies: number, forwarded?: string): Promise<string> {
  const ask = inProcess((request) => ({ status: 200, headers: {}, body: clientAddress(request, proxies) }))
  const init = forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } }
  const response = await ask('/', init, { address })
  return response.text()
}

describe("a client's address", () => {
  it.each([
    ['the socket, whatever is claimed', '192.0.2.1', 0, '203.0.113.9', '192.0.2.1'],
    ['IPv4 on a socket for both kinds', '::ffff:192.0.2.1', 0, undefined, '192.0.2.1'],
    ['a link-local address without its zone', 'fe80::1%eth0', 0, undefined, 'fe80::1'],
    ['what the proxy saw', '10.0.0.1', 1, '203.0.113.9', '203.0.113.9'],
    [
      'what the proxy saw, not what stood there before',
      '10.0.0.1',
      1,
      '198.51.100.1, 203.0.113.9',
      '203.0.113.9',
    ],
    [
      'what the outer of two proxies saw',
      '10.0.0.1',
      2,
      '198.51.100.1, 203.0.113.9, 10.0.0.2',
      '203.0.113.9',
    ],
    ['the socket, when a proxy was passed by', '10.0.0.1', 2, '203.0.113.9', '10.0.0.1'],
    ['an entry with a port', '10.0.0.1', 1, '203.0.113.9:4711', '203.0.113.9'],
    ['an IPv6 entry with a port', '10.0.0.1', 1, '[2001:db8::1]:4711', '2001:db8::1'],
    ['an IPv6 entry', '10.0.0.1', 1, '2001:db8::1', '2001:db8::1'],
    ['the socket, behind a proxy that says nothing', '10.0.0.1', 1, undefined, '10.0.0.1'],
    ['the socket, behind a proxy that says nonsense', '10.0.0.1', 1, '203.0.113.9, unknown', '10.0.0.1'],
  ])('is %s', async (_, socket, proxies, forwarded, address) => {
    expect(await addressSeen(socket, proxies, forwarded)).toBe(address)
  })
})

describe("a client's networks", () => {
  it.each([
    ['192.0.2.1', ['192.0.2.1']],
    ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:DB8:1:2::9', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
    ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    ['fe80::', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
    ['', ['']],
  ])('of %s are %j', (address, networks) => {
    expect(clientNetworks(address)).toEqual(networks)
  })
})
