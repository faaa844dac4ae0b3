import type { Instant } from '#platform/calendar/day.ts'

// The rule by which the changes of several devices merge, said once more and in another way than the product says it:
// here all changes are known at once, and nothing is known of the order in which they reached the server.

/** In milliseconds. Servers say in whole seconds what time it is. */
export const clocksAgree = 1_100

/** A change as a person made it. */
export interface Change {
  number: number
  /** Undefined for what was there at the beginning. */
  device: number | undefined
  /** When it was made, as its device says, */
  at: Instant
  /** and at the earliest: a server takes what it is told of the future for now. */
  earliest: Instant
  list: string
  row: string
  does: 'add' | 'edit' | 'delete' | 'restore'
  fields: Fields
}

/** What can be seen of a row, each field by itself; a day of a habit is a field, too. */
export type Fields = ReadonlyMap<string, unknown>

/** A change that the person was told of as not saved. */
export interface Told {
  change: number
  /** The server failed, rather than refuse it. */
  failed: boolean
  /** The words by which the person knows it. */
  text: string
}

/** In which ways the end is not what the rule says. `end` answers the fields of a row, or undefined where it is deleted. */
export function breaches(
  changes: readonly Change[],
  told: readonly Told[],
  end: (list: string, row: string) => Fields | undefined,
): string[] {
  const unsaved = new Set(told.map(({ change }) => change))
  const found: string[] = []
  for (const { list, row } of uniqueRows(changes)) {
    const of = rowOf({ list, row })
    const ofRow = changes.filter((change) => rowOf(change) === of)
    const saved = ofRow.filter(({ number }) => !unsaved.has(number))
    const fields = end(list, row)
    if (fields ? !mayLive(ofRow, saved) : !mayBeGone(ofRow, saved)) {
      found.push(`${of} ${fields ? 'lives' : 'is gone'}, by ${inWords(ofRow, unsaved)}`)
    }
    for (const [name, value] of fields ?? []) {
      if (mayBe(name, value, ofRow, saved)) continue
      found.push(`${name} of ${of} is ${String(value)}, by ${inWords(ofRow, unsaved)}`)
    }
  }
  return [...found, ...toldWrongly(changes, told)]
}

/** What of the changes of one tab is not seen in it any more, though no later change took its place. */
export function hidden(
  own: readonly Change[],
  changes: readonly Change[],
  told: readonly Told[],
  shown: (list: string, row: string) => Fields | undefined,
): string[] {
  const unsaved = new Set(told.map(({ change }) => change))
  const found: string[] = []
  for (const { list, row } of uniqueRows(own)) {
    const of = rowOf({ list, row })
    const ofRow = changes.filter((change) => rowOf(change) === of)
    const mine = own.filter((change) => rowOf(change) === of && !unsaved.has(change.number))
    const last = mine.at(-1)
    const fields = shown(list, row)
    if (!last) continue
    // Where the server failed to add it, it comes and goes with what was held back.
    if (ofRow.some(({ does, number }) => does === 'add' && unsaved.has(number))) continue
    if (!fields && !ofRow.some(({ does }) => does === 'delete'))
      found.push(`${of} is not shown, by ${inWords(ofRow, unsaved)}`)
    if (
      fields &&
      last.does === 'delete' &&
      !ofRow.some((each) => each.does !== 'delete' && mayFollow(each, last))
    ) {
      found.push(`${of} is shown, by ${inWords(ofRow, unsaved)}`)
    }
    // 'Undo' shows a row as it was when it was deleted, whatever other tabs did to it, until it is read again.
    if (ofRow.some(({ does }) => does === 'restore')) continue
    for (const [name, value] of fields ?? []) {
      const own = mine.findLast(({ fields }) => fields.has(name))
      if (!own || ofRow.some((each) => each.fields.get(name) === value && mayFollow(each, own))) continue
      found.push(`${name} of ${of} is shown as ${String(value)}, by ${inWords(ofRow, unsaved)}`)
    }
  }
  return found
}

/** Whether a change may take the place of another, or is that: later, as well as the clocks of tabs and devices agree. */
function mayFollow(one: Change, other: Change): boolean {
  if (one.device === other.device && one.number >= other.number) return true
  return one.at >= other.at - clocksAgree
}

function rowOf({ list, row }: Pick<Change, 'list' | 'row'>): string {
  return `${list} ${row}`
}

function uniqueRows(changes: readonly Change[]): Change[] {
  return [...new Map(changes.map((change) => [rowOf(change), change])).values()]
}

// What was told as not saved may have been done all the same, when only its answer was lost: it may stand, or not.

/** Some change of it is as late as every deletion that was saved, or it was not said to be saved at all. */
function mayLive(all: readonly Change[], saved: readonly Change[]): boolean {
  // Where the server failed to add it there was nothing to delete; what was held back may still arrive, and add it.
  if (!saved.some(({ does }) => does === 'add')) return true
  const deleted = latestOf(saved.filter(({ does }) => does === 'delete'))
  return all.some(({ does, at }) => does !== 'delete' && at >= deleted)
}

/** Some deletion of it is as late as every other change that was saved, or it never came to be. */
function mayBeGone(all: readonly Change[], saved: readonly Change[]): boolean {
  if (!saved.some(({ does }) => does === 'add')) return true
  const changed = latestOf(saved.filter(({ does }) => does !== 'delete'))
  return all.some(({ does, at }) => does === 'delete' && at >= changed)
}

/** The value is that of a change which is as late as every one of the field that was saved. */
function mayBe(name: string, value: unknown, all: readonly Change[], saved: readonly Change[]): boolean {
  const last = latestOf(saved.filter(({ fields }) => fields.has(name)))
  // A day that nobody did anything about.
  if (last === Number.NEGATIVE_INFINITY && value === false) return true
  return all.some(({ fields, at }) => fields.has(name) && fields.get(name) === value && at >= last)
}

/** Nobody is told that a change was not saved unless it is older than a deletion, or the server failed, or it built on that. */
function toldWrongly(changes: readonly Change[], told: readonly Told[]): string[] {
  const failed = new Set(told.flatMap(({ change, failed }) => (failed ? [change] : [])))
  const rightly = (change: Change) => {
    const ofRow = changes.filter((other) => rowOf(other) === rowOf(change))
    if (ofRow.some(({ does, at }) => does === 'delete' && at >= change.earliest)) return true
    return ofRow.some(({ does, number }) => does === 'add' && failed.has(number))
  }
  return changes
    .filter(({ number }) => !failed.has(number) && told.some(({ change }) => change === number))
    .filter((change) => !rightly(change))
    .map((change) => `told without a reason: #${change.number} ${inWords(changes, failed)}`)
}

function latestOf(changes: readonly Change[]): Instant {
  return changes.reduce((last, { earliest }) => Math.max(last, earliest), Number.NEGATIVE_INFINITY)
}

function inWords(changes: readonly Change[], unsaved: ReadonlySet<number>): string {
  const lines = changes
    .toSorted((a, b) => a.at - b.at)
    .map(({ number, device, at, does, fields }) => {
      const who = device === undefined ? 'the beginning' : `device ${device}`
      const what = [...fields].map(([name, value]) => `${name}=${String(value)}`).join(' ')
      return `  #${number} ${new Date(at).toISOString()} ${does} ${what} on ${who}${unsaved.has(number) ? ', told' : ''}`
    })
  return ['', ...lines].join('\n')
}
