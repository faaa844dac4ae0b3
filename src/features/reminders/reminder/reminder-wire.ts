import * as z from 'zod/mini'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

// Data that devices and the server exchange about how reminders reach people.

/** The outcome of a reminder: accepted by the push service, rejected for good, or not deliverable for now. */
export const outcomeSchema = z.enum(['delivered', 'refused', 'unreachable'])
export type Outcome = z.infer<typeof outcomeSchema>

/** A browser that receives pushes, as its person sees it. */
export const pushDeviceSchema = z.object({
  id: z.string(),
  /** Such as 'Firefox on Linux'. */
  name: z.string(),
  added_at: z.string(),
  last_delivery: z.nullable(z.object({ at: z.string(), outcome: outcomeSchema })),
})
export type PushDevice = z.infer<typeof pushDeviceSchema>

export const remindersSchema = z.object({
  /** The key with which browsers subscribe, base64url; null if this server sends no pushes. */
  public_key: z.nullable(z.string()),
  /** `available` means that the server sends mail and the person's address is confirmed. */
  mail: z.object({ available: z.boolean(), on: z.boolean() }),
  devices: z.array(pushDeviceSchema),
})
export type Reminders = z.infer<typeof remindersSchema>

export const mailChoiceSchema = z.object({ mail: z.boolean('Expected true or false') })

/**
 * The habit or to-do to snooze. `day` is the day that the notification was about: a habit snoozed past midnight still counts for
 * that day, and a repeating to-do is reminded of at the same occurrence.
 */
export const snoozeParams = z.object({ kind: z.enum(['habit', 'todo']), id: rowIdSchema })
export const snoozeSchema = z.object({ day: z.optional(daySchema) })
export const snoozeResponseSchema = z.object({ remind_at: z.string() })

/** The JSON that is pushed to a service worker. */
export interface PushMessage {
  version: 1
  /** The user whom the message is meant for. Requests made from the notification name this user in `X-Daymark-User`. */
  user: string
  kind: 'habit' | 'todo' | 'focus' | 'test'
  id: string
  title: string
  body: string
  /** Until when `body` is true (ISO 8601 in UTC): the end of the period that the reminder is about. */
  until?: string
  /** The text to show if the push arrives after `until`. */
  endedBody?: string
  /** For a habit: the day that the reminder is about. For a repeating to-do: the day of the occurrence. */
  day?: Day
  url: '/habits' | '/todos' | '/focus' | '/settings'
}
