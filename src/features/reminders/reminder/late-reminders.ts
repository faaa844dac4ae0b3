import type { Day, Instant } from '#platform/calendar/day.ts'
import { nextReminder } from './next-reminder.ts'
import type { Reminder } from './reminder.ts'

/** After a longer delay, because nothing ran, a reminder must not wake anybody any more. */
export const longestDelay = 12 * 60 * 60 * 1000

/** The end of a phase is worth knowing only for a while. */
export const longestPhaseDelay = 10 * 60 * 1000

/** Milliseconds after which a reminder that was snoozed comes again. */
export const snoozeDelay = 30 * 60 * 1000

/** The outcome of a habit's reminder that is due. */
export interface DueReminder {
  /** The one to send, if any. */
  send: Instant | undefined
  /** How many are too late to send. */
  skipped: number
  next: Instant
  /**
   * The last day on the wall calendar that needs no more reminder. Days whose reminder came too late to be sent are not among
   * them: the clock may have been ahead, and they may still come.
   */
  remindedOn: Day | null
}

/**
 * The alarm was set for `dueAt` and is handled `now`: at once, or after a time in which nothing ran and more became due, of
 * which at most one is sent. An alarm that was set by another zone's clocks, because the zone has changed, is only set
 * anew.
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
