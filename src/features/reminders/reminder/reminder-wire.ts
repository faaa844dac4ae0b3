import * as z from 'zod/mini'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

// What travels about how reminders reach people.

/** Whether a reminder arrived: accepted by the push service, rejected by it for good, or undeliverable for now. */
export const outcomeSchema = z.enum(['delivered', 'refused', 'unreachable'])
export type Outcome = z.infer<typeof outcomeSchema>

/** A browser that may be pushed to, as its person sees it. */
export const pushDeviceSchema = z.object({
  id: z.string(),
  /** 'Firefox on Linux' */
  name: z.string(),
  added_at: z.string(),
  last_delivery: z.nullable(z.object({ at: z.string(), outcome: outcomeSchema })),
})
export type PushDevice = z.infer<typeof pushDeviceSchema>

export const remindersSchema = z.object({
  /** The key that browsers subscribe with, base64url; null if this server sends no pushes. */
  public_key: z.nullable(z.string()),
  /** `available` means that mail is sent here and the address is confirmed. */
  mail: z.object({ available: z.boolean(), on: z.boolean() }),
  devices: z.array(pushDeviceSchema),
})
export type Reminders = z.infer<typeof remindersSchema>

export const mailChoiceSchema = z.object({ mail: z.boolean('Expected true or false') })

/**
 * The row to snooze. `day` is what the notification was about, so that a habit snoozed past midnight still counts for that
 * day, and of a to-do that repeats the same occurrence is reminded of.
 */
export const snoozeParams = z.object({ kind: z.enum(['habit', 'todo']), id: rowIdSchema })
export const snoozeSchema = z.object({ day: z.optional(daySchema) })
export const snoozeAnswerSchema = z.object({ remind_at: z.string() })

/** What is pushed to a service worker, as JSON. */
export interface PushMessage {
  version: 1
  /** Whose it is: requests made from it name this user in `X-Daymark-User`. */
  user: string
  kind: 'habit' | 'todo' | 'focus' | 'test'
  id: string
  title: string
  body: string
  /** until when `body` is true, ISO 8601 in UTC: the end of the period that it is about */
  until?: string
  /** the text to show instead when it arrives after that */
  endedBody?: string
  /** of a habit: the day that it is about; of a to-do that repeats: which occurrence */
  day?: Day
  url: '/habits' | '/todos' | '/focus' | '/settings'
}
