import type { Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

// A device that has read a collection is later sent only the rows that have changed since. So each write tells which rows that are:
// every row whose answer it changes, whether by the row's own columns or by what the answer is made of besides. That is bookkeeping,
// not a change: `updated_at` and the instants that decide whose change wins stay as they are.

/** The ids of the rows that a write changed, by collection. 'any' is for a write that doesn't know them, or changed very many. */
export type ChangedRows = ReadonlyMap<string, ReadonlySet<string> | 'any'>

/** A device that would have to be told of more rows from one write reads the whole collection instead. */
const mostOfOneWrite = 200

const told = new WeakMap<Transaction<Tables>, Map<string, Set<string> | 'any'>>()

/**
 * Tells that a write changed what these rows of a collection look like to a client. A write that tells some rows of a collection
 * must tell all of them; with no ids, it says that it changed none.
 */
export function rowsChanged(tx: Transaction<Tables>, collection: string, ids: Iterable<string>): void {
  const ofWrite = toldBy(tx)
  const known = ofWrite.get(collection) ?? new Set()
  if (known === 'any') return
  for (const id of ids) known.add(id)
  ofWrite.set(collection, known.size > mostOfOneWrite ? 'any' : known)
}

/** Tells that a write may have changed any row of a collection. */
export function anyRowChanged(tx: Transaction<Tables>, collection: string): void {
  toldBy(tx).set(collection, 'any')
}

/** What a write told. Of a collection that it names, but of which it told nothing, any row may have changed. */
export function changedRowsOf(tx: Transaction<Tables>, collections: readonly string[]): ChangedRows {
  const changed = new Map<string, ReadonlySet<string> | 'any'>(toldBy(tx))
  for (const collection of collections) if (!changed.has(collection)) changed.set(collection, 'any')
  return changed
}

/** How many rows a write told; undefined if it may have changed any row of a collection. */
export function numberOfRows(changed: ChangedRows): number | undefined {
  let sum = 0
  for (const ids of changed.values()) {
    if (ids === 'any') return undefined
    sum += ids.size
  }
  return sum
}

function toldBy(tx: Transaction<Tables>): Map<string, Set<string> | 'any'> {
  const before = told.get(tx)
  if (before) return before
  const ofWrite = new Map<string, Set<string> | 'any'>()
  told.set(tx, ofWrite)
  return ofWrite
}
