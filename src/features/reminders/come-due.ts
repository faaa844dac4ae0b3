import type { Day, Instant } from '#platform/calendar/day.ts'
import { nextReminder } from './next-reminder.ts'
import type { Reminder } from './reminder.ts'

/** Whoever was not reminded for longer than this, because nothing ran, is not to be woken by it any more. */
export const latest = 12 * 60 * 60 * 1000

/** What comes of a habit's reminder that came due. */
export interface CameDue {
  /** The one to be said, if any. */
  say: Instant | undefined
  /** How many are too late to be said. */
  skipped: number
  next: Instant
  /** The last day on the wall calendar that needs no reminder any more. */
  remindedOn: Day | null
}

/**
 * The alarm was set for `dueAt` and is looked at `now`: at once, or after a time in which nothing ran and more came due, of
 * which one is said at most. An alarm that is none of this zone's, which changed as it was set, is only set anew.
 */
export function comeDue(
  reminder: Reminder,
  dueAt: Instant,
  now: Instant,
  zone: string,
  remindedOn: Day | null,
): CameDue {
  let next = nextReminder(reminder, dueAt - 1, zone, remindedOn)
  let say: Instant | undefined
  let skipped = 0
  let passed = remindedOn
  while (next.at <= now) {
    if (now - next.at > latest) skipped += 1
    else say = next.at
    passed = next.day
    next = nextReminder(reminder, next.at, zone, passed)
  }
  return { say, skipped, next: next.at, remindedOn: passed }
}
