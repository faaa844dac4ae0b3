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
  /** what it was about, which may not be there */
  todo_id: string | null
  habit_id: string | null
  subject_at: Instant
  /** whole seconds */
  duration: number
  /** of the total of a day a number that is no instant (`focus-row.ts`) */
  started_at: Instant
  ended_at: Instant
  /** the last of its days, on which it counts */
  ended_on: Day
  time_at: Instant
  /** always written as 1: the version before lets any timer replace a session with 0; goes with the next version */
  knows_phases: 0 | 1
  created_at: Instant
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/** The seconds of a session on each of its days add up to its duration. */
interface FocusDaysTable {
  user_id: string
  session_id: string
  day: Day
  seconds: number
}

/** A user's one timer, shared by all of their devices. */
interface FocusTimersTable {
  user_id: string
  /** as it is sent, in JSON */
  timer: string
  changed_at: Instant
}
