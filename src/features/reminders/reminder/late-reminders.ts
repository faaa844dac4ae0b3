import type { Day, Instant } from '#platform/calendar/day.ts'
import { nextReminder } from './next-reminder.ts'
import type { Reminder } from './reminder.ts'

/**
 * The longest delay of a reminder, in milliseconds. After that, because the server was not running, the reminder is not sent, so
 * that it wakes nobody up.
 */
export const longestDelay = 12 * 60 * 60 * 1000

/** The longest delay of the message that a focus phase has ended, in milliseconds: it is only interesting for a short time. */
export const longestPhaseDelay = 10 * 60 * 1000

/** Milliseconds after which a snoozed reminder comes again. */
export const snoozeDelay = 30 * 60 * 1000

/** What to do about a habit's reminder that is due. */
export interface DueReminder {
  /** The instant of the reminder to send; undefined if there is none. */
  send: Instant | undefined
  /** How many reminders are too late to send. */
  skipped: number
  next: Instant
  /**
   * The last calendar day that needs no further reminder. A day whose reminder was too late to send is not included: the clock
   * may have been ahead, so that the day may still come.
   */
  remindedOn: Day | null
}

/**
 * Handles, at `now`, the alarm that was set for `dueAt`. If nothing ran for a while, more reminders may be due by now, but only
 * the latest is sent, if it is not too late. An alarm that was set for another time zone may not be due in the current one: then
 * it is only set again.
 */
export function settleDueReminder(
  reminder: Reminder,
  dueAt: Instant,
  now: Instant,
  zone: string,
  remindedOn: Day | null,
): DueReminder {
  let next = nextReminder(reminder, dueAt - 1, zone, remindedOn)
  let send: Instant | undefined
  let skipped = 0
  let passed = remindedOn
  let sentOn = remindedOn
  while (next.at <= now) {
    if (now - next.at > longestDelay) skipped += 1
    else [send, sentOn] = [next.at, next.day]
    passed = next.day
    next = nextReminder(reminder, next.at, zone, passed)
  }
  return { send, skipped, next: next.at, remindedOn: sentOn }
}
