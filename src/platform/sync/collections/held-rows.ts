import type { Aim } from '#platform/browser/rows/note-aim.ts'

interface Identified {
  id: string
}

/** The rows of a collection at one moment. */
export interface RowsNow<Row> {
  /** The rows with the queued writes applied on top. */
  rows: readonly Row[]
  /** The server's last response, compared by identity; undefined until anything is known. */
  server: unknown
  /** This device's queued writes that are applied on top. */
  queued: readonly { id: string; subject: string }[]
}

export interface ShownRows<Row> {
  /** The rows to show as they are now, or as they last were if they are gone. Unordered: sort them by `placeOf`. */
  rows: readonly Row[]
  /** The version of the row to sort, group and filter by: an older one while the row is held in its place. */
  placeOf(row: Row): Row
  /** Whether any row is held in its place. */
  holdsAny: boolean
}

export interface HeldRow<Row> {
  /** The row when it got its place; undefined for a new row that has no place yet and is not shown. */
  place: Row | undefined
  /** The row as it is now, or as it last was. */
  row: Row
  /** True if the person's own action holds the row in its place; false if a change made elsewhere has to wait. */
  own: boolean
}

export const aimLasts = 1_000
export const tickLasts = 600
export const longestWait = 5_000

/**
 * Decides which rows keep their place, so that a press hits what it was aimed at. Changes from other devices and imports wait
 * while the person aims at the rows. The person's own changes move rows at once, except a row that they hold by ticking it or
 * editing its title. Only places wait: the contents of a row are always current.
 */
export class HeldRows<Row extends Identified> {
  #held = new Map<string, HeldRow<Row>>()
  #now: RowsNow<Row> | undefined
  #shown: ShownRows<Row> | undefined
  /** Since when a change made elsewhere waits, in milliseconds. */
  #waiting: number | undefined
  /** When the person last held a row, in milliseconds. */
  #lastHold = Number.NEGATIVE_INFINITY

  /** Takes in the current rows. Returns the same object until the rows change or a row is held or let go. */
  follow(next: RowsNow<Row>, aim: Aim, at: number): ShownRows<Row> {
    const last = this.#now
    if (last?.rows !== next.rows || last.server !== next.server || last.queued !== next.queued) {
      if (last) this.#compare(last, next, isAiming(aim, at) ? at : undefined)
      this.#now = next
      this.#shown = undefined
    }
    this.#shown ??= this.#show(next.rows)
    return this.#shown
  }

  /** Holds the row in its place. Call it before the person's change, with the row as it was. */
  hold(row: Row, at: number): void {
    const held = this.#held.get(row.id)
    this.#held.set(row.id, { place: held ? held.place : row, row, own: true })
    this.#lastHold = at
    this.#shown = undefined
  }

  /** Lets go of rows that the person moves to other places. */
  release(ids: readonly string[]): void {
    for (const id of ids) this.#held.delete(id)
    this.#shown = undefined
  }

  /**
   * Lets go of the rows that need not wait any more, and returns them. `edited`: the id of the row in which the person types,
   * which stays until they leave it.
   */
  letGo(aim: Aim, at: number, edited: string | undefined): HeldRow<Row>[] {
    const left = [...this.#held.values()].filter(
      ({ row, own }) => row.id !== edited && at >= this.#until(own, aim),
    )
    if (left.length === 0) return left
    for (const { row } of left) this.#held.delete(row.id)
    this.#shown = undefined
    // A row in an editor waits only for that editor. If no other row waits, the next one gets the full longest wait.
    if ([...this.#held.values()].every(({ own, row }) => own || row.id === edited)) this.#waiting = undefined
    return left
  }

  /** When, in milliseconds, the next held row may be let go if the person does nothing until then; undefined if none is held. */
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
    // The person is on the way to the next row, which must not move away from under the pointer.
    const isOnTheWay = aim.isDown || aim.pointed > this.#lastHold
    if (!isOnTheWay) return soonest
    const longest = this.#lastHold + longestWait
    return aim.isDown ? longest : Math.min(Math.max(aim.pointed + aimLasts, soonest), longest)
  }

  /** `waitsFrom`: since when changes made elsewhere wait; undefined if they apply at once. */
  #compare(last: RowsNow<Row>, next: RowsNow<Row>, waitsFrom: number | undefined): void {
    const known = new Set(last.queued.map(({ id }) => id))
    const isQueued = new Set(next.queued.map(({ id }) => id))
    const written = new Set(next.queued.filter(({ id }) => !known.has(id)).map(({ subject }) => subject))
    for (const id of written) if (this.#held.get(id)?.own === false) this.#held.delete(id)

    // Changes made elsewhere come with a new response. A queued write that is gone without one was refused by the server.
    const byOthers =
      last.server !== undefined &&
      (last.server !== next.server || last.queued.some(({ id }) => !isQueued.has(id)))
    if (byOthers) this.#compareRows(last, next, waitsFrom, written)
    else this.#followHeld(last, next)
    if ([...this.#held.values()].every(({ own }) => own)) this.#waiting = undefined
  }

  /** After the person's own change, only the rows that are held can matter: comparing thousands of others would cost them time. */
  #followHeld(last: RowsNow<Row>, next: RowsNow<Row>): void {
    for (const [id, held] of this.#held) {
      const row = next.rows.find((row) => row.id === id)
      if (row) this.#held.set(id, { ...held, row })
      else if (last.rows.some((row) => row.id === id)) this.#held.delete(id)
    }
  }

  #compareRows(
    last: RowsNow<Row>,
    next: RowsNow<Row>,
    waitsFrom: number | undefined,
    written: ReadonlySet<string>,
  ): void {
    const before = new Map(last.rows.map((row) => [row.id, row]))
    const wait = (id: string, held: Omit<HeldRow<Row>, 'own'>) => {
      if (waitsFrom === undefined || written.has(id) || this.#held.has(id)) return
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
    // The rows left in `before` are no longer in the collection.
    for (const [id, row] of before) {
      wait(id, { place: row, row })
      if (written.has(id)) this.#held.delete(id)
    }
  }

  #show(rows: readonly Row[]): ShownRows<Row> {
    const held = new Map(this.#held)
    const placeOf = (row: Row) => held.get(row.id)?.place ?? row
    if (held.size === 0) return { rows, placeOf, holdsAny: false }
    const shown = rows.filter(({ id }) => !held.has(id))
    for (const { place, row } of held.values()) if (place) shown.push(row)
    return { rows: shown, placeOf, holdsAny: true }
  }
}

function isAiming({ isDown, pointed, typed }: Aim, at: number): boolean {
  return isDown || at - Math.max(pointed, typed) < aimLasts
}
