import type { ReadRow } from '#features/imports/reading/reading.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { capitalized, counted } from '#platform/format/words.ts'
import type { Fate, FatedRow } from '../fates.ts'

export interface PreviewLine {
  fate: Fate
  count: number
  /** The first of the rows. */
  rows: readonly ReadRow[]
  /** What kinds of rows are in the line, or why its rows have this fate. */
  summary: string
}

/** How many rows of a line are shown with it, and then with each press, because a file may have a hundred thousand. */
export const rowsAtOnce = 50

/** Always four lines in the same order. Together they count every row of the file. */
export function previewLines(rows: readonly FatedRow[], listsFromNames: number): PreviewLine[] {
  const of = (fate: Fate) => rows.filter((each) => each.fate === fate).map(({ row }) => row)
  const line = (fate: Fate, summaryOf: (all: readonly ReadRow[]) => string): PreviewLine => {
    const all = of(fate)
    return { fate, count: all.length, rows: all.slice(0, rowsAtOnce), summary: summaryOf(all) }
  }
  return [
    line('new', (all) => withLists(formatKinds(all), listsFromNames)),
    line('there', (all) => (all.length > 0 ? 'Left as they are' : '')),
    line('changed', (all) => formatReasons(all.map((row) => row.changed))),
    line('refused', (all) => formatReasons(all.map((row) => [row.refused ?? '']))),
  ]
}

/** How many rows will be written if the person confirms. */
export function countToImport(lines: readonly PreviewLine[]): number {
  return lines
    .filter(({ fate }) => fate === 'new' || fate === 'changed')
    .reduce((sum, { count }) => sum + count, 0)
}

const kinds: Record<ReadRow['what'], string> = {
  task: 'task',
  subtask: 'subtask',
  list: 'list',
  habit: 'habit',
  day: 'day',
  session: 'focus session',
  other: 'other row',
}
const kindNames = Object.keys(kinds) as ReadRow['what'][]

/** The name of a row's kind: 'Focus session'. */
export function kindOf({ what }: ReadRow): string {
  return capitalized(kinds[what])
}

/** Counts rows by kind: '254 tasks, 29 subtasks, 3 lists'. */
function formatKinds(rows: readonly Pick<ReadRow, 'what'>[]): string {
  return kindNames
    .map((what) => ({ what, count: rows.filter((row) => row.what === what).length }))
    .filter(({ count }) => count > 0)
    .map(({ what, count }) => counted(count, kinds[what]))
    .join(', ')
}

/** Adds the number of lists that are made from names. No row of the file is such a list, so they are counted separately. */
function withLists(rows: string, count: number): string {
  if (count === 0) return rows
  const lists = `${counted(count, kinds.list)} made from ${count === 1 ? 'its name' : 'their names'}`
  return rows === '' ? lists : `${rows}; and ${lists}`
}

/** The most reasons that a line names. Opening the line shows the others. */
const mostReasons = 2

/** Summarises reasons, most frequent first: 'The repeat becomes a note (4). The title is cut at 500 letters (2)'. */
export function formatReasons(reasonsOfRows: readonly (readonly string[])[]): string {
  const groups = new Map<string, { said: string; count: number }>()
  for (const reason of reasonsOfRows.flat()) {
    const kind = withoutQuoted(reason)
    const group = groups.get(kind)
    if (!group) groups.set(kind, { said: reason, count: 1 })
    else groups.set(kind, { said: sharedBy(group.said, reason), count: group.count + 1 })
  }
  const sorted = [...groups.values()].sort((one, other) => other.count - one.count)
  const named = sorted
    .slice(0, mostReasons)
    // If all rows share one reason, the line already shows how many rows there are, so the reason needs no number.
    .map(({ said, count }) =>
      count === 1 || sorted.length === 1 ? said : `${said} (${integerFormat.format(count)})`,
    )
  const more = sorted.length - mostReasons
  const rest = more > 0 ? [counted(more, 'other reason')] : []
  return [...named, ...rest].join('. ')
}

/** The reason without numbers and quoted text, so that reasons of one kind are equal. */
function withoutQuoted(reason: string): string {
  return reason.replace(atEnd, '').replace(/"[^"]*"|“[^”]*”|‘[^’]*’|\d[\d.,]*/g, '…')
}

/** A date at the end of a reason: 'The file names no year: read as 20 November 2026'. */
const atEnd = /: (read as )?\d{1,2} \p{Lu}\p{Ll}+( \d{4})?$/u

/** The text for two reasons of one kind. Text quoted from one row is left out, because it does not apply to the other. */
function sharedBy(said: string, reason: string): string {
  if (said === reason) return said
  return said.replace(atEnd, '').replace(/ ("[^"]*"|“[^”]*”|‘[^’]*’)/g, '')
}
