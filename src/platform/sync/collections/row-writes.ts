import { replaceEqualDeep } from '@tanstack/react-query'
import type { Write } from './write.ts'

// What the writes that delete, restore and change rows have in common, for every kind of row.

interface Row {
  id: string
}

type Declared<Of extends Row, Vars> = Pick<Write<Of, Vars>, 'name' | 'collection' | 'refusal' | 'text'>

/** Deletes the row with the id. */
export function deletion<Of extends Row, Vars extends { id: string; at: string }>(
  declared: Declared<Of, Vars>,
): Write<Of, Vars> {
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

interface Restoration<Of extends Row, Vars> extends Declared<Of, Vars> {
  /** The row as it was when it was deleted. */
  rowOf(vars: Vars): Of
  restores?(row: Of, at: string): Vars
  /** Compares two rows in the order in which the server returns them. */
  order(one: Of, other: Of): number
}

/** Undoes a deletion. */
export function restoration<Of extends Row, Vars extends { at: string }>({
  rowOf,
  order,
  ...declared
}: Restoration<Of, Vars>): Write<Of, Vars> {
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
export function placed<Of extends Row>(
  rows: readonly Of[],
  row: Of,
  order: (one: Of, other: Of) => number,
): Of[] {
  return rows.some(({ id }) => id === row.id) ? [...rows] : [...rows, row].sort(order)
}

/**
 * The rows with some fields of one row changed, and `alongside` changed with them. If the fields already have these values, the
 * row stays the same object and is not rendered again.
 */
export function changed<Of extends Row>(
  rows: readonly Of[],
  id: string,
  changes: NoInfer<Partial<Of>>,
  alongside: NoInfer<Partial<Of>> = {},
): Of[] {
  return rows.map((row) => {
    if (row.id !== id || replaceEqualDeep(row, { ...row, ...changes }) === row) return row
    return { ...row, ...changes, ...alongside }
  })
}
