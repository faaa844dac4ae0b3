import { expect, it } from 'vitest'
import { isPublicKey } from './encrypt.ts'
import { createVapid, makePushKeys } from './vapid.ts'

const hour = 60 * 60 * 1000

it('makes complete pairs of keys, even from a number that begins with zeros', () => {
  for (let made = 0; made < 1_000; made++) {
    const { publicKey, privateKey } = makePushKeys()
    expect(isPublicKey(publicKey)).toBe(true)
    expect(Buffer.from(privateKey, 'base64url')).toHaveLength(32)
  }
})

it('signs anew for each push service, and before a signature expires', () => {
  const vapid = createVapid(makePushKeys(), 'mailto:ada@example.org')
  const first = vapid('https://push.example', 0)
  expect(vapid('https://push.example', 5 * hour)).toBe(first)
  expect(vapid('https://push.example', 6 * hour)).not.toBe(first)
  expect(vapid('https://other.example', 0)).not.toBe(first)
})

it('signs anew after the clock was set back, since services refuse what is valid for days', () => {
  const vapid = createVapid(makePushKeys(), 'mailto:ada@example.org')
  const ahead = vapid('https://push.example', 48 * hour)
  expect(vapid('https://push.example', 0)).not.toBe(ahead)
})
