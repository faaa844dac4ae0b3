import * as z from 'zod/mini'
import { storedChoice } from '#platform/browser/device/stored-choice.ts'
import type { DeviceValue } from '#platform/sync/collections/device-value.ts'
import type { Subscription } from '../push-subscription.ts'
import type { PushPermission } from './push-permission.ts'

const registeredSchema = z.object({ id: z.string(), endpoint: z.string(), signIn: z.string() })

/** This browser as the server knows it: its id, its push endpoint and the sign-in session that it belongs to. */
export type RegisteredDevice = z.infer<typeof registeredSchema>

/** Null if this browser is not registered with the server. */
export const registeredDevice: DeviceValue<RegisteredDevice | null> = {
  name: 'reminders-device',
  parse: (stored) => z.catch(z.nullable(registeredSchema), null).parse(stored),
}

/**
 * What the person said about reminders on this device: `open` before they were asked, `asked` without an answer, `wanted` or
 * `declined`. The choice outlives the sign-in session, and does not apply to other people who sign in with this browser.
 */
export function consentOf(account: string) {
  return storedChoice(`daymark-reminders-here-${account}`, ['open', 'wanted', 'declined', 'asked'])
}

type Consent = ReturnType<ReturnType<typeof consentOf>['read']>

/**
 * Whether this browser must be registered with the server again: the sign-in session is new, or the subscription has changed or
 * is lost. A device that was removed elsewhere during the same session stays removed.
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
