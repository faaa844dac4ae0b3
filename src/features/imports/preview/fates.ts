import type { ReadRow } from '../reading/reading.ts'
import type { ImportCounts } from './import-counts.ts'

/** What becomes of a row of the file: together they are all of its rows. */
export type Fate = 'new' | 'there' | 'changed' | 'refused'

export interface FatedRow {
  row: ReadRow
  fate: Fate
  /** The id of what it becomes, with the day if it is one of a habit. */
  target?: string
}

/** What is there is never overwritten, so it does not matter how else it would have come. */
export function fatesOf(
  { rows, targets }: { rows: readonly ReadRow[]; targets: readonly (string | undefined)[] },
  isNew: ReadonlySet<string>,
): FatedRow[] {
  return rows.map((row, place) => {
    const target = targets[place]
    if (target === undefined) return { row, fate: 'refused' }
    if (!isNew.has(target)) return { row, fate: 'there', target }
    return { row, fate: row.changed.length > 0 ? 'changed' : 'new', target }
  })
}

export function countFates(rows: readonly FatedRow[]): ImportCounts {
  const count = (fate: Fate) => rows.filter((row) => row.fate === fate).length
  return {
    in: rows.length,
    created: count('new'),
    there: count('there'),
    changed: count('changed'),
    refused: count('refused'),
  }
}
