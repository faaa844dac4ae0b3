import { replaceEqualDeep } from '@tanstack/react-query'
import type { Collection } from '../collections/collection.ts'
import { createOverlay } from '../collections/overlay.ts'
import type { AnyWrite, Write } from '../collections/write.ts'
import {
  type NewQueuedWrite,
  newQueuedWrite,
  type QueuedWrite,
  type WriteDescription,
} from '../local-store/queued-write.ts'
import type { Change, ChangeHistory, Direction, RecordedWrite } from './change-history.ts'
import { type MakersOf, makersOfChange, noteTakenBack, RowMakers } from './makers.ts'
import { learnInstants, madeAfter } from './own-instants.ts'
import type { Moment, QueueUndo, RowChanges, Undoing, VarsOf } from './undoing.ts'

/** The part of the account's sync that an undo needs. */
export interface Rows {
  account: string
  writes: ReadonlyMap<string, AnyWrite>
  changes: ChangeHistory
  outbox: { stored: readonly QueuedWrite[] }
  /** The rows as they are shown. */
  rowsOf<Row>(collection: Collection<Row>): readonly Row[]
  describe<Row, Vars>(write: Write<Row, Vars>, vars: Vars): WriteDescription
  /** Queues a write that is not recorded as a change of its own. */
  queueMade(made: NewQueuedWrite): Promise<boolean>
}

/** What it takes to undo or redo a change. */
export interface UndoPlan {
  /** Says what the change was. */
  title: string
  /** The name of the row if the change was to one row, otherwise empty. */
  description: string
  /** The ids of the rows that change. */
  ids: readonly string[]
  /** Whether anything changes. Nothing does if the rows are already as wanted, or no longer as this change left them. */
  done: boolean
  /** The ids among `ids` whose rows are restored. */
  restored: readonly string[]
  /** The names of rows that have changed since. Their newer values stay. */
  kept: readonly string[]
  /** The names among `kept` whose rows were deleted since. */
  gone: readonly string[]
  /** Queues the writes. Resolves with false if the device could not store one of them. */
  run(): Promise<boolean>
}

interface Task {
  change: Change
  direction: Direction
  moment: Moment
}

/** Plans the undo or redo of a change, for everything that is still as the change left it. `kinds`: one for each collection. */
export function planUndo(rows: Rows, kinds: readonly UndoableCollection[], task: Task): UndoPlan {
  const { change, direction } = task
  learnInstants(rows.changes.own(), rows.outbox.stored)
  const parts = kinds.flatMap((kind) => kind(rows, task) ?? [])
  const { notice } = change
  const by = notice?.by
  const ids = parts.flatMap((part) => part.ids)
  const descriptions = parts.map(({ description }) => description)
  return {
    title: notice?.title ?? parts[0]?.title ?? '',
    description: notice?.description ?? (descriptions.length === 1 ? (descriptions[0] ?? '') : ''),
    ids,
    done: ids.length > 0 || by !== undefined,
    restored: parts.flatMap(({ restored }) => restored),
    kept: by ? [] : parts.flatMap(({ kept }) => kept),
    gone: by ? [] : parts.flatMap(({ gone }) => gone),
    async run() {
      if (by)
        return queueAll(rows, direction, (takingBack) =>
          by[direction](takingBack(makersOfChange(change, by.part, rows.changes))),
        )
      return (await Promise.all(parts.map(({ run }) => run()))).every(Boolean)
    },
  }
}

/** Plans the undo of one collection; undefined if the change did not touch it. */
export type UndoableCollection = (rows: Rows, task: Task) => Omit<UndoPlan, 'done'> | undefined

/** How changes to one collection are undone and redone, from what its feature declares. */
export function undoableCollection<Row>(undoing: Undoing<Row>): UndoableCollection {
  return (rows, { change, direction, moment }) => {
    const recorded = change.writes.filter((each) => isTo(undoing.collection, each))
    if (recorded.length === 0) return undefined
    const varsOf = <Vars>(write: Write<Row, Vars>) =>
      recorded.filter((each) => isBy(write, each)).map(({ vars }) => vars)
    const { before, after } = rowsAround(recorded, { undoing, varsOf, writes: rows.writes })
    const [target, expected] = direction === 'undo' ? [before, after] : [after, before]
    const plan = planOf(undoing, { target, expected, current: rows.rowsOf(undoing.collection) })
    const elsewhere = new Set(undoing.elsewhere?.(varsOf).map(undoing.idOf))
    const did = changesBetween(undoing, before, after)
    const names = [...did.added, ...did.removed, ...did.changed.map(({ to }) => to)].map(undoing.nameOf)
    const { all, remove, restore, set } = plan
    const makers = new RowMakers(undoing, recorded, rows.changes)
    return {
      title: undoing.titleOf(did),
      description: names.length === 1 ? (names[0] ?? '') : '',
      ids: [...remove, ...restore, ...set.map(({ current }) => current)].map(undoing.idOf),
      restored: restore.map(undoing.idOf),
      kept: [...new Set(plan.kept)].map(undoing.nameOf),
      // Rows that this device may not have (`elsewhere`) cannot be assumed to be deleted when they are missing here.
      gone: plan.gone.filter((row) => !elsewhere.has(undoing.idOf(row))).map(undoing.nameOf),
      run: () =>
        queueAll(rows, direction, (takingBack) => {
          const around = { all, rows: set, varsOf, moment }
          if (restore.length > 0) undoing.restore(takingBack(makers.ofRestored(restore)), restore, moment)
          for (const row of set) {
            for (const parts of makers.inGroups(row))
              undoing.set(takingBack(makers.ofParts(row, parts)), { ...row, parts }, around)
          }
          if (remove.length > 0) undoing.remove(takingBack(makers.ofRemoved(remove)), remove, moment)
        }),
    }
  }
}

