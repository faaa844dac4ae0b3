import { replaceEqualDeep } from '@tanstack/react-query'
import type { Write } from './write.ts'

// What the writes that delete, restore and change rows have in common, for every kind of row.

interface Identified {
  id: string
}

type Declared<Row extends Identified, Vars> = Pick<
  Write<Row, Vars>,
  'name' | 'collection' | 'refusal' | 'text'
>

/** Deletes the row with the id. */
export function deletion<Row extends Identified, Vars extends { id: string; at: string }>(
  declared: Declared<Row, Vars>,
): Write<Row, Vars> {
  return {
    version: 1,
    apply: (rows, { id }) => rows.filter((row) => row.id !== id),
    request: ({ id, at }) => ({
      method: 'DELETE',
      path: `${declared.collection.path}/${id}?at=${encodeURIComponent(at)}`,
    }),
    subject: ({ id }) => id,
    fineWhenGone: true,
    ...declared,
  }
}

interface Restoration<Row extends Identified, Vars> extends Declared<Row, Vars> {
  /** The row as it was when it was deleted. */
  rowOf(vars: Vars): Row
  restores?(row: Row, at: string): Vars
  /** Compares two rows in the order in which the server returns them. */
  order(one: Row, other: Row): number
}

/** Undoes a deletion. */
export function restoration<Row extends Identified, Vars extends { at: string }>({
  rowOf,
  order,
  ...declared
}: Restoration<Row, Vars>): Write<Row, Vars> {
  // The stored variables may be damaged. An error keeps the write on the device: it is not sent for a row without an id.
  const restored = (vars: Vars) => {
    const row = rowOf(vars)
    if (typeof row.id !== 'string') throw new Error(`${declared.name} names no row`)
    return row
  }
  return {
    version: 1,
    apply: (rows, vars) => placed(rows, restored(vars), order),
    request: (vars) => ({
      method: 'POST',
      path: `${declared.collection.path}/${restored(vars).id}/restore?at=${encodeURIComponent(vars.at)}`,
    }),
    subject: (vars) => restored(vars).id,
    ...declared,
  }
}

/** The rows in order with `row` added, unless it is already there. */
export function placed<Row extends Identified>(
  rows: readonly Row[],
  row: Row,
  order: (one: Row, other: Row) => number,
): Row[] {
  return rows.some(({ id }) => id === row.id) ? [...rows] : [...rows, row].sort(order)
}

/**
 * The rows with some fields of one row changed, and `alongside` changed with them. If the fields already have these values, the
 * row stays the same object and is not rendered again.
 */
export function changed<Row extends Identified>(
  rows: readonly Row[],
  id: string,
  changes: NoInfer<Partial<Row>>,
  alongside: NoInfer<Partial<Row>> = {},
): Row[] {
  return rows.map((row) => {
    if (row.id !== id || replaceEqualDeep(row, { ...row, ...changes }) === row) return row
    return { ...row, ...changes, ...alongside }
  })
}
