import type { Day, Instant } from '#platform/calendar/day.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    alarms: AlarmsTable
  }
}

/**
 * The subject of a reminder: a habit or a to-do at its time, or a snoozed one (`-later`); or the end of a focus timer phase,
 * whose row is a run.
 */
export type AlarmKind = 'habit' | 'habit-later' | 'todo' | 'todo-later' | 'focus'

/** At most one alarm of each kind per row. Until the next alarm is known, the row keeps the one that is due now. */
interface AlarmsTable {
  user_id: string
  kind: AlarmKind
  row_id: string
  due_at: Instant
  /** For a habit: the day on the wall calendar that the last reminder was for. */
  reminded_on: Day | null
  /**
   * For a snoozed habit: the day that it is about. For a to-do whose reminder goes with its due day: the occurrence, or that
   * day. While the day is null, such an alarm is due at once, so that its instant gets computed.
   */
  day: Day | null
}
