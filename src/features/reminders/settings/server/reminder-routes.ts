import { randomUUIDv7 } from 'node:crypto'
import * as z from 'zod/mini'
import { subscriptionSchema } from '#features/reminders/devices/push-subscription.ts'
import {
  findPushDevice,
  listPushDevices,
  putPushDevice,
  removePushDevice,
} from '#features/reminders/devices/server/push-device-store.ts'
import { sendPush } from '#features/reminders/devices/server/send-push.ts'
import { snoozeDelay } from '#features/reminders/reminder/late-reminders.ts'
import { testMessageOf } from '#features/reminders/reminder/push-message.ts'
import {
  mailChoiceSchema,
  outcomeSchema,
  pushDeviceSchema,
  type Reminders,
  remindersSchema,
  snoozeParams,
  snoozeResponseSchema,
  snoozeSchema,
} from '#features/reminders/reminder/reminder-wire.ts'
import { type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'
import type { HttpContext } from '#platform/http/request/context.ts'
import { errorResponse, notFound } from '#platform/http/request/error-response.ts'
import { done, doneSchema, rowParams } from '#platform/http/row-calls/row-calls.ts'
import { refuseField, refuseFutureDay } from '#platform/http/row-calls/when.ts'
import { isPublicKey } from '#platform/push/encrypt.ts'
import type { Pusher } from '#platform/push/pusher.ts'
import { isRemindedByMail, remindByMail } from './mail-reminder-store.ts'

const testLimit = { name: 'push-test', max: 10, seconds: 60, per: 'user' } as const

const signedOut = errorResponse(401, 'NOT_SIGNED_IN', 'Sign in to do this.')
const doneAlready = errorResponse(
  422,
  'DONE_ALREADY',
  "There's nothing left to do, so there's nothing to remind you about.",
)
const noMail = errorResponse(
  422,
  'MAIL_UNAVAILABLE',
  'Reminders can only be emailed to a confirmed address, and only if this server can send email.',
)
const noPush = errorResponse(422, 'PUSH_UNAVAILABLE', "This server doesn't send push reminders.")

/** Passed in by the application, so that no feature depends on another. */
export interface ReminderParts {
  database: Database
  clock: () => Instant
  pusher: Pusher
  /** The user's mail address; undefined if the server sends no mail or the address is not confirmed. */
  mailAddressOf(user: string): Promise<string | undefined>
  /** The id of the sign-in session that sent the request. */
  signInSessionOf(c: HttpContext): Promise<string | undefined>
  /**
   * Reminds of a habit or to-do again at an instant. Returns the instant of the next reminder, which is later if a later reminder
   * is already set.
   */
  snooze: Record<
    'habit' | 'todo',
    (
      user: string,
      id: string,
      again: { at: Instant; now: Instant; day?: Day | undefined },
    ) => Promise<Instant | 'gone' | 'done'>
  >
}

/** The endpoints for how a person is reminded. What they are reminded of is set on each habit and to-do. */
export function reminderEndpoints(parts: ReminderParts): Endpoint[] {
  const { database, clock, pusher, mailAddressOf, signInSessionOf, snooze } = parts
  return [
    endpoint({
      method: 'GET',
      path: '/api/reminders',
      summary: 'How reminders reach the person: the devices that are pushed to, and mail',
      takes: {},
      responses: { 200: remindersSchema },
      async handle({ user }) {
        const available = (await mailAddressOf(user)) !== undefined
        const body: Reminders = {
          public_key: pusher.isOff ? null : await pusher.publicKey(),
          mail: { available, on: await isRemindedByMail(database, user) },
          // Devices that were registered before pushes were turned off are kept, for when pushes are on again, but not listed.
          devices: pusher.isOff ? [] : await listPushDevices(database, user, clock()),
        }
        return { status: 200, body }
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/reminders',
      summary: 'Choose whether reminders are mailed as well',
      takes: { body: mailChoiceSchema },
      responses: { 200: mailChoiceSchema },
      errors: [422],
      async handle({ user, body: { mail } }) {
        if (mail && (await mailAddressOf(user)) === undefined) return noMail
        await remindByMail(database, user, mail)
        return { status: 200, body: { mail } }
      },
    }),
    endpointWithContext({
      method: 'PUT',
      path: '/api/reminders/devices',
      summary:
        'Push to this browser from now on: its subscription, which ends with the sign-in session; another replaces it',
      takes: { body: subscriptionSchema },
      responses: { 200: z.object({ device: pushDeviceSchema }) },
      errors: [422],
      async handle({ c, user, body: { endpoint, keys } }) {
        if (pusher.isOff) return noPush
        const problem = pusher.problemOf(endpoint)
        if (problem !== undefined) return refuseField('endpoint', problem)
        if (!isPublicKey(keys.p256dh)) return refuseField('keys.p256dh', 'Expected a public key of P-256')
        const session = await signInSessionOf(c)
        const subscription = { endpoint, ...keys }
        const device =
          session && (await putPushDevice(database, user, session, randomUUIDv7(), subscription, clock()))
        return device ? { status: 200, body: { device } } : signedOut
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/reminders/devices/{id}',
      summary: 'Push to a device no more',
      takes: { params: rowParams },
      responses: { 200: doneSchema },
      async handle({ user, params }) {
        return (await removePushDevice(database, user, params.id)) ? done : notFound
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/reminders/devices/{id}/test',
      summary: 'Push a test to a device now, and say what became of it; one that is gone is removed',
      limit: testLimit,
      takes: { params: rowParams },
      responses: { 200: z.object({ outcome: outcomeSchema }) },
      errors: [422],
      async handle({ user, params }) {
        if (pusher.isOff) return noPush
        const device = await findPushDevice(database, user, params.id, clock())
        if (!device) return notFound
        const outcome = await sendPush(parts, user, params.id, device, testMessageOf(user, params.id))
        return { status: 200, body: { outcome } }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/reminders/{kind}/{id}/later',
      summary:
        'Remind of a habit or a to-do again in 30 minutes; this moves an instant at which to remind of a to-do, unless that is later',
      takes: { params: snoozeParams, body: z.optional(snoozeSchema) },
      responses: { 200: snoozeResponseSchema },
      errors: [422],
      async handle({ user, params: { kind, id }, body }) {
        const now = clock()
        // A habit cannot be snoozed for a future day. A to-do may be: people are reminded of it before it is due.
        const error = kind === 'habit' && refuseFutureDay('day', body?.day, now)
        if (error) return error
        const options = { at: now + snoozeDelay, now, day: body?.day }
        const outcome = await snooze[kind](user, id, options)
        if (outcome === 'gone') return notFound
        if (outcome === 'done') return doneAlready
        return { status: 200, body: { remind_at: instantToWire(outcome) } }
      },
    }),
  ]
}
