import { describe, expect, test } from 'vitest'
import { hasToJoin, type Joined, keptJoined } from './joined-device.ts'

const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }
const joined: Joined = { id: 'device', endpoint: subscription.endpoint, signIn: 'monday' }
const now = { reach: 'allowed', wish: 'wanted', joined, subscription, signIn: 'monday' } as const

describe('the server is told of this browser', () => {
  test('once in a sign-in session, so that what was removed elsewhere stays removed', () => {
    expect(hasToJoin(now)).toBe(false)
  })

  test('again after signing in anew, since a device ends with its sign-in session', () => {
    expect(hasToJoin({ ...now, signIn: 'tuesday' })).toBe(true)
    expect(hasToJoin({ ...now, joined: null })).toBe(true)
  })

  test('again when the browser has another subscription, or has lost its own', () => {
    expect(hasToJoin({ ...now, subscription: { ...subscription, endpoint: 'https://push.example/2' } })).toBe(
      true,
    )
    expect(hasToJoin({ ...now, subscription: undefined })).toBe(true)
  })

  test.each(['insecure', 'unsupported', 'undecided', 'denied'] as const)('never where it is %s', (reach) => {
    expect(hasToJoin({ ...now, reach, signIn: 'tuesday' })).toBe(false)
  })

  test.each(['open', 'declined'] as const)('never where the wish of the person is %s', (wish) => {
    expect(hasToJoin({ ...now, wish, signIn: 'tuesday' })).toBe(false)
    expect(hasToJoin({ ...now, wish, joined: null, subscription: undefined })).toBe(false)
  })
})

test('what another build kept of it is as good as nothing', () => {
  expect(keptJoined.parse(undefined)).toBeNull()
  expect(keptJoined.parse({ device: 1 })).toBeNull()
  expect(keptJoined.parse(joined)).toEqual(joined)
})
