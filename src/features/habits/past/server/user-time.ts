import type { Transaction } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Tables } from '#platform/database/tables.ts'

/** What 'today' and 'this week' mean for the user. */
export interface UserTime {
  today: Day
  weekStart: WeekStart
  /** The day of an instant, by the person's time zone and day start. */
  dayAt(instant: Instant): Day
  /** The current instant, from which reminders are set. */
  now: Instant
  /** Locks and returns the time zone of the person's reminders: nobody else can change it until the write ends. */
  zoneIn(tx: Transaction<Tables>): Promise<string>
}
