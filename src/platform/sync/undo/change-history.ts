import type { OverlaidWrite } from '../collections/overlay.ts'
import type { QueueWrite, Write } from '../collections/write.ts'
import type { NewQueuedWrite } from '../local-store/queued-write.ts'

/** A write made in this tab. Its timestamp is only certain once the write is stored. */
export interface OwnWrite {
  made: NewQueuedWrite
}

/** A write that the person made, with all that is needed to find out later what it changed. */
export interface RecordedWrite<Row = unknown> extends OwnWrite {
  write: Write<Row, unknown>
  vars: unknown
  /** The server's rows when the write was made, without the writes that were waiting. */
  base: readonly Row[]
  /** The writes that were waiting when this one was made, in order. */
  queued: readonly OverlaidWrite[]
}

/** What a screen says about a change, and how it reacts when the change is undone or redone. */
export interface ChangeNotice {
  /** What was done, such as 'Task deleted'. */
  title: string
  /** The name of what was changed. */
  description: string
  /** Id of the toast that offers to undo the change. */
  toastId: string
  /** Called after the change was undone; `onRedone` after it was redone. */
  onUndone?: (() => void) | undefined
  onRedone?: (() => void) | undefined
  /**
   * Performs the undo and redo itself, where the rows known to this device are not enough. `part`: the part of each row that it
   * writes.
   */
  by?: (Record<Direction, (write: QueueWrite) => void> & { part: string }) | undefined
}

/** All writes of one action of the person. */
export interface Change {
  writes: readonly RecordedWrite[]
  notice: ChangeNotice | undefined
}

export type Direction = 'undo' | 'redo'

/** A request to undo or redo a change, or the last change if `change` is left out. */
export interface UndoRequest {
  direction: Direction
  change?: Change
}

const mostChanges = 20

/**
 * The person's last changes in this tab, and the changes that they have undone. The history only records changes: `plan-undo.ts`
 * works out what a change did when it is to be undone.
 */
export class ChangeHistory {
  #done: readonly Change[] = []
  #undone: readonly Change[] = []
  /** The change that collects all writes of the current turn of the event loop. */
  #current: { writes: RecordedWrite[]; notice: ChangeNotice | undefined } | undefined
  /** The write that last undid or redid a part of a row, by row and part. */
  readonly lastTakenBack = new Map<string, OwnWrite>()
  #requests: readonly UndoRequest[] = []
  #listeners = new Set<() => void>()
  #beforeRowsChange = new Set<(ids: readonly string[]) => void>()

  /** Adds a write to the current change. `stored` resolves with false if the device could not store the write. */
  record(write: RecordedWrite, stored: Promise<boolean>): void {
    const change = this.#begun()
    change.writes.push(write)
    void stored.then((isStored) => {
      if (isStored) return
      change.writes.splice(change.writes.indexOf(write), 1)
      if (change.writes.length === 0) this.#forget(change)
    })
  }

  /** Describes the change that was made in this turn of the event loop. Returns the change. */
  describeChange(notice: ChangeNotice): Change | undefined {
    if (this.#current) this.#current.notice = notice
    return this.#current
  }

  /** The change that would be undone or redone next. */
  next(direction: Direction): Change | undefined {
    return (direction === 'undo' ? this.#done : this.#undone).at(-1)
  }

  /** Whether a change can still be undone or redone; old changes are forgotten. */
  has(direction: Direction, change: Change): boolean {
    return (direction === 'undo' ? this.#done : this.#undone).includes(change)
  }

  /** Marks a change as undone or redone, so that it can be redone or undone next. */
  turn(direction: Direction, change: Change): void {
    this.#forget(change)
    if (direction === 'undo') this.#undone = [...this.#undone, change]
    else this.#done = [...this.#done, change].slice(-mostChanges)
  }

  /** Every write of this tab that may still be undone or redone, and the writes by which earlier ones were undone or redone. */
  *own(): Iterable<OwnWrite> {
    for (const { writes } of [...this.#done, ...this.#undone]) yield* writes
    yield* this.lastTakenBack.values()
  }

  clear(): void {
    this.lastTakenBack.clear()
    this.#done = []
    this.#undone = []
    this.#current = undefined
    this.#requests = []
  }

  /** Asks for an undo or redo. The request waits until the code that performs it has been fetched. */
  request(request: UndoRequest): void {
    this.#requests = [...this.#requests, request]
    for (const listener of this.#listeners) listener()
  }

  takeRequests(): readonly UndoRequest[] {
    const requests = this.#requests
    this.#requests = []
    return requests
  }

  get hasRequests(): boolean {
    return this.#requests.length > 0
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Calls the listener with the ids of rows that are about to change through an action outside of them. Returns an unsubscribe
   * function.
   */
  beforeRowsChange = (listener: (ids: readonly string[]) => void): (() => void) => {
    this.#beforeRowsChange.add(listener)
    return () => this.#beforeRowsChange.delete(listener)
  }

  announceRows(ids: readonly string[]): void {
    for (const listener of this.#beforeRowsChange) listener(ids)
  }

  #begun() {
    if (this.#current) return this.#current
    const change = { writes: [], notice: undefined }
    this.#current = change
    this.#done = [...this.#done, change].slice(-mostChanges)
    this.#undone = []
    queueMicrotask(() => {
      if (this.#current === change) this.#current = undefined
    })
    return change
  }

  #forget(change: Change): void {
    this.#done = this.#done.filter((other) => other !== change)
    this.#undone = this.#undone.filter((other) => other !== change)
  }
}
