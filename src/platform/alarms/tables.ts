import type { Day, Instant } from '#platform/calendar/day.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    alarms: AlarmsTable
  }
}

/**
 * What an alarm reminds of: a habit or a to-do at its time, a snoozed habit or to-do (`-later`), or the end of a focus timer's
 * phase. For 'focus', `row_id` names a run of the timer.
 */
export type AlarmKind = 'habit' | 'habit-later' | 'todo' | 'todo-later' | 'focus'

/**
 * At most one alarm of each kind per row: when the person is next to be reminded of the row. Until the next instant is known, the
 * row keeps the alarm that is due now.
 */
interface AlarmsTable {
  user_id: string
  kind: AlarmKind
  row_id: string
  due_at: Instant
  /** For a habit: the day on the wall calendar that the last reminder was for. */
  reminded_on: Day | null
  /**
   * For a snoozed habit: the day that the reminder is about. For a to-do whose reminder is relative to its due day: the day of
   * the occurrence, or the due day. While this is null, the alarm of such a to-do is due at once, so that its instant gets
   * computed.
   */
  day: Day | null
}
