import type { Arrival } from '../network/arrivals.ts'
import { type ArrivedChange, isAutomatic } from './late-rule.ts'
import { childrenEver, type Fields, formatChanges } from './rule.ts'

// The rules that hold while no clock is reliable: the server's clock is two days ahead and set right again, and the clocks of two
// processes differ. Changes stored meanwhile have future instants. The only certain order is then that in which the changes were
// really made.

/**
 * Milliseconds by which two instants may differ without telling which is later: clocks of processes differ, and devices know
 * them only roughly.
 */
const differs = 6_000
/**
 * Milliseconds. A write that finds instants stored by a wrong clock resets them, one after the other, to about a minute before
 * itself. Changes made closer together than this may therefore end up in either order.
 */
const mends = 100_000

type Shown = (collection: string, row: string) => Fields | undefined

/** Lists changes that are not visible as they were made, though their rows were not changed since. */
export function overruled(
  made: readonly ArrivedChange[],
  all: readonly ArrivedChange[],
  shown: Shown,
): string[] {
  return made.flatMap((change) => {
    const others = all.filter((other) => other.number !== change.number && isOfRow(other, change))
    const isAlone = others.every(
      (other) =>
        other.made < change.made - differs && other.arrivals.every(({ at }) => at < change.made - differs),
    )
    if (change.arrivals.length === 0 || !isAlone || isBelow(change, all)) return []
    const fields = shown(change.collection, change.row)
    const tell = (what: string) =>
      `#${change.number} ${what}, by ${formatChanges([...others, change], noneOf)}`
    if (fields === undefined) return change.kind === 'delete' ? [] : [tell('is gone')]
    if (change.kind === 'delete') return [tell('is not deleted')]
    return [...change.fields]
      .filter(([name, value]) => fields.has(name) && fields.get(name) !== value)
      .map(([name]) => tell(`has not changed ${name} but it is ${String(fields.get(name))}`))
  })
}

/**
 * Lists the last changes to a thing that are not visible and were not reported. `told` are the numbers of the reported
 * changes.
 */
export function lostInSilence(
  all: readonly ArrivedChange[],
  told: ReadonlySet<number>,
  shown: Shown,
): string[] {
  const rows = Map.groupBy(all, ({ collection, row }) => `${collection} ${row}`)
  return [...rows.values()].flatMap((ofRow) => {
    const [first] = ofRow
    if (!first || isBelow(first, all)) return []
    const fields = shown(first.collection, first.row)
    const isThere = lost(ofRow, told, ({ kind }) => kind !== 'delete', fields !== undefined)
    const names = new Set(ofRow.flatMap((change) => [...change.fields.keys()]))
    const parts = [...names].flatMap((name) => {
      if (!fields?.has(name)) return []
      const ofField = ofRow.filter((change) => change.fields.has(name))
      return lost(ofField, told, (change) => change.fields.get(name), fields.get(name))
        .filter((change) => !isAutomatic(change.fields, name))
        .map(({ number }) => `#${number} lost ${name}, which is ${String(fields.get(name))}`)
    })
    const found = [...isThere.map(({ number, kind }) => `#${number} has lost, its ${kind}`), ...parts]
    return found.map((what) => `${what}, by ${formatChanges(ofRow, told)}`)
  })
}

function lost(
  changes: readonly ArrivedChange[],
  told: ReadonlySet<number>,
  wantedBy: (change: ArrivedChange) => unknown,
  is: unknown,
): ArrivedChange[] {
  const latest = Math.max(...changes.map(({ made }) => made))
  const last = changes.filter(({ made }) => made >= latest - differs)
  if (last.some((change) => wantedBy(change) === is)) return []
  const standing = changes.filter((change) => wantedBy(change) === is)
  // A report about a repetition of the change on the same device is enough.
  const isTold = ({ number, device }: ArrivedChange) =>
    last.some((other) => told.has(other.number) && other.device === device && other.number >= number)
  return last.filter((change) => !isTold(change) && !standing.some((other) => mayOutdo(other, change)))
}

/** Whether an earlier change may win over a later one without a report. */
function mayOutdo(one: ArrivedChange, other: ArrivedChange): boolean {
  if (!isMisdated(one) && !isMisdated(other)) return false
  if (one.made >= other.made - mends) return true
  // The device of the earlier change took the server's clock to be two days ahead, so the change counts as made then, whenever
  // it arrives.
  const [first] = other.arrivals
  const isLater = ({ to, at }: Arrival) => first === undefined || to > first.from || at >= other.at - differs
  return isMisdated(one) && one.arrivals.some(isLater)
}

function isMisdated({ at, made }: ArrivedChange): boolean {
  return Math.abs(at - made) > differs
}

/** Whether the row is a subtask, whose state also depends on its parent. */
function isBelow({ row }: ArrivedChange, all: readonly ArrivedChange[]): boolean {
  return [...childrenEver(all).values()].some((children) => children.has(row))
}

function isOfRow(one: ArrivedChange, other: ArrivedChange): boolean {
  return one.collection === other.collection && one.row === other.row
}

const noneOf: ReadonlySet<number> = new Set()
