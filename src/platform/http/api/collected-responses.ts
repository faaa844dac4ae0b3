import { usualBounds } from '../budget/budget-bounds.ts'
import type { OutgoingResponse } from '../budget/slot.ts'

/** Characters that wait for the client: whoever makes more of them waits, too. */
const mostHeld = 64 * 1024
/** Characters in all. What does not fit is not made, and to be sent again: no device sends so much at once that it comes to that. */
const mostCollected = 8 * 1024 * 1024

/**
 * The responses of rows of changes that are made side by side, written in the order in which these were sent: as soon as they are
 * made, and no faster than the client reads, which is cut off if it never does. Once it has gone nothing is collected any more, but what it sent is still made.
 */
export class CollectedResponses {
  readonly #rows: CollectedRow[]
  readonly #outgoing: OutgoingResponse | undefined
  /** Which row is being written. */
  #current = 0
  #isDropped = false
  #collected = 0
  #failure: { error: unknown } | undefined
  readonly #ended = Promise.withResolvers<void>()
  #changed = Promise.withResolvers<void>()

  constructor(rows: number, outgoing: OutgoingResponse | undefined) {
    this.#rows = Array.from({ length: rows }, () => ({ responses: [], held: 0, isDone: false }))
    this.#outgoing = outgoing
    outgoing?.setTimeout(usualBounds.patience)
    outgoing?.once('close', this.#drop)
    if (outgoing?.destroyed) this.#drop()
  }

  /** Resolves when nothing of them is held any more. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /**
   * Resolves when there is room for another response of the row, or with false if all responses together are too long. The current row
   * waits for the client, and for no other one.
   */
  async room(row: number): Promise<boolean> {
    while (this.#heldAheadOf(row) > mostHeld) await this.#changed.promise
    return this.#collected <= mostCollected
  }

  add(row: number, response: string): void {
    this.#collected += response.length
    const collected = this.#rows[row]
    if (!collected || this.#isDropped) return
    collected.responses.push(response)
    collected.held += response.length
    this.#tell()
  }

  end(row: number): void {
    const collected = this.#rows[row]
    if (collected) collected.isDone = true
    this.#tell()
  }

  /** Ends what is written with this error. */
  readonly fail = (error: unknown): void => {
    this.#failure = { error }
    this.#tell()
  }

  /** As `changesResponseSchema` has them. */
  async *written(): AsyncGenerator<string> {
    try {
      yield '{"rows":['
      for (const [place, row] of this.#rows.entries()) {
        this.#current = place
        this.#tell()
        yield* this.#writtenRow(row, place === 0 ? '[' : ',[')
      }
      yield ']}'
    } finally {
      this.#drop()
    }
  }

  async *#writtenRow(row: CollectedRow, begin: string): AsyncGenerator<string> {
    let before = begin
    while (row.responses.length > 0 || !row.isDone) {
      if (this.#failure) throw this.#failure.error
      const text = row.responses.splice(0).join(',')
      row.held = 0
      this.#tell()
      if (text === '') await this.#changed.promise
      else {
        yield before + text
        before = ','
      }
    }
    yield before === ',' ? ']' : `${before}]`
  }

  readonly #drop = (): void => {
    this.#isDropped = true
    for (const row of this.#rows) Object.assign(row, { responses: [], held: 0 })
    this.#outgoing?.off('close', this.#drop)
    this.#ended.resolve()
    this.#tell()
  }

  #heldAheadOf(row: number): number {
    if (row === this.#current) return this.#rows[row]?.held ?? 0
    return this.#rows.reduce((sum, { held }) => sum + held, 0)
  }

  #tell(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

interface CollectedRow {
  /** Those that are not written yet. */
  responses: string[]
  /** Their characters. */
  held: number
  isDone: boolean
}
