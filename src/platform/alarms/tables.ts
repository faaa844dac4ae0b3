import type { Day, Instant } from '#platform/calendar/day.ts'

export interface AlarmTables {
  alarms: AlarmsTable
}

/** What a reminder is about: a habit at its time, a snoozed habit (stored as `habit-later`), or a todo. */
export type AlarmKind = 'habit' | 'habit-later' | 'todo'

/** At most one alarm of each kind per row. While the next one is not known yet, this is the one that is due now. */
interface AlarmsTable {
  user_id: string
  kind: AlarmKind
  row_id: string
  due_at: Instant
  /** Of a habit: the day on the wall calendar that the last reminder was for. */
  reminded_on: Day | null
  /** Of a snoozed habit: the day that it is about. */
  day: Day | null
}
