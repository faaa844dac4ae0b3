import type { Instant } from '#platform/calendar/day.ts'
import type { Deed } from './deed.ts'
import { entryField } from './row-fields.ts'

// The rule by which the changes of several devices merge, implemented differently from the product. Here all changes are known at
// once, but not the order in which they reached the server.

/** Milliseconds by which devices that took the time from the server may differ, since servers state the time in whole seconds. */
export const clockTolerance = 1_100

/** A change made by a person. */
export interface Change {
  number: number
  /** The index of the device; undefined for the initial state. */
  device: number | undefined
  /** When the change was made, according to its device. */
  at: Instant
  /** The earliest instant that the change may have: a server replaces an instant in the future by the current time. */
  earliest: Instant
  collection: string
  row: string
  kind: 'add' | 'edit' | 'delete' | 'restore'
  fields: Fields
  /** What the change does to a repeating to-do. */
  deed?: Deed | undefined
  /** When the person pressed undo or redo. The change itself counts as made earlier. */
  pressed?: Instant | undefined
}

/** The visible fields of a row. Each day of a habit is a field, too. */
export type Fields = ReadonlyMap<string, unknown>

/** A change that was reported to the person as not saved. */
export interface ReportedChange {
  change: number
  /** Whether the server failed, rather than refusing the change. */
  failed: boolean
  /** The text that the person recognizes the change by. */
  text: string
}

/** Lists how the final state violates the rule. `end` returns the fields of a row, or undefined if the row is deleted. */
export function violations(
  changes: readonly Change[],
  reported: readonly ReportedChange[],
  end: (collection: string, row: string) => Fields | undefined,
): string[] {
  const unsaved = new Set(reported.map(({ change }) => change))
  const found: string[] = []
  for (const { collection, row } of uniqueRows(changes)) {
    const rowName = rowOf({ collection, row })
    const ofRow = changes.filter((change) => rowOf(change) === rowName)
    const saved = ofRow.filter(({ number }) => !unsaved.has(number))
    const fields = end(collection, row)
    const isThere = (parent: string) => end(collection, parent) !== undefined
    const mayBeUnseen = mayBeGone(ofRow, saved) || mayBeHidden(row, changes, saved, isThere)
    if (fields ? !mayLive(ofRow, saved) : !mayBeUnseen) {
      found.push(`${rowName} ${fields ? 'lives' : 'is gone'}, by ${formatChanges(ofRow, unsaved)}`)
    }
    for (const [name, value] of fields ?? []) {
      const inherited = name === 'completed' ? inheritedCompletions(changes, row) : []
      if (mayHaveValue(name, value, [...ofRow, ...inherited], saved)) continue
      found.push(`${name} of ${rowName} is ${String(value)}, by ${formatChanges(ofRow, unsaved)}`)
    }
  }
  return [...found, ...wronglyReported(changes, reported)]
}

/** Lists changes that their tab no longer shows although no later change has replaced them. */
export function hidden(
  own: readonly Change[],
  changes: readonly Change[],
  reported: readonly ReportedChange[],
  shown: (collection: string, row: string) => Fields | undefined,
): string[] {
  const unsaved = new Set(reported.map(({ change }) => change))
  const found: string[] = []
  for (const { collection, row } of uniqueRows(own)) {
    const rowName = rowOf({ collection, row })
    const ofRow = changes.filter((change) => rowOf(change) === rowName)
    const mine = own.filter((change) => rowOf(change) === rowName && !unsaved.has(change.number))
    const last = mine.at(-1)
    const fields = shown(collection, row)
    if (!last) continue
    // Deleting a parent hides its subtasks, and restoring it shows them as they were then.
    if (mayDependOnParent(row, changes)) continue
    // If the server failed to add the row, requests that were held back may add it or delete it at any time.
    if (ofRow.some(({ kind, number }) => kind === 'add' && unsaved.has(number))) continue
    if (!fields && !ofRow.some(({ kind }) => kind === 'delete'))
      found.push(`${rowName} is not shown, by ${formatChanges(ofRow, unsaved)}`)
    if (
      fields &&
      last.kind === 'delete' &&
      !ofRow.some((each) => each.kind !== 'delete' && mayFollow(each, last))
    ) {
      found.push(`${rowName} is shown, by ${formatChanges(ofRow, unsaved)}`)
    }
    // 'Undo' of a deletion shows the row as it was then, whatever other tabs changed in it, until the row is read again.
    if (ofRow.some(({ kind }) => kind === 'restore')) continue
    for (const [name, value] of fields ?? []) {
      const own = mine.findLast(({ fields }) => fields.has(name))
      const inherited = name === 'completed' ? inheritedCompletions(changes, row) : []
      if (
        !own ||
        [...ofRow, ...inherited].some((each) => each.fields.get(name) === value && mayFollow(each, own))
      )
        continue
      found.push(`${name} of ${rowName} is shown as ${String(value)}, by ${formatChanges(ofRow, unsaved)}`)
    }
  }
  return found
}

/** For each row, the rows that have ever named it as their parent. */
export function childrenEver(changes: readonly Change[]): Map<string, Set<string>> {
  const children = new Map<string, Set<string>>()
  for (const { row, fields } of changes) {
    const parent = fields.get('parent_id')
    if (typeof parent === 'string') children.set(parent, (children.get(parent) ?? new Set<string>()).add(row))
  }
  return children
}

