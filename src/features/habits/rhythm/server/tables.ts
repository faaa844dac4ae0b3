import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Defaulted } from '#platform/database/defaulted.ts'
import type { ImportColumns } from '#platform/database/import-columns.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    habits: HabitsTable
    rhythms: RhythmsTable
    completions: CompletionsTable
    amounts: AmountsTable
    habit_years: HabitYearsTable
    pauses: PausesTable
  }
}

interface HabitsTable extends ImportColumns {
  user_id: string
  id: string
  name: string
  name_at: Instant
  description: string
  description_at: Instant
  /** The start that the person chose. */
  start_day: Day
  start_at: Instant
  /**
   * The first day before `start_day` with an entry made after the start was chosen (`first-entry-store.ts`); null if there is
   * none.
   */
  first_entry_day: Day | null
  /** The import that made the habit, even if another import restored it since. */
  made_by_import: string | null
  /** Null until somebody moves the habit. */
  position: string | null
  position_at: Instant
  /** When the habit was archived; null while it is in use. */
  archived_at: Instant | null
  archive_changed_at: Instant
  /** Minutes after local midnight; null without a reminder. */
  reminder_time: number | null
  /** Such as '12345' for Monday to Friday; null exactly if `reminder_time` is null. */
  reminder_weekdays: string | null
  reminder_changed_at: Instant
  /** What the sum of the days before `earlier_from` was made for (`nameOfSummary`); null while there is no sum. */
  earlier_name: string | null
  earlier_from: Day | null
  /** The sum of the days before `earlier_from`, as JSON (`ListedSummary` without `from`). */
  earlier_sum: string | null
  created_at: Instant
  updated_at: Instant
  /** When the habit was last deleted; null while it exists. */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/** The rhythm and target from a day on, each as JSON with the instant of its last change. Null means: as in the row before. */
interface RhythmsTable {
  user_id: string
  habit_id: string
  from_day: Day
  rhythm: string | null
  rhythm_at: Instant
  /** The frequency that a client of the specification wrote. It changes nothing if the rhythm already corresponds to it. */
  frequency: Defaulted<'daily' | 'weekly' | null>
  frequency_at: Defaulted<Instant>
  target: string | null
  target_at: Instant
}

/** The state and note of a day. A reset day stays as a row that is neither done nor skipped, with the instant of that change. */
interface CompletionsTable {
  user_id: string
  habit_id: string
  day: Day
  done: 0 | 1
  /** Never 1 together with `done`. */
  skipped: Defaulted<0 | 1>
  changed_at: Instant
  note: Defaulted<string>
  note_at: Defaulted<Instant>
  /** The import that last wrote this day. */
  import_id: Defaulted<string | null>
  imported_at: Defaulted<Instant | null>
  /** The state of the day before that import; null if the day was not stored. */
  before_import: Defaulted<'done' | 'skipped' | 'none' | null>
}

/** One entry of an amount on a day. It never changes, but can be deleted and restored. */
interface AmountsTable extends ImportColumns {
  user_id: string
  id: string
  habit_id: string
  day: Day
  /** The added or set amount, in thousandths. */
  value: number
  is_set: 0 | 1
  /**
   * If the entry sets the amount: the ids of the adds and sessions that it replaces, as JSON, fixed when the entry arrives. Null
   * for an add.
   */
  settles: string | null
  /** When the entry was made. */
  created_at: Instant
  updated_at: Instant
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/** The days of a whole year, independent of the rhythm. Deleted as soon as one of them changes. */
interface HabitYearsTable {
  user_id: string
  habit_id: string
  year: number
  /** The days as packed by `packed-year.ts`. */
  days: string
}

/** Days on which a habit, or every habit, is paused. */
interface PausesTable extends ImportColumns {
  user_id: string
  id: string
  /** Null for a pause of all habits. */
  habit_id: string | null
  from_day: Day
  from_day_at: Instant
  /** Included in the pause; null until the habit is resumed. */
  to_day: Day | null
  to_day_at: Instant
  created_at: Instant
  updated_at: Instant
  deleted_at: Instant | null
  deletion_changed_at: Instant
}
