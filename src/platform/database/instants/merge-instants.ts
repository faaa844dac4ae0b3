import type { UserTable } from '../row-kind.ts'
import type { Tables } from '../tables.ts'

// Which instants decide whose change stands (`docs/merging.md`), in every table with rows of users.

/**
 * 'merges': changes are put in order by it, so while it is ahead of the time every change made now would lose.
 * 'stays': it only says when something was or will be, and nothing is decided by it.
 */
type InstantKind = 'merges' | 'stays'

type InstantColumn<Table extends UserTable> = Extract<keyof Tables[Table], `${string}_at`>

type TableWithInstants = {
  [Table in UserTable]: [InstantColumn<Table>] extends [never] ? never : Table
}[UserTable]

const ofSyncedRow = {
  created_at: 'stays',
  updated_at: 'merges',
  deleted_at: 'stays',
  deletion_changed_at: 'merges',
  // Whether anybody has changed the row since is known by it.
  imported_at: 'merges',
} as const

/** A new column that ends in `_at` has to be entered here: without it, this doesn't compile. */
export const instantKinds: {
  [Table in TableWithInstants]: { readonly [Column in InstantColumn<Table>]: InstantKind }
} = {
  todos: {
    ...ofSyncedRow,
    title_at: 'merges',
    completed_at: 'stays',
    completed_changed_at: 'merges',
    due_day_at: 'merges',
    remind_at: 'stays',
    remind_changed_at: 'merges',
    reminded_at: 'stays',
    list_id_at: 'merges',
    position_at: 'merges',
    parent_id_at: 'merges',
    note_at: 'merges',
    priority_at: 'merges',
    estimate_at: 'merges',
    repeat_at: 'merges',
    tags_at: 'merges',
  },
  todo_tags: { changed_at: 'merges' },
  todo_days: { changed_at: 'merges', moved_at: 'merges', imported_at: 'merges' },
  tag_changes: { changed_at: 'merges' },
  lists: {
    ...ofSyncedRow,
    name_at: 'merges',
    color_at: 'merges',
    position_at: 'merges',
    sort_at: 'merges',
    archived_at: 'stays',
    archive_changed_at: 'merges',
  },
  habits: {
    ...ofSyncedRow,
    name_at: 'merges',
    start_at: 'merges',
    description_at: 'merges',
    position_at: 'merges',
    archived_at: 'stays',
    archive_changed_at: 'merges',
    reminder_changed_at: 'merges',
  },
  rhythms: { rhythm_at: 'merges', frequency_at: 'merges', target_at: 'merges' },
  completions: { changed_at: 'merges', note_at: 'merges', imported_at: 'merges' },
  // When an amount was entered decides which set of its day counts.
  amounts: { ...ofSyncedRow, created_at: 'merges' },
  pauses: { ...ofSyncedRow, from_day_at: 'merges', to_day_at: 'merges' },
  focus_sessions: {
    ...ofSyncedRow,
    subject_at: 'merges',
    started_at: 'stays',
    ended_at: 'stays',
    time_at: 'merges',
  },
  focus_timers: { changed_at: 'merges' },
  preferences: {
    time_zone_at: 'merges',
    day_start_at: 'merges',
    week_start_at: 'merges',
    theme_at: 'merges',
    todos_sort_at: 'merges',
    start_page_at: 'merges',
    focus_plan_at: 'merges',
  },
  imports: { made_at: 'stays', undone_at: 'stays' },
  alarms: { due_at: 'stays' },
  deliveries: { due_at: 'stays', send_at: 'stays' },
  push_devices: { added_at: 'stays', last_at: 'stays' },
  closed_accounts: { closed_at: 'stays' },
}

/** Rows whose changes merge by instants. */
export interface MergedTable {
  table: UserTable
  /** The columns by which these instants are known. */
  instants: readonly string[]
  /** The rest of its primary key, after `user_id`. */
  key: readonly string[]
  /** What a change of its rows changes for clients. */
  collections: readonly string[]
  /** The habit whose stored sums are made of its rows. */
  habit: string | undefined
}

const places: readonly (Pick<MergedTable, 'key' | 'collections'> & {
  table: TableWithInstants
  habit?: string
})[] = [
  { table: 'preferences', key: [], collections: ['preferences'] },
  { table: 'lists', key: ['id'], collections: ['lists'] },
  { table: 'tag_changes', key: ['tag', 'changed_at'], collections: ['todos'] },
  { table: 'todo_tags', key: ['todo_id', 'tag', 'changed_at'], collections: ['todos'] },
  { table: 'todo_days', key: ['todo_id', 'day'], collections: ['todos'] },
  { table: 'todos', key: ['id'], collections: ['todos'] },
  { table: 'rhythms', key: ['habit_id', 'from_day'], collections: ['habits'] },
  { table: 'completions', key: ['habit_id', 'day'], collections: ['habits'] },
  { table: 'amounts', key: ['id'], collections: ['habits'], habit: 'habit_id' },
  { table: 'pauses', key: ['id'], collections: ['pauses', 'habits'] },
  { table: 'habits', key: ['id'], collections: ['habits'] },
  { table: 'focus_timers', key: [], collections: ['focus'] },
  { table: 'focus_sessions', key: ['id'], collections: ['focus', 'habits'], habit: 'habit_id' },
]

export const mergedTables: readonly MergedTable[] = places.map(({ table, key, collections, habit }) => ({
  table,
  instants: Object.entries<InstantKind>(instantKinds[table]).flatMap(([column, kind]) =>
    kind === 'merges' ? [column] : [],
  ),
  key,
  collections,
  habit,
}))
