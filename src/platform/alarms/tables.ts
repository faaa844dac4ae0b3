import type { Day, Instant } from '#platform/calendar/day.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    alarms: AlarmsTable
  }
}

/**
 * What a reminder is about: a habit or a to-do at its time, or one that was snoozed (`-later`); or the end of a phase of the
 * focus timer, whose row is a run.
 */
export type AlarmKind = 'habit' | 'habit-later' | 'todo' | 'todo-later' | 'focus'

/** At most one alarm of each kind per row. While the next one is not known yet, this is the one that is due now. */
interface AlarmsTable {
  user_id: string
  kind: AlarmKind
  row_id: string
  due_at: Instant
  /** Of a habit: the day on the wall calendar that the last reminder was for. */
  reminded_on: Day | null
  /**
   * Of a snoozed habit: the day that it is about. Of a to-do with a reminder that goes with its due day: the occurrence, or that
   * day. While it is null, the alarm is due at once, for its instant to be computed.
   */
  day: Day | null
}
