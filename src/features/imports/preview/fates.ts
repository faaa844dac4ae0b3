import type { ReadRow } from '../reading/reading.ts'
import type { ImportCounts } from './import-counts.ts'

/**
 * What the import does with a row of the file: 'there' means that the account already has the row. Each row has exactly one fate.
 */
export type Fate = 'new' | 'there' | 'changed' | 'refused'

export interface FatedRow {
  row: ReadRow
  fate: Fate
  /** The id of the row in Daymark. For a day of a habit, the habit's id and the day. */
  target?: string
}

/**
 * Decides the fate of each row. The import never overwrites a row of the account, so the contents of such rows are not compared.
 */
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
