import type { MergedTable, RowKind, SyncedTable, UserTable } from '../row-kind.ts'
import type { Tables } from '../tables.ts'

// Which instants decide whose change wins (`docs/merging.md`), in every table with users' rows. For row kinds with declared
// fields, this follows from their declaration.

/**
 * 'merges': the instant orders changes, so while it lies in the future, every change made now would lose.
 * 'stays': the instant only says when something happened or will happen, and decides nothing.
 */
type InstantKind = 'merges' | 'stays'

type OtherTable = Exclude<UserTable, SyncedTable>

type InstantColumn<Table extends OtherTable> = Extract<keyof Tables[Table], `${string}_at`>

type TableWithInstants = {
  [Table in OtherTable]: [InstantColumn<Table>] extends [never] ? never : Table
}[OtherTable]

/** Every column that ends in `_at` has to be listed here, or this doesn't compile. */
export const instantKinds: {
  [Table in TableWithInstants]: { readonly [Column in InstantColumn<Table>]: InstantKind }
} = {
  todo_tags: { changed_at: 'merges' },
  todo_days: { changed_at: 'merges', moved_at: 'merges', imported_at: 'merges' },
  tag_changes: { changed_at: 'merges' },
  rhythms: { rhythm_at: 'merges', frequency_at: 'merges', target_at: 'merges' },
  completions: { changed_at: 'merges', note_at: 'merges', imported_at: 'merges' },
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
  row_changes: { changed_at: 'stays' },
}

const otherTables: readonly (Pick<MergedTable, 'key' | 'collections'> & { table: TableWithInstants })[] = [
  { table: 'preferences', key: [], collections: ['preferences'] },
  { table: 'tag_changes', key: ['tag', 'changed_at'], collections: ['todos'] },
  { table: 'todo_tags', key: ['todo_id', 'tag', 'changed_at'], collections: ['todos'] },
  { table: 'todo_days', key: ['todo_id', 'day'], collections: ['todos'] },
  { table: 'rhythms', key: ['habit_id', 'from_day'], collections: ['habits'] },
  { table: 'completions', key: ['habit_id', 'day'], collections: ['habits'] },
  { table: 'focus_timers', key: [], collections: ['focus'] },
]

/** Every table whose rows merge by instants. */
export function mergedTables(kinds: readonly RowKind[]): MergedTable[] {
  const others = otherTables.map((other) => ({
    ...other,
    instants: Object.entries<InstantKind>(instantKinds[other.table]).flatMap(([column, kind]) =>
      kind === 'merges' ? [column] : [],
    ),
  }))
  return [...others, ...kinds.map(({ mergedTable }) => mergedTable)]
}
