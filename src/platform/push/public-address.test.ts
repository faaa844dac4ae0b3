import { expect, it } from 'vitest'
import { isPublicAddress, lookupPublic, PrivateAddress } from './public-address.ts'

it.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  'fe80::1',
  'fd12:3456::1',
  'ff02::1',
  '2002:7f00:1::',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:0:0:0:0:c0a8:101',
  '64:ff9b:1::808:808',
  'localhost',
  '',
])('%s is not on the internet', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each([
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '2a00:1450:4001:80e::200a',
  '2606:4700::6810:84e5',
  '64:ff9b::8.8.8.8',
])('%s is', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

it('a name that leads to this machine has no address to connect to', async () => {
  for (const all of [true, false]) {
    const error = await new Promise((resolve) => lookupPublic('localhost', { all }, resolve))
    expect(error).toBeInstanceOf(PrivateAddress)
  }
})
