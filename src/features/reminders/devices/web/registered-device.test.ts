import { describe, expect, test } from 'vitest'
import { needsRegistration, type RegisteredDevice, registeredDevice } from './registered-device.ts'

const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }
const registered: RegisteredDevice = { id: 'device', endpoint: subscription.endpoint, signIn: 'monday' }
const now = { permission: 'allowed', consent: 'wanted', registered, subscription, signIn: 'monday' } as const

describe('the server is told about this browser', () => {
  test('once per sign-in session, so that what was removed elsewhere stays removed', () => {
    expect(needsRegistration(now)).toBe(false)
  })

  test('again after a new sign-in, since a device ends with its sign-in session', () => {
    expect(needsRegistration({ ...now, signIn: 'tuesday' })).toBe(true)
    expect(needsRegistration({ ...now, registered: null })).toBe(true)
  })

  test('again if the browser has another subscription, or has lost its own', () => {
    expect(
      needsRegistration({ ...now, subscription: { ...subscription, endpoint: 'https://push.example/2' } }),
    ).toBe(true)
    expect(needsRegistration({ ...now, subscription: undefined })).toBe(true)
  })

  test.each(['insecure', 'unsupported', 'undecided', 'denied'] as const)(
    'never where it is %s',
    (permission) => {
      expect(needsRegistration({ ...now, permission, signIn: 'tuesday' })).toBe(false)
    },
  )

  test.each(['open', 'declined'] as const)("never where the person's consent is %s", (consent) => {
    expect(needsRegistration({ ...now, consent, signIn: 'tuesday' })).toBe(false)
    expect(needsRegistration({ ...now, consent, registered: null, subscription: undefined })).toBe(false)
  })
})

test('what another build stored about it counts as nothing', () => {
  expect(registeredDevice.parse(undefined)).toBeNull()
  expect(registeredDevice.parse({ device: 1 })).toBeNull()
  expect(registeredDevice.parse(registered)).toEqual(registered)
})
