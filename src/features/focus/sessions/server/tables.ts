import type { Day, Instant } from '#platform/calendar/day.ts'
import type { ImportColumns } from '#platform/database/import-columns.ts'
import type { SessionKind } from '../focus-row.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    focus_sessions: FocusSessionsTable
    focus_days: FocusDaysTable
    focus_timers: FocusTimersTable
  }
}

interface FocusSessionsTable extends ImportColumns {
  user_id: string
  id: string
  kind: SessionKind
  /** the to-do that the session was about; the row may not exist */
  todo_id: string | null
  habit_id: string | null
  subject_at: Instant
  /** in whole seconds */
  duration: number
  /** a placeholder number that is no instant if the row is the total of a day (`focus-row.ts`) */
  started_at: Instant
  ended_at: Instant
  /** the last day of the session; when sessions are counted by day, it counts on this day */
  ended_on: Day
  time_at: Instant
  /** always 1: the previous version lets any timer replace a session that has 0; can be removed in the next version */
  knows_phases: 0 | 1
  created_at: Instant
  updated_at: Instant
  /** null while the session is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/** The seconds of a session on each of its days. Together they add up to the duration of the session. */
interface FocusDaysTable {
  user_id: string
  session_id: string
  day: Day
  seconds: number
}

/** A user's one timer, shared by all of their devices. */
interface FocusTimersTable {
  user_id: string
  /** the timer in the format in which it is sent, as JSON */
  timer: string
  changed_at: Instant
}
