import type { Instant } from '#platform/calendar/day.ts'
import type { Collection } from '../collections/collection.ts'
import type { QueueWrite, Write } from '../collections/write.ts'

/** When a change is undone or redone, and by which calendar. */
export interface Moment {
  now: Instant
  timeZone: string
  /** In minutes after midnight. */
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
  /** The parts that differ. */
  parts: readonly string[]
}

export interface RowToSet<Row> {
  current: Row
  target: Row
  parts: readonly string[]
}

/** What else an undo of rows needs to know. */
export interface Around<Row> {
  /** Every row as it is shown. */
  all: readonly Row[]
  /** All that are set. */
  rows: readonly RowToSet<Row>[]
  varsOf: VarsOf<Row>
  moment: Moment
}

/** What a write was given in the change that is undone. */
export type VarsOf<Row> = <Vars>(write: Write<Row, Vars>) => readonly Vars[]

/** Queues a write. `alsoIn`: the ids of other rows in which it says the same. */
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
  /** What was done, such as 'Task deleted', for a change of which its screen said nothing. */
  titleOf(changes: RowChanges<Row>): string
  /**
   * What a person changes in a row. Each part is undone on its own, and only if it still is what the change made of it. A part
   * without a value may be left out. What the server derives from others is no part.
   */
  partsOf(row: Row): ReadonlyMap<string, unknown>
  /** Whether the row does not say what this part of it is. */
  hides?(row: Row, part: string): boolean
  /** Whether a row can have such a part at all, once `parts` of it are as in `target`. */
  canHave?(row: RowToSet<Row>, part: string): boolean
  /** The row with the parts that it hides as they were before and after the change. */
  reveal?(row: Row, when: 'before' | 'after', varsOf: VarsOf<Row>): Row
  /** Rows that the change had with it because this device may not have them, as they were before. */
  elsewhere?(varsOf: VarsOf<Row>): readonly Row[]
  /** Parts that nobody would miss in a row that is removed. */
  incidental?: readonly string[]
  /** Whether nothing else goes with the row. `removed`: all that are about to be. */
  goesAlone?(row: Row, removed: readonly Row[], all: readonly Row[]): boolean
  /** The id of the row that takes this one with it when it is removed. */
  goesWith?(row: Row): string | null
  /** Parts that are written together, and so count as one when one of them was undone last. */
  inseparable?: readonly string[]
  /** Queues writes that give some parts of a row the values that they have in `target`. Other parts of it may follow. */
  set(write: QueueUndo, row: RowToSet<Row>, around: Around<Row>): void
  remove(write: QueueWrite, rows: readonly Row[], moment: Moment): void
  /** `rows` are as they were when they were removed. */
  restore(write: QueueWrite, rows: readonly Row[], moment: Moment): void
}
