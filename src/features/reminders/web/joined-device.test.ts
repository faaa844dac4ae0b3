import { describe, expect, test } from 'vitest'
import { hasToJoin, type Joined, keptJoined } from './joined-device.ts'

const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }
const joined: Joined = { id: 'device', endpoint: subscription.endpoint, signIn: 'monday' }
const now = { reach: 'allowed', declined: false, joined, subscription, signIn: 'monday' } as const

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

  test('never by itself where it was never asked for', () => {
    expect(hasToJoin({ ...now, subscription: undefined, joined: null })).toBe(false)
  })

  test.each(['insecure', 'unsupported', 'undecided', 'denied'] as const)('never where it is %s', (reach) => {
    expect(hasToJoin({ ...now, reach, signIn: 'tuesday' })).toBe(false)
  })

  test('never where the person said that they do not want reminders here', () => {
    expect(hasToJoin({ ...now, declined: true, signIn: 'tuesday' })).toBe(false)
  })
})

test('what another build kept of it is as good as nothing', () => {
  expect(keptJoined.parse(undefined)).toBeNull()
  expect(keptJoined.parse({ device: 1 })).toBeNull()
  expect(keptJoined.parse(joined)).toEqual(joined)
})
