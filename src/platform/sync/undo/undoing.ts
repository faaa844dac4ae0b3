import type { Instant } from '#platform/calendar/day.ts'
import type { Collection } from '../collections/collection.ts'
import type { QueueWrite, Write } from '../collections/write.ts'

/** When a change is undone or redone, and the calendar settings that apply. */
export interface Moment {
  now: Instant
  timeZone: string
  /** When the person's day begins, in minutes after midnight. */
  dayStart: number
}

/** What a change did to the rows of one collection. */
export interface RowChanges<Row> {
  added: readonly Row[]
  removed: readonly Row[]
  changed: readonly ChangedRow<Row>[]
}

interface ChangedRow<Row> {
  from: Row
  to: Row
  /** The parts that differ between `from` and `to`. */
  parts: readonly string[]
}

export interface RowToSet<Row> {
  current: Row
  target: Row
  parts: readonly string[]
}

/** What else `set` needs to know. */
export interface Around<Row> {
  /** Every row as it is shown. */
  all: readonly Row[]
  /** All rows that this undo or redo sets. */
  rows: readonly RowToSet<Row>[]
  varsOf: VarsOf<Row>
  moment: Moment
}

/** Returns the variables of every use of this write in the change that is undone. */
export type VarsOf<Row> = <Vars>(write: Write<Row, Vars>) => readonly Vars[]

/** Queues a write. `alsoIn`: the ids of other rows in which the write makes the same change. */
export type QueueUndo = <Row, Vars>(
  write: Write<Row, Vars>,
  vars: Vars,
  alsoIn?: readonly string[],
) => Promise<boolean>

/** How changes to the rows of a collection are undone, as a feature declares it. */
export interface Undoing<Row> {
  collection: Collection<Row>
  idOf(row: Row): string
  nameOf(row: Row): string
  /** What was done, such as 'Task deleted', for a change without a notice from its screen. */
  titleOf(changes: RowChanges<Row>): string
  /**
   * What a person can change in a row. Each part is undone on its own, and only if it still has the value that the change gave
   * it. A part without a value may be left out. Values that the server derives from others are no parts.
   */
  partsOf(row: Row): ReadonlyMap<string, unknown>
  /** Whether the value of this part is unknown because the row does not contain it. */
  hides?(row: Row, part: string): boolean
  /** Whether a row can have this part at all, once its `parts` are as in `target`. */
  canHave?(row: RowToSet<Row>, part: string): boolean
  /** Fills in the hidden parts of a row as they were before or after the change. */
  reveal?(row: Row, when: 'before' | 'after', varsOf: VarsOf<Row>): Row
  /** Rows as they were before the change, taken from the variables of its writes. This device may not have these rows. */
  elsewhere?(varsOf: VarsOf<Row>): readonly Row[]
  /** Parts that may have changed since without keeping an undo from removing the row. */
  incidental?: readonly string[]
  /** Whether the row can be removed without others. `removed`: all rows that are about to be removed. */
  goesAlone?(row: Row, removed: readonly Row[], all: readonly Row[]): boolean
  /** The id of another row whose removal removes this row too; null if there is none. */
  goesWith?(row: Row): string | null
  /** Parts that are written together. They count as one part when the history looks for what last undid them. */
  inseparable?: readonly string[]
  /** Queues writes that give the row's `parts` their values in `target`. Other parts may change with them. */
  set(write: QueueUndo, row: RowToSet<Row>, around: Around<Row>): void
  remove(write: QueueWrite, rows: readonly Row[], moment: Moment): void
  /** Queues writes that restore `rows`, which are as they were when they were removed. */
  restore(write: QueueWrite, rows: readonly Row[], moment: Moment): void
}