/** The rows just before and just after a change. */
function rowsAround<Row>(
  recorded: readonly RecordedWrite<Row>[],
  {
    undoing: { collection, idOf, elsewhere, reveal },
    varsOf,
    writes,
  }: { undoing: Undoing<Row>; varsOf: VarsOf<Row>; writes: ReadonlyMap<string, AnyWrite> },
): { before: readonly Row[]; after: readonly Row[] } {
  const [first] = recorded
  if (!first) return { before: [], after: [] }
  const known = createOverlay(collection, writes)(first.base, first.queued)
  const ids = new Set(known.map(idOf))
  const missing = elsewhere?.(varsOf).filter((row) => !ids.has(idOf(row))) ?? []
  const before: readonly Row[] = [...known, ...missing]
  const after = recorded.reduce((rows, { write, vars }) => write.apply(rows, vars), before)
  if (!reveal) return { before, after }
  return {
    before: before.map((row) => reveal(row, 'before', varsOf)),
    after: after.map((row) => reveal(row, 'after', varsOf)),
  }
}

/** Queues writes, each with a timestamp right after the writes of this tab that it takes back. */
async function queueAll(
  rows: Rows,
  by: Direction,
  writeAll: (takingBack: (makersOf: MakersOf) => QueueUndo) => void,
): Promise<boolean> {
  const stored: Promise<boolean>[] = []
  writeAll((makersOf) => (write, vars, alsoIn = []) => {
    const { own, parts } = makersOf(write.subject(vars), write.collection.name, alsoIn)
    const made = madeAfter(own, by, (at) =>
      newQueuedWrite(
        rows.account,
        rows.describe(write, at === undefined ? vars : Object.assign({}, vars, { at })),
      ),
    )
    noteTakenBack(rows.changes, parts, { made })
    const isStored = rows.queueMade(made)
    stored.push(isStored)
    return isStored
  })
  return (await Promise.all(stored)).every(Boolean)
}

function changesBetween<Row>(
  undoing: Undoing<Row>,
  from: readonly Row[],
  to: readonly Row[],
): RowChanges<Row> {
  const { idOf } = undoing
  const [fromById, toById] = [from, to].map((rows) => new Map(rows.map((row) => [idOf(row), row])))
  return {
    added: to.filter((row) => !fromById?.has(idOf(row))),
    removed: from.filter((row) => !toById?.has(idOf(row))),
    changed: from.flatMap((row) => {
      const other = toById?.get(idOf(row))
      const parts = other === undefined || other === row ? [] : partsThatDiffer(undoing, row, other)
      return other === undefined || parts.length === 0 ? [] : [{ from: row, to: other, parts }]
    }),
  }
}

/**
 * Plans how rows get from `expected`, which the change made of them, to `target`. Rows that are no longer as expected are kept.
 */
function planOf<Row>(
  undoing: Undoing<Row>,
  { expected, target, current }: Record<'expected' | 'target' | 'current', readonly Row[]>,
) {
  const { idOf, incidental = [], hides, canHave } = undoing
  const byId = new Map(current.map((row) => [idOf(row), row]))
  const { added, removed, changed } = changesBetween(undoing, expected, target)
  const isSame = (row: Row, other: Row, part: string) =>
    hides?.(row, part) === true || isEqual(undoing.partsOf(row).get(part), undoing.partsOf(other).get(part))
  const kept: Row[] = []
  const gone: Row[] = []

  // A row that is already gone needs no undo. A row that changed since is kept and reported.
  const mayGo = removed.filter((row) => {
    const now = byId.get(idOf(row))
    if (!now) return false
    const isAsExpected = partsThatDiffer(undoing, now, row).every(
      (part) => incidental.includes(part) || isSame(now, row, part),
    )
    if (!isAsExpected) kept.push(now)
    return isAsExpected
  })
  const remove = mayGo.filter((row) => {
    const alone = undoing.goesAlone?.(row, mayGo, current) ?? true
    if (!alone) kept.push(row)
    return alone
  })
  const restore = added.filter((row) => !byId.has(idOf(row)))
  const set = changed.flatMap(({ from, to, parts }) => {
    const now = byId.get(idOf(to))
    if (!now) {
      kept.push(from)
      gone.push(from)
      return []
    }
    const same = { current: now, target: to, parts: parts.filter((part) => isSame(now, from, part)) }
    const ours = same.parts.filter((part) => canHave?.(same, part) ?? true)
    if (parts.some((part) => !ours.includes(part) && !isSame(now, to, part))) kept.push(now)
    return ours.length === 0 ? [] : [{ current: now, target: to, parts: ours }]
  })
  return { remove, restore, set, kept, gone, all: current }
}

function partsThatDiffer<Row>({ partsOf }: Undoing<Row>, one: Row, other: Row): string[] {
  const [parts, others] = [partsOf(one), partsOf(other)]
  return [...new Set([...parts.keys(), ...others.keys()])].filter(
    (part) => !isEqual(parts.get(part), others.get(part)),
  )
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || replaceEqualDeep(one, other) === one
}

function isTo<Row>(collection: Collection<Row>, recorded: RecordedWrite): recorded is RecordedWrite<Row> {
  return recorded.write.collection === collection
}

function isBy<Row, Vars>(
  write: Write<Row, Vars>,
  recorded: RecordedWrite<Row>,
): recorded is RecordedWrite<Row> & { vars: Vars } {
  return recorded.write.name === write.name
}
