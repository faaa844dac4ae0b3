import type { Instant } from '#platform/calendar/day.ts'
import type { Deed } from './deed.ts'
import { entryField } from './row-fields.ts'

// The rule by which the changes of several devices merge, implemented again and differently from the product: here all
// changes are known at once, but not the order in which they reached the server.

/** In milliseconds. Servers state the time in whole seconds. */
export const clockTolerance = 1_100

/** A change made by a person. */
export interface Change {
  number: number
  /** Undefined for the initial state. */
  device: number | undefined
  /** When it was made, according to its device. */
  at: Instant
  /** The earliest time at which it may count as made: a server counts an instant in the future as now. */
  earliest: Instant
  collection: string
  row: string
  kind: 'add' | 'edit' | 'delete' | 'restore'
  fields: Fields
  /** What it does to a to-do that repeats. */
  deed?: Deed | undefined
  /** When its person pressed for it, if it counts as made earlier: it takes something back. */
  pressed?: Instant | undefined
}

/** The visible fields of a row; a day of a habit is a field, too. */
export type Fields = ReadonlyMap<string, unknown>

/** A change that was reported to the person as not saved. */
export interface ReportedChange {
  change: number
  /** The server failed rather than refusing it. */
  failed: boolean
  /** The text by which the person recognizes it. */
  text: string
}

/** How the final state violates the rule. `end` returns the fields of a row, or undefined if the row is deleted. */
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
    const mayBeUnseen = mayBeGone(ofRow, saved) || mayBeHidden(row, changes, saved)
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

/** Changes of one tab that it no longer shows although no later change has replaced them. */
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
    // Whoever deletes or restores its parent hides it, or shows it as it was then.
    if (mayDependOnParent(row, changes)) continue
    // If the server failed to add the row, it comes and goes with the requests that were held back.
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
    // 'Undo' shows a row as it was when it was deleted, whatever other tabs changed in it, until it is read again.
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

/** The rows that have ever named another one as their parent, by that one. */
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

/** Completions of a row, as they may complete those that have ever been its subtasks. */
function inheritedCompletions(changes: readonly Change[], row: string): Change[] {
  const parents = parentsEver(changes, row)
  return changes.filter((change) => parents.includes(change.row) && change.fields.get('completed') === 1)
}

/** Whether the deletion of a parent may hide a row. */
function mayBeHidden(row: string, changes: readonly Change[], saved: readonly Change[]): boolean {
  const parents = parentsEver(changes, row)
  const last = latestOf(saved.filter(({ kind }) => kind !== 'delete'))
  return changes.some(({ row, kind, at }) => parents.includes(row) && kind === 'delete' && at >= last)
}

function mayDependOnParent(row: string, changes: readonly Change[]): boolean {
  const parents = parentsEver(changes, row)
  return changes.some((change) => parents.includes(change.row) && ['delete', 'restore'].includes(change.kind))
}

/** Whether a change may replace another one or is that one: it is later, as far as the clocks of tabs and devices agree. */
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

// A change reported as not saved may still have been made if only its response was lost, so it may count or not.

/** Some change of the row is as late as every saved deletion, or the row was never reported as saved at all. */
function mayLive(all: readonly Change[], saved: readonly Change[]): boolean {
  // If the server failed to add the row, there was nothing to delete; a held-back request may still arrive and add it.
  if (!saved.some(({ kind }) => kind === 'add')) return true
  const deleted = latestOf(saved.filter(({ kind }) => kind === 'delete'))
  return all.some(({ kind, at }) => kind !== 'delete' && at >= deleted)
}

/** Some deletion of the row is as late as every other saved change, or the row was never added. */
function mayBeGone(all: readonly Change[], saved: readonly Change[]): boolean {
  if (!saved.some(({ kind }) => kind === 'add')) return true
  const changed = latestOf(saved.filter(({ kind }) => kind !== 'delete'))
  return all.some(({ kind, at }) => kind === 'delete' && at >= changed)
}

/** The value comes from a change that is as late as every saved change of the field. */
function mayHaveValue(
  name: string,
  value: unknown,
  all: readonly Change[],
  saved: readonly Change[],
): boolean {
  const last = latestOf(saved.filter(({ fields }) => fields.has(name)))
  // A day of a habit that no one has touched.
  if (last === Number.NEGATIVE_INFINITY && (value === false || value === 'none' || value === '')) return true
  return all.some(({ fields, at }) => fields.has(name) && fields.get(name) === value && at >= last)
}

/**
 * A change may only be reported as not saved if it is older than a deletion of its row, or of the entry of an amount that it brings back,
 * or the server failed, or it built on such a one.
 */
function wronglyReported(changes: readonly Change[], reported: readonly ReportedChange[]): string[] {
  const failed = new Set(reported.flatMap(({ change, failed }) => (failed ? [change] : [])))
  const isJustified = (change: Change) => {
    const ofRow = changes.filter((other) => rowOf(other) === rowOf(change))
    if (ofRow.some(({ kind, at }) => kind === 'delete' && at >= change.earliest)) return true
    const later = ofRow.filter(({ number, at }) => number !== change.number && at >= change.earliest)
    const entries = [...change.fields.keys()].filter((name) => name.startsWith(entryField('')))
    if (entries.some((name) => later.some(({ fields }) => fields.get(name) === false))) return true
    // Without its rule a to-do has no occurrences.
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
