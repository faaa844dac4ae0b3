import type { WriteDescription } from '../local-store/queued-write.ts'

/** A row of which an editor is open. */
interface EditedRow {
  id: string
  /** How many of its editors are open. */
  editors: number
  /** As it was last. */
  row: unknown
  /** Writes to a row that is gone, the last of each kind: each would bring it back, of which its person knows nothing. */
  heldBack: Map<string, WriteDescription>
}

/**
 * The rows that the person has an editor of open in this tab. Deleted on another device, such a row stays as it was last, and what is
 * typed in it is not sent: once its editor is left, they are asked.
 */
export class EditedRows {
  #rows = new Map<string, readonly EditedRow[]>()
  #lastSeen = new Map<string, unknown>()
  #listeners = new Set<() => void>()
  #onLeft: (heldBack: readonly WriteDescription[]) => void

  /** `onLeft`: gets the writes to a row that is gone once its editor is left. */
  constructor(onLeft: (heldBack: readonly WriteDescription[]) => void) {
    this.#onLeft = onLeft
  }

  /** Of one collection; the same array until it changes. */
  of(collection: string): readonly EditedRow[] {
    return this.#rows.get(collection) ?? none
  }

  /** An editor opens. Returns what to call when it closes. */
  begin(collection: string, id: string): () => void {
    const open = this.#find(collection, id)
    if (open) open.editors += 1
    else
      this.#set(collection, [...this.of(collection), { id, editors: 1, row: undefined, heldBack: new Map() }])
    return () => this.#end(collection, id)
  }

  /** An open editor shows the row as it is now. */
  remember(collection: string, id: string, row: unknown): void {
    const open = this.#find(collection, id)
    if (open) open.row = row
  }

  /** Holds a write to a row that is gone until its editor closes, unless a later one takes its place. */
  holdBack(write: WriteDescription): void {
    this.#find(write.list, write.subject)?.heldBack.set(write.write, write)
  }

  /** Whether something was typed in a row that is gone, of which nothing is stored yet. */
  get isHoldingBack(): boolean {
    return [...this.#rows.values()].some((rows) => rows.some(({ heldBack }) => heldBack.size > 0))
  }

  /** The row as the last editor of it showed it; undefined if none did. */
  lastSeen(collection: string, id: string): unknown {
    return this.#lastSeen.get(keyOf(collection, id))
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #end(collection: string, id: string): void {
    const open = this.#find(collection, id)
    if (!open) return
    open.editors -= 1
    if (open.editors > 0) return
    if (open.row !== undefined) this.#lastSeen.set(keyOf(collection, id), open.row)
    this.#set(
      collection,
      this.of(collection).filter((other) => other !== open),
    )
    if (open.heldBack.size > 0) this.#onLeft([...open.heldBack.values()])
  }

  #find(collection: string, id: string): EditedRow | undefined {
    return this.of(collection).find((row) => row.id === id)
  }

  #set(collection: string, rows: readonly EditedRow[]): void {
    this.#rows.set(collection, rows)
    for (const listener of this.#listeners) listener()
  }
}

const none: readonly EditedRow[] = []

function keyOf(collection: string, id: string): string {
  return JSON.stringify([collection, id])
}

/**
 * Returns a function that adds those of the edited rows that were shown and are gone from the server's, each in its place. It remembers
 * what it returned last. A row that the person deleted here is still among the server's, and goes.
 */
export function keepsEdited<Row>() {
  let last: { rows: Row[]; edited: readonly EditedRow[]; server: readonly Row[] } | undefined
  let shown: Row[] = []

  return (rows: Row[], edited: readonly EditedRow[], server: readonly Row[]): Row[] => {
    if (last && last.rows === rows && last.edited === edited && last.server === server) return shown
    last = { rows, edited, server }
    const before = shown
    shown = rows
    for (const { id } of edited) {
      const place = before.findIndex((row) => hasId(row, id))
      const row = before[place]
      const isThere = (other: Row) => hasId(other, id)
      if (row === undefined || rows.some(isThere) || server.some(isThere)) continue
      shown = [...shown]
      shown.splice(Math.min(place, shown.length), 0, row)
    }
    return shown
  }
}

export function hasId(row: unknown, id: string): boolean {
  return typeof row === 'object' && row !== null && 'id' in row && row.id === id
}
