import type { Fields } from '#platform/wire/synced-row.ts'
import type { ReadState } from '../local-store/local-store.ts'
import type { Collection } from './collection.ts'
import { type ServerSnapshot, snapshotOf } from './server-snapshot.ts'

/** So many rows are read at once: a slow device takes some 25 ms for them. */
const sliceLength = 500

/**
 * Reads a response of thousands of rows in slices, between which the page can answer the person. `stored`: the response as the
 * local store is to keep it, without what `rows` fills in anyway, because storing takes long too. Rejects if the read is
 * cancelled meanwhile: a later one is on its way.
 */
export async function readInSlices<Row, Totals>(
  collection: Collection<Row, Totals>,
  response: object,
  read: ReadState,
  signal: AbortSignal,
): Promise<{ snapshot: ServerSnapshot<Row, Totals>; stored: object }> {
  const { array = '', fields = {} } = collection.long ?? {}
  const all: unknown = Reflect.get(response, array)
  if (!Array.isArray(all)) return { snapshot: snapshotOf(collection, response, read), stored: response }
  const rows: Row[] = []
  const stored: unknown[] = []
  const shared = new Map<string, unknown>()
  for (let from = 0; from < all.length; from += sliceLength) {
    await nextTurn()
    signal.throwIfAborted()
    const slice: unknown[] = all.slice(from, from + sliceLength)
    for (const row of collection.rows({ ...response, [array]: slice })) {
      shareObjects(row, shared)
      rows.push(row)
    }
    stored.push(...slice.map((row) => withoutDefaults(fields, row)))
  }
  const snapshot = { rows, totals: collection.totals?.(response), ...read }
  return { snapshot, stored: { ...response, [array]: stored } }
}

/** Gives the row the same objects as rows before it, where they are equal: what is derived from such an object is computed once. */
function shareObjects(row: unknown, shared: Map<string, unknown>): void {
  if (typeof row !== 'object' || row === null) return
  for (const name of Object.keys(row)) {
    const value: unknown = Reflect.get(row, name)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    const key = JSON.stringify(value)
    if (shared.has(key)) Reflect.set(row, name, shared.get(key))
    else shared.set(key, value)
  }
}

/** Lets the page answer what has come up meanwhile. A message, because messages arrive even while a test stops the clock. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      // An open port is never garbage-collected.
      port1.close()
      resolve()
    }
    port2.postMessage(0)
  })
}

/** The row without the values that `localShape` gives to fields that are left out. Most fields of most rows have them. */
function withoutDefaults(fields: Fields, row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row
  const rest: Record<string, unknown> = {}
  for (const name of Object.keys(row)) {
    const value: unknown = Reflect.get(row, name)
    const whenMissing = fields[name]?.whenMissing
    if (value !== whenMissing && !(isEmpty(value) && isEmpty(whenMissing))) rest[name] = value
  }
  return rest
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
