import * as z from 'zod/mini'
import { storedChoice } from '#platform/browser/device/stored-choice.ts'
import type { DeviceValue } from '#platform/sync/collections/device-value.ts'
import type { Subscription } from '../push-subscription.ts'
import type { PushPermission } from './push-permission.ts'

const registeredSchema = z.object({ id: z.string(), endpoint: z.string(), signIn: z.string() })

/** This browser as the server knows it: under which id, and from which sign-in session, with which it ends. */
export type RegisteredDevice = z.infer<typeof registeredSchema>

/** Null if the server does not know this browser, or no longer does. */
export const registeredDevice: DeviceValue<RegisteredDevice | null> = {
  name: 'reminders-device',
  parse: (stored) => z.catch(z.nullable(registeredSchema), null).parse(stored),
}

/**
 * What the person said about reminders on this device: nothing yet (`open`), yes, no, or nothing when `asked`. Outlives their sign-in session, and
 * does not apply to anybody else who signs in with this browser.
 */
export function consentOf(account: string) {
  return storedChoice(`daymark-reminders-here-${account}`, ['open', 'wanted', 'declined', 'asked'])
}

type Consent = ReturnType<ReturnType<typeof consentOf>['read']>

/**
 * Whether this browser has to be registered with the server again: because it was not in this sign-in session, or because
 * its subscription has changed or is lost. A device removed elsewhere during the same session stays removed.
 */
export function needsRegistration({
  permission,
  consent,
  registered,
  subscription,
  signIn,
}: {
  permission: PushPermission
  consent: Consent
  registered: RegisteredDevice | null
  subscription: Subscription | undefined
  signIn: string
}): boolean {
  if (permission !== 'allowed' || consent !== 'wanted') return false
  return registered?.signIn !== signIn || registered.endpoint !== subscription?.endpoint
}
