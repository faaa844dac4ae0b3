import { usualBounds } from '../budget/budget-bounds.ts'
import type { OutgoingResponse } from '../budget/slot.ts'

/** Most characters of responses that are held until the client reads them. A row that would exceed the limit waits. */
const mostHeld = 64 * 1024
/**
 * Most characters in all responses together. Changes beyond the limit are not made and have to be sent again; no real device
 * sends that many at once.
 */
const mostCollected = 8 * 1024 * 1024

/**
 * Collects the responses to rows of changes that run in parallel, and writes them in the order in which the rows were sent. Each
 * is written as soon as it exists, but no faster than the client reads. A client that never reads is cut off. After it
 * disconnects, nothing more is collected, but its remaining changes are still made.
 */
export class CollectedResponses {
  readonly #rows: CollectedRow[]
  readonly #outgoing: OutgoingResponse | undefined
  /** Index of the row being written. */
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

  /** Resolves when no more responses are held. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /**
   * Resolves when the row may add another response, or with false when all responses together are too long. The row being
   * written waits only for the client, never for other rows.
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

  /** Makes `written` fail with this error. */
  readonly fail = (error: unknown): void => {
    this.#failure = { error }
    this.#tell()
  }

  /** The body of the response, in the form of `changesResponseSchema`. */
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
  /** Responses that are not written yet. */
  responses: string[]
  /** Total characters of the responses that are not written yet. */
  held: number
  isDone: boolean
}
