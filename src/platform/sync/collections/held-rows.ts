import type { Aim } from '#platform/browser/rows/note-aim.ts'

interface Row {
  id: string
}

/** The rows of a collection at one moment. */
export interface RowsNow<Of> {
  /** With the queued writes applied on top. */
  rows: readonly Of[]
  /** What the server said last: another one once it has said something else, and undefined until anything is known. */
  server: unknown
  /** The writes of this device that are on top. */
  queued: readonly { id: string; subject: string }[]
}

export interface ShownRows<Of> {
  /** Those to show, each as it is now; of one that is gone, as it was last. In no order: that follows from their places. */
  rows: readonly Of[]
  /** By this, a row is sorted, grouped and left out. */
  placeOf(row: Of): Of
  /** Some row is held. */
  holdsAny: boolean
}

export interface HeldRow<Of> {
  /** As it was when it got its place; undefined if it has none yet, and is not shown. */
  place: Of | undefined
  /** As it is now, or was last. */
  row: Of
  /** It is the person themselves who holds it. */
  own: boolean
}

export const aimLasts = 1_000
export const tickLasts = 600
export const longestWait = 5_000

/**
 * Decides which rows keep their place, so that a press goes where it was aimed. What other devices and imports do to the rows waits
 * while the person aims at them; what the person does takes its place at once, unless they hold the row: one that they tick, or whose
 * title they edit. Only places wait: what is inside of a row is always shown as it is now.
 */
export class HeldRows<Of extends Row> {
  #held = new Map<string, HeldRow<Of>>()
  #now: RowsNow<Of> | undefined
  #shown: ShownRows<Of> | undefined
  /** Since when something done elsewhere waits. */
  #waiting: number | undefined
  /** When the person last held a row. */
  #lastHold = Number.NEGATIVE_INFINITY

  /** The rows have become these. The same answer until there are others, or one is held or let go. */
  follow(next: RowsNow<Of>, aim: Aim, at: number): ShownRows<Of> {
    const last = this.#now
    if (last?.rows !== next.rows || last.server !== next.server || last.queued !== next.queued) {
      if (last) this.#compare(last, next, isAiming(aim, at) ? at : undefined)
      this.#now = next
      this.#shown = undefined
    }
    this.#shown ??= this.#show(next.rows)
    return this.#shown
  }

  /** The person has to do with the row, which is still as it was before what they do to it. */
  hold(row: Of, at: number): void {
    const held = this.#held.get(row.id)
    this.#held.set(row.id, { place: held ? held.place : row, row, own: true })
    this.#lastHold = at
    this.#shown = undefined
  }

  /** The person moves them to other places themselves. */
  release(ids: readonly string[]): void {
    for (const id of ids) this.#held.delete(id)
    this.#shown = undefined
  }

  /**
   * Lets go of those that need not wait any more, and answers which. `edited`: the row in which the person types, which stays until
   * they leave it.
   */
  letGo(aim: Aim, at: number, edited: string | undefined): HeldRow<Of>[] {
    const left = [...this.#held.values()].filter(
      ({ row, own }) => row.id !== edited && at >= this.#until(own, aim),
    )
    if (left.length === 0) return left
    for (const { row } of left) this.#held.delete(row.id)
    this.#shown = undefined
    // One that is edited waits for its editor alone: others that come later have their own five seconds.
    if ([...this.#held.values()].every(({ own, row }) => own || row.id === edited)) this.#waiting = undefined
    return left
  }

  /** The next moment at which one may be let go, if the person does nothing until then; undefined while none is held. */
  nextLook(aim: Aim): number | undefined {
    if (this.#held.size === 0) return undefined
    return Math.min(...[...this.#held.values()].map(({ own }) => this.#until(own, aim)))
  }

  #until(own: boolean, aim: Aim): number {
    if (!own) {
      const longest = (this.#waiting ?? Number.NEGATIVE_INFINITY) + longestWait
      return aim.isDown ? longest : Math.min(Math.max(aim.pointed, aim.typed) + aimLasts, longest)
    }
    const soonest = this.#lastHold + tickLasts
    // On the way to the next row, which would otherwise move up from under the pointer.
    const isOnTheWay = aim.isDown || aim.pointed > this.#lastHold
    if (!isOnTheWay) return soonest
    const longest = this.#lastHold + longestWait
    return aim.isDown ? longest : Math.min(Math.max(aim.pointed + aimLasts, soonest), longest)
  }

  /** `waitsFrom`: what was done elsewhere waits. */
  #compare(last: RowsNow<Of>, next: RowsNow<Of>, waitsFrom: number | undefined): void {
    const known = new Set(last.queued.map(({ id }) => id))
    const isQueued = new Set(next.queued.map(({ id }) => id))
    const written = new Set(next.queued.filter(({ id }) => !known.has(id)).map(({ subject }) => subject))
    for (const id of written) if (this.#held.get(id)?.own === false) this.#held.delete(id)

    const before = new Map(last.rows.map((row) => [row.id, row]))
    // A write that has gone while the server said nothing new was refused.
    const byOthers =
      last.server !== undefined &&
      (last.server !== next.server || last.queued.some(({ id }) => !isQueued.has(id)))
    const wait = (id: string, held: Omit<HeldRow<Of>, 'own'>) => {
      if (!byOthers || waitsFrom === undefined || written.has(id) || this.#held.has(id)) return
      this.#held.set(id, { ...held, own: false })
      this.#waiting ??= waitsFrom
    }
    for (const row of next.rows) {
      const place = before.get(row.id)
      if (place !== row) wait(row.id, { place, row })
      before.delete(row.id)
      const held = this.#held.get(row.id)
      if (held) this.#held.set(row.id, { ...held, row })
    }
    // What is left is gone.
    for (const [id, row] of before) {
      wait(id, { place: row, row })
      if (!byOthers || written.has(id)) this.#held.delete(id)
    }
    if ([...this.#held.values()].every(({ own }) => own)) this.#waiting = undefined
  }

  #show(rows: readonly Of[]): ShownRows<Of> {
    const held = new Map(this.#held)
    const placeOf = (row: Of) => held.get(row.id)?.place ?? row
    if (held.size === 0) return { rows, placeOf, holdsAny: false }
    const shown = rows.filter(({ id }) => !held.has(id))
    for (const { place, row } of held.values()) if (place) shown.push(row)
    return { rows: shown, placeOf, holdsAny: true }
  }
}

function isAiming({ isDown, pointed, typed }: Aim, at: number): boolean {
  return isDown || at - Math.max(pointed, typed) < aimLasts
}
