import type { AlarmKind } from '#platform/alarms/tables.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    push_devices: PushDevicesTable
    mail_reminders: MailRemindersTable
    deliveries: DeliveriesTable
  }
}

/** A browser that may be pushed to: one per sign-in session, and deleted with it. */
interface PushDevicesTable {
  user_id: string
  id: string
  session_id: string
  endpoint: string
  p256dh: string
  auth: string
  added_at: Instant
  last_at: Instant | null
  last_outcome: 'delivered' | 'refused' | 'unreachable' | null
}

/** The users who are reminded by mail as well. */
interface MailRemindersTable {
  user_id: string
}

/** A reminder on its way to one device or mailbox; deleted once it has arrived or been given up. */
interface DeliveriesTable {
  user_id: string
  kind: AlarmKind
  row_id: string
  /** a device's id, or 'mail' */
  target: string
  /** of a habit: the day that it is about */
  day: Day | null
  due_at: Instant
  /** the earliest time to send it; while it is claimed, the end of the claim */
  send_at: Instant
  tries: number
  /** who holds it until `send_at` */
  claim: string | null
}
