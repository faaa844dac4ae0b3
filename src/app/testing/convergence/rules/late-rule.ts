import type { Instant } from '#platform/calendar/day.ts'
import type { Arrival } from '../network/arrivals.ts'
import { type Change, childrenEver, type Fields, formatChanges, type ReportedChange } from './rule.ts'
import { renamedTo } from './tag-rule.ts'

// The rule by which a person is told that a change came too late. The change arrived after a later change to the same thing, and
// so never became visible.

/** A change for which the person was told that a later change won. */
export type LateChange = Pick<ReportedChange, 'change' | 'text'>

export interface ArrivedChange extends Change {
  /** The true time at which the change was made. */
  made: Instant
  arrivals: readonly Arrival[]
}

/**
 * Lists the changes whose loss was not reported, and those reported for no reason. `late` are the numbers of the reported
 * changes.
 */
export function lateViolations(
  changes: readonly ArrivedChange[],
  reported: readonly ReportedChange[],
  late: ReadonlySet<number>,
): string[] {
  const unsaved = new Set(reported.map(({ change }) => change))
  const byRow = Map.groupBy(changes, ({ collection, row }) => `${collection} ${row}`)
  const families = childrenEver(changes)
  const children = new Set([...families.values()].flatMap((rows) => [...rows]))
  return changes.flatMap((change) => {
    const ofRow = byRow.get(`${change.collection} ${change.row}`) ?? []
    const { number, row } = change
    if (late.has(number)) {
      const isOfFamily = children.has(row) || families.has(row) || change.deed !== undefined
      const others = isOfFamily ? changes.filter(({ collection }) => collection === change.collection) : ofRow
      if (others.some((other) => mayOutdo(other, change, isOfFamily))) return []
      return [`#${number} was told of as late without a reason, by ${formatChanges(ofRow, late)}`]
    }
    if (unsaved.has(number) || change.arrivals.length === 0) return []
    const names = [...change.fields.keys()].filter((name) => isToldOf(name, change))
    // A subtask may be complete because its parent is. A deleted row silently drops changes that come late, until it is restored.
    if (children.has(row) || ofRow.some(({ kind }) => kind === 'delete' || kind === 'restore')) return []
    return names
      .filter((name) => change.arrivals.every((arrival) => surelyLost(change, name, arrival, ofRow)))
      .map((name) => `#${number} lost ${name} and nobody was told, by ${formatChanges(ofRow, late)}`)
  })
}

/** Whether `other` is later than `change` and may have replaced it before it arrived. */
function mayOutdo(other: Change, change: Change, isOfFamily: boolean): boolean {
  if (other.number === change.number || other.at < change.earliest) return false
  // A person knows what they did later on the same device.
  if (other.device === change.device && other.number > change.number) return isOfSomeDays(other, change)
  if (isOfFamily || other.kind !== 'edit' || change.kind !== 'edit') return true
  return [...change.fields].some(([name, value]) => isOther(other, name, value))
}

/**
 * Whether `other` changes only some of the days that a change unticks together. If the first change is then sent again, the
 * server names the state but not the day. The device reports the change to be on the safe side.
 */
function isOfSomeDays(other: Change, { fields }: Change): boolean {
  const days = [...fields.keys()].filter((name) => /^\d{4}-/.test(name))
  return (
    days.length > 1 &&
    days.some((day) => other.fields.has(day)) &&
    !days.every((day) => other.fields.has(day))
  )
}

/**
 * Whether a change touches the same reported part. Tags are reported together, and so are entries, ticks and skips of days.
 */
function isOther({ fields }: Change, name: string, value: unknown): boolean {
  if (name.startsWith('tag ')) return [...fields.keys()].some((each) => each.startsWith('tag '))
  if (ofDay.test(name)) return [...fields.keys()].some((each) => ofDay.test(each))
  return fields.has(name) && fields.get(name) !== value
}

const ofDay = /^(\d{4}-|skip |entry )/

/** Whether a lost field is reported. Left out are parts without an instant of their own, and changes that no person made. */
function isToldOf(name: string, { kind, fields, deed }: Change): boolean {
  if (kind !== 'edit' || deed !== undefined || name === renamedTo) return false
  if (isAutomatic(fields, name)) return false
  return !/^(\d{4}-|skip |tag |entry |settled by )/.test(name)
}

/** Whether the browser made the change by itself, so that nobody needs to be told. */
export function isAutomatic(fields: Fields, name: string): boolean {
  return name === 'zone' && String(fields.get(name)).endsWith('followed')
}

/**
 * Whether `change` certainly lost a field: a later change with another value had arrived before it, and the person had not
 * replaced the field themselves on the same device.
 */
function surelyLost(
  { number, device, at, fields }: ArrivedChange,
  name: string,
  { from, to, at: arrivedAt }: Arrival,
  ofRow: readonly ArrivedChange[],
): boolean {
  const isReplaced = ofRow.some(
    (other) =>
      other.device === device && other.number > number && other.fields.has(name) && other.made <= arrivedAt,
  )
  if (isReplaced) return false
  const rivals = ofRow.filter((other) => other.number !== number && other.fields.has(name))
  const isThere = ({ arrivals }: ArrivedChange) => arrivals.some((other) => other.to < from)
  const meanwhile = rivals.filter(
    (other) => !isThere(other) && other.arrivals.some((other) => other.from < to && other.to > from),
  )
  const there = rivals.filter(isThere)
  const latest = Math.max(...there.map(({ earliest }) => earliest))
  if (meanwhile.length > 0 || latest <= at) return false
  return there
    .filter((other) => other.at >= latest)
    .every((other) => shownOf(other.fields, name) !== shownOf(fields, name))
}

/** The value that screens show. A time zone looks the same, whether it follows the device or is fixed. */
function shownOf(fields: Fields, name: string): unknown {
  const value = fields.get(name)
  return name === 'zone' ? String(value).split(',')[0] : value
}
