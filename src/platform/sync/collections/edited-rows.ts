import type { WriteDescription } from '../local-store/queued-write.ts'

/** A row that is open in an editor. */
interface EditedRow {
  id: string
  /** How many editors of the row are open. */
  editors: number
  /** The row as the editor last showed it. */
  row: unknown
  /**
   * After another device deleted the row: the writes to it that are not sent, the last of each kind. Sending one would bring the
   * row back without the person knowing.
   */
  heldBack: Map<string, WriteDescription>
}

/**
 * The rows that are open in an editor in this tab. If another device deletes such a row, it stays as last shown, and what is
 * typed in it is not sent. When the editor closes, the person can have the row back.
 */
export class EditedRows {
  #rows = new Map<string, readonly EditedRow[]>()
  #lastSeen = new Map<string, unknown>()
  #listeners = new Set<() => void>()
  #onLeft: (heldBack: readonly WriteDescription[]) => void

  /** `onLeft` is called when the editor of a deleted row closes, with the writes to the row that were held back. */
  constructor(onLeft: (heldBack: readonly WriteDescription[]) => void) {
    this.#onLeft = onLeft
  }

  /** The edited rows of one collection. Returns the same array until they change. */
  of(collection: string): readonly EditedRow[] {
    return this.#rows.get(collection) ?? none
  }

  /** Called when an editor opens. Returns the function to call when it closes. */
  begin(collection: string, id: string): () => void {
    const open = this.#find(collection, id)
    if (open) open.editors += 1
    else
      this.#set(collection, [...this.of(collection), { id, editors: 1, row: undefined, heldBack: new Map() }])
    return () => this.#end(collection, id)
  }

  /** Remembers the row as an open editor shows it now. */
  remember(collection: string, id: string, row: unknown): void {
    const open = this.#find(collection, id)
    if (open) open.row = row
  }

  /** Holds back a write to a deleted row until the row's editor closes. A later write of the same kind replaces it. */
  holdBack(write: WriteDescription): void {
    this.#find(write.list, write.subject)?.heldBack.set(write.write, write)
  }

  /** Whether text was typed in a row that another device deleted. That text is not stored yet. */
  get isHoldingBack(): boolean {
    return [...this.#rows.values()].some((rows) => rows.some(({ heldBack }) => heldBack.size > 0))
  }

  /** The row as its last editor showed it; undefined if the row was not in an editor. */
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
 * Returns a function that puts edited rows back into their old places when the server no longer has them. It remembers its last
 * result. A row that the person deleted on this device is still among the server's rows, so it is not put back.
 */
export function keepsEdited<Row>() {
  let last: { rows: readonly Row[]; edited: readonly EditedRow[]; server: readonly Row[] } | undefined
  let shown: readonly Row[] = []

  return (rows: readonly Row[], edited: readonly EditedRow[], server: readonly Row[]): readonly Row[] => {
    if (last && last.rows === rows && last.edited === edited && last.server === server) return shown
    last = { rows, edited, server }
    const before = shown
    shown = rows
    for (const { id } of edited) {
      const place = before.findIndex((row) => hasId(row, id))
      const row = before[place]
      const isThere = (other: Row) => hasId(other, id)
      if (row === undefined || rows.some(isThere) || server.some(isThere)) continue
      shown = shown.toSpliced(Math.min(place, shown.length), 0, row)
    }
    return shown
  }
}

export function hasId(row: unknown, id: string): boolean {
  return typeof row === 'object' && row !== null && 'id' in row && row.id === id
}
