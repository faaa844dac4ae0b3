import type { OverlaidWrite } from '../collections/overlay.ts'
import type { QueueWrite, Write } from '../collections/write.ts'
import type { NewQueuedWrite } from '../local-store/queued-write.ts'

/** A write of this tab. When it was made, by the server's clock, is known for sure once it is stored. */
export interface OwnWrite {
  made: NewQueuedWrite
}

/** A write as the person made it, with all that is needed to tell later what it changed. */
export interface RecordedWrite<Row = unknown> extends OwnWrite {
  write: Write<Row, unknown>
  vars: unknown
  /** The server's rows at that moment, without the writes that were waiting. */
  base: readonly Row[]
  /** The writes that were waiting then, in order. */
  queued: readonly OverlaidWrite[]
}

/** What a screen says about a change, and what it does when the change is taken back. */
export interface ChangeNotice {
  /** What was done, such as 'Task deleted'. */
  title: string
  /** To what it was done. */
  description: string
  /** The toast that offers to undo it. */
  toastId: string
  /** Called once it was undone, or done again. */
  onUndone?: (() => void) | undefined
  onRedone?: (() => void) | undefined
  /** Does it, where what this device knows of the rows is not enough. `part`: what it writes of each row. */
  by?: (Record<Direction, (write: QueueWrite) => void> & { part: string }) | undefined
}

/** All writes of one action of the person. */
export interface Change {
  writes: readonly RecordedWrite[]
  notice: ChangeNotice | undefined
}

export type Direction = 'undo' | 'redo'

/** Asks to undo or redo one change; without one, the last. */
export interface UndoRequest {
  direction: Direction
  change?: Change
}

const mostChanges = 20

/**
 * The last changes of the person in this tab, and those that they have undone. It only records: `plan-undo.ts` finds out what a
 * change was, once it is to be undone.
 */
export class ChangeHistory {
  #done: readonly Change[] = []
  #undone: readonly Change[] = []
  /** The one that takes in what else the person does in this very turn of the event loop. */
  #current: { writes: RecordedWrite[]; notice: ChangeNotice | undefined } | undefined
  /** By a row and a part of it: what undid or redid that last. */
  readonly lastTakenBack = new Map<string, OwnWrite>()
  #requests: readonly UndoRequest[] = []
  #listeners = new Set<() => void>()
  #beforeRowsChange = new Set<(ids: readonly string[]) => void>()

  /** Adds a write to the change that is being made. `stored` resolves with false if the device could not store it. */
  record(write: RecordedWrite, stored: Promise<boolean>): void {
    const change = this.#begun()
    change.writes.push(write)
    void stored.then((isStored) => {
      if (isStored) return
      change.writes.splice(change.writes.indexOf(write), 1)
      if (change.writes.length === 0) this.#forget(change)
    })
  }

  /** Says what the change is that was just made, in the same turn. Returns that change. */
  describeChange(notice: ChangeNotice): Change | undefined {
    if (this.#current) this.#current.notice = notice
    return this.#current
  }

  /** The change that would be undone or redone next. */
  next(direction: Direction): Change | undefined {
    return (direction === 'undo' ? this.#done : this.#undone).at(-1)
  }

  /** Whether a change can still be undone or redone: of old ones nothing is known any more. */
  has(direction: Direction, change: Change): boolean {
    return (direction === 'undo' ? this.#done : this.#undone).includes(change)
  }

  /** From now on it can be done the other way. */
  turn(direction: Direction, change: Change): void {
    this.#forget(change)
    if (direction === 'undo') this.#undone = [...this.#undone, change]
    else this.#done = [...this.#done, change].slice(-mostChanges)
  }

  /** Every write of this tab that may still be taken back, and what took some back before. */
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

  /** The part that undoes is not sent with the page: requests wait for it. */
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

  /** The listener is called with the ids of rows that are about to change by what was done elsewhere than in them. */
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
