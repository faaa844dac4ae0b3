import type { AlarmKind } from '#platform/alarms/tables.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    push_devices: PushDevicesTable
    mail_reminders: MailRemindersTable
    deliveries: DeliveriesTable
  }
}

/** A browser that receives pushes: one per sign-in session, and deleted with it. */
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

/** The users who are also reminded by mail. */
interface MailRemindersTable {
  user_id: string
}

/** A reminder on its way to one device or mailbox; deleted once it has arrived or was given up. */
interface DeliveriesTable {
  user_id: string
  kind: AlarmKind
  row_id: string
  /** A device's id, or 'mail'. */
  target: string
  /** For a habit, the day that the reminder is about. */
  day: Day | null
  due_at: Instant
  /** The earliest time to send it; while it is claimed, the end of the claim. */
  send_at: Instant
  tries: number
  /** The claim that reserves the delivery until `send_at`; null if there is none. */
  claim: string | null
}
