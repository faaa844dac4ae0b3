import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
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
  'localhost',
  '',
])('%s is not on the internet', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2a00:1450:4001:80e::200a', '2606:4700::6810:84e5'])(
  '%s is',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

it('a name that leads to this machine is not connected to', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  for (const all of [true, false]) {
    const error = await new Promise((resolve) => lookupPublic('localhost', { all }, resolve))
    expect(error).toBeInstanceOf(PrivateAddress)
  }
  expect(asked).toEqual([])
})
