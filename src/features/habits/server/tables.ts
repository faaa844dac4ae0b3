import type { Day, Instant } from '#platform/calendar/day.ts'

export interface HabitTables {
  habits: HabitsTable
  completions: CompletionsTable
  habit_years: HabitYearsTable
}

interface HabitsTable {
  user_id: string
  id: string
  name: string
  name_at: Instant
  description: string
  description_at: Instant
  frequency: 'daily' | 'weekly'
  frequency_at: Instant
  start_day: Day
  /** Minutes after local midnight; null without a reminder. */
  reminder_time: number | null
  /** Such as '12345' for Monday to Friday; set exactly when the time is. */
  reminder_weekdays: string | null
  reminder_changed_at: Instant
  /** The rhythm for which the completions before `earlier_from` were summed up; null until they are summed up again. */
  earlier_rhythm: string | null
  earlier_from: Day | null
  earlier_run: number | null
  earlier_longest: number | null
  created_at: Instant
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/** A completion that was undone stays as a row that is not done, with the instant of the undo. */
interface CompletionsTable {
  user_id: string
  habit_id: string
  day: Day
  done: 0 | 1
  changed_at: Instant
}

/** All completions of a whole year, independent of the rhythm; deleted as soon as one of them changes. */
interface HabitYearsTable {
  user_id: string
  habit_id: string
  year: number
  /** as `packed-year.ts` packs them */
  days: string
}
