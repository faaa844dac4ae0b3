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
  /** As it was chosen. */
  start_day: Day
  start_at: Instant
  /** The first day before that on which something stands that was entered since (`first-entry-store.ts`). */
  first_entry_day: Day | null
  /** The import that made it, whichever brought it back since. */
  made_by_import: string | null
  /** null while nobody has moved it */
  position: string | null
  position_at: Instant
  /** null while it is in use */
  archived_at: Instant | null
  archive_changed_at: Instant
  /** Minutes after local midnight; null without a reminder. */
  reminder_time: number | null
  /** Such as '12345' for Monday to Friday; set exactly when the time is. */
  reminder_weekdays: string | null
  reminder_changed_at: Instant
  /** What the days before `earlier_from` were summed up for (`nameOfSummary`); null until they are summed up again. */
  earlier_name: string | null
  earlier_from: Day | null
  /** The summary of these days (`HabitSummary`) as JSON. */
  earlier_sum: string | null
  created_at: Instant
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/** Rhythm and target from a day on, each as JSON with the instant of its last change; null: as in the row before. */
interface RhythmsTable {
  user_id: string
  habit_id: string
  from_day: Day
  rhythm: string | null
  rhythm_at: Instant
  /** What a client of the specification wrote: read as no change where the rhythm reads as it already. */
  frequency: Defaulted<'daily' | 'weekly' | null>
  frequency_at: Defaulted<Instant>
  target: string | null
  target_at: Instant
}

/** A day that was set back stays as a row that is neither done nor skipped, with the instant of that change. */
interface CompletionsTable {
  user_id: string
  habit_id: string
  day: Day
  done: 0 | 1
  /** Never together with `done`. */
  skipped: Defaulted<0 | 1>
  changed_at: Instant
  note: Defaulted<string>
  note_at: Defaulted<Instant>
  /** The import that wrote it last. */
  import_id: Defaulted<string | null>
  imported_at: Defaulted<Instant | null>
  /** What the day was before that; null if it was not stored. */
  before_import: Defaulted<'done' | 'skipped' | 'none' | null>
}

/** One entry of an amount on a day. Only its deletion changes. */
interface AmountsTable extends ImportColumns {
  user_id: string
  id: string
  habit_id: string
  day: Day
  /** In thousandths. */
  value: number
  is_set: 0 | 1
  /** Of a set: the ids of the adds that it replaces, as JSON; fixed when it arrives. Null of an add. */
  settles: string | null
  /** When it was entered. */
  created_at: Instant
  updated_at: Instant
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

/** Everything about the days of a whole year, independent of the rhythm; deleted as soon as one of them changes. */
interface HabitYearsTable {
  user_id: string
  habit_id: string
  year: number
  /** as `packed-year.ts` packs them */
  days: string
}

/** Days that are taken out of a habit, or of all of them. */
interface PausesTable extends ImportColumns {
  user_id: string
  id: string
  /** null: of all habits */
  habit_id: string | null
  from_day: Day
  from_day_at: Instant
  /** Included. null: until it is resumed */
  to_day: Day | null
  to_day_at: Instant
  created_at: Instant
  updated_at: Instant
  deleted_at: Instant | null
  deletion_changed_at: Instant
}