function parentsEver(changes: readonly Change[], row: string): string[] {
  return [...childrenEver(changes)].filter(([, children]) => children.has(row)).map(([id]) => id)
}

/** Completions of all rows that were ever a row's parent, since they may complete the row as well. */
function inheritedCompletions(changes: readonly Change[], row: string): Change[] {
  const parents = parentsEver(changes, row)
  return changes.filter((change) => parents.includes(change.row) && change.fields.get('completed') === 1)
}

/** Whether deleting a parent may have hidden a row. A parent that is there again hides nothing. */
function mayBeHidden(
  row: string,
  changes: readonly Change[],
  saved: readonly Change[],
  isThere: (parent: string) => boolean,
): boolean {
  const parents = parentsEver(changes, row).filter((parent) => !isThere(parent))
  const last = latestOf(saved.filter(({ kind }) => kind !== 'delete'))
  return changes.some(({ row, kind, at }) => parents.includes(row) && kind === 'delete' && at >= last)
}

function mayDependOnParent(row: string, changes: readonly Change[]): boolean {
  const parents = parentsEver(changes, row)
  return changes.some((change) => parents.includes(change.row) && ['delete', 'restore'].includes(change.kind))
}

/** Whether a change may replace another one, or is the same: it is later, as far as the clocks of tabs and devices agree. */
function mayFollow(one: Change, other: Change): boolean {
  if (one.device === other.device && one.number >= other.number) return true
  return one.at >= other.at - clockTolerance
}

function rowOf({ collection, row }: Pick<Change, 'collection' | 'row'>): string {
  return `${collection} ${row}`
}

function uniqueRows(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [rowOf(change), change])).values()]
}

// A change reported as not saved may still have been made, if only its response was lost. So it may count or not.

/** Whether the row may exist: some change is as late as every saved deletion, or no saved change added the row. */
function mayLive(all: readonly Change[], saved: readonly Change[]): boolean {
  // If the server failed to add the row, there was nothing to delete, and a held-back request may still add it.
  if (!saved.some(({ kind }) => kind === 'add')) return true
  const deleted = latestOf(saved.filter(({ kind }) => kind === 'delete'))
  return all.some(({ kind, at }) => kind !== 'delete' && at >= deleted)
}

/** Whether the row may be gone: some deletion is as late as every other saved change, or no saved change added the row. */
function mayBeGone(all: readonly Change[], saved: readonly Change[]): boolean {
  if (!saved.some(({ kind }) => kind === 'add')) return true
  const changed = latestOf(saved.filter(({ kind }) => kind !== 'delete'))
  return all.some(({ kind, at }) => kind === 'delete' && at >= changed)
}

/** Whether a field may have this value: it comes from a change that is as late as every saved change of the field. */
function mayHaveValue(
  name: string,
  value: unknown,
  all: readonly Change[],
  saved: readonly Change[],
): boolean {
  const last = latestOf(saved.filter(({ fields }) => fields.has(name)))
  // Nobody has changed this day of a habit, so it has the value of an untouched day.
  if (last === Number.NEGATIVE_INFINITY && (value === false || value === 'none' || value === '')) return true
  return all.some(({ fields, at }) => fields.has(name) && fields.get(name) === value && at >= last)
}

/**
 * Lists changes reported as not saved for no valid reason. Valid reasons: the server failed, the row or the restored amount entry
 * was deleted later, or the change built on one that failed.
 */
function wronglyReported(changes: readonly Change[], reported: readonly ReportedChange[]): string[] {
  const failed = new Set(reported.flatMap(({ change, failed }) => (failed ? [change] : [])))
  const isJustified = (change: Change) => {
    const ofRow = changes.filter((other) => rowOf(other) === rowOf(change))
    if (ofRow.some(({ kind, at }) => kind === 'delete' && at >= change.earliest)) return true
    const later = ofRow.filter(({ number, at }) => number !== change.number && at >= change.earliest)
    const entries = [...change.fields.keys()].filter((name) => name.startsWith(entryField('')))
    if (entries.some((name) => later.some(({ fields }) => fields.get(name) === false))) return true
    // Without its rule, a to-do has no occurrences that a change could settle.
    return ofRow.some(
      ({ kind, fields, number }) => (kind === 'add' || fields.has('repeat')) && failed.has(number),
    )
  }
  return changes
    .filter(({ number }) => !failed.has(number) && reported.some(({ change }) => change === number))
    .filter((change) => !isJustified(change))
    .map((change) => `reported without a reason: #${change.number} ${formatChanges(changes, failed)}`)
}

function latestOf(changes: readonly Change[]): Instant {
  return changes.reduce((last, { earliest }) => Math.max(last, earliest), Number.NEGATIVE_INFINITY)
}

export function formatChanges(changes: readonly Change[], unsaved: ReadonlySet<number>): string {
  const lines = changes
    .toSorted((a, b) => a.at - b.at)
    .map(({ number, device, at, kind, fields }) => {
      const who = device === undefined ? 'the beginning' : `device ${device}`
      const what = [...fields].map(([name, value]) => `${name}=${String(value)}`).join(' ')
      return `  #${number} ${new Date(at).toISOString()} ${kind} ${what} on ${who}${unsaved.has(number) ? ', reported' : ''}`
    })
  return ['', ...lines].join('\n')
}
