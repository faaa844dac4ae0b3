import type { Day, Instant } from '#platform/calendar/day.ts'

export interface TodoTables {
  todos: TodosTable
}

/** Each editable field has the instant of its last change beside it: the last change wins. */
interface TodosTable {
  user_id: string
  id: string
  title: string
  title_at: Instant
  completed: 0 | 1
  completed_on: Day | null
  completed_at: Instant | null
  completed_changed_at: Instant
  due_day: Day | null
  due_day_at: Instant
  remind_at: Instant | null
  remind_changed_at: Instant
  /** The instant of the reminder that was last delivered or skipped: it is not delivered again, whatever arrives late. */
  reminded_at: Instant | null
  created_at: Instant
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}
