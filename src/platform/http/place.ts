import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { countingInto, type Work } from '#platform/database/work.ts'
import { type Bounds, bytesAnswered, ofRequest, paced, shortest } from './budget-bounds.ts'

/** Of a user's few, in which heavy work is done step by step: one step of the user at a time, and no faster than the pace. */
export class Place {
  readonly #user: HeavyWork
  readonly #bounds: Bounds
  readonly #answering: Answering | undefined
  #left = false

  constructor(user: HeavyWork, bounds: Bounds, answering: Answering | undefined) {
    this.#user = user
    this.#bounds = bounds
    this.#answering = answering
    answering?.once('close', this.leave)
    answering?.req.socket.once('close', this.leave)
  }

  /**
   * One step, such as an ordinary answer or a page of a long one. What it does between two stretches of its work is paced
   * too. Rejects with `ClientGone` when nobody is there to take the answer.
   */
  async step<T>(run: () => Promise<T>): Promise<T> {
    const user = this.#user
    const endTurn = await takeTurn(user, () => this.#left)
    const work: Work = {
      units: ofRequest,
      betweenStretches: async () => {
        endStretch()
        const rest = user.nextStep - performance.now()
        await (rest >= shortest ? pause(rest) : setImmediate())
        this.#endIfLeft()
        begun = performance.now()
      },
    }
    let counted = 0
    let begun = performance.now()
    const endStretch = () => {
      const took = performance.now() - begun
      const rest = took < brief ? 0 : Math.min(longestRest, this.#bounds.rest * took)
      const units = work.units - counted
      counted = work.units
      user.left -= units
      user.nextStep = Math.max(paced(begun, units, this.#bounds), begun + took + rest)
    }
    try {
      this.#endIfLeft()
      return await countingInto(work, run)
    } finally {
      endStretch()
      endTurn()
      // From here on the client is waited for.
      this.#answering?.setTimeout(this.#bounds.patience)
    }
  }

  #endIfLeft(): void {
    if (this.#left) throw new ClientGone('Nobody waits for the answer')
  }

  /** The pieces of a long answer, each made in a step of its own. Whoever leaves half-way ends what makes them. */
  async *steps(written: AsyncIterable<string>): AsyncGenerator<string> {
    const pieces = written[Symbol.asyncIterator]()
    let done = false
    try {
      for (;;) {
        const piece = await this.step(async () => this.#count(await pieces.next()))
        if (piece.done) {
          done = true
          return
        }
        yield piece.value
      }
    } finally {
      if (!done) await pieces.return?.()
    }
  }

  readonly leave = (): void => {
    if (this.#left) return
    this.#left = true
    this.#answering?.off('close', this.leave)
    this.#answering?.req.socket.off('close', this.leave)
    // Whoever is first in the line takes the place over.
    const [next] = this.#user.line
    if (next) next()
    else this.#user.places -= 1
  }

  #count<Piece extends IteratorResult<string, unknown>>(piece: Piece): Piece {
    if (!piece.done) this.#user.left -= piece.value.length / bytesAnswered
    return piece
  }
}

/** What is known of the heavy work of one user. */
export interface HeavyWork {
  /** Units of work in the user's bucket. */
  left: number
  places: number
  /** Those who wait for a place, in the order in which they came. */
  line: Set<() => void>
  /** Ends when the last step that was asked for has ended. */
  lastStep: Promise<void>
  /** When the next one may begin, on the clock of `performance`. */
  nextStep: number
}

interface Closing {
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

/** What tells that the client has gone, or has been answered. */
export interface Answering extends Closing {
  readonly destroyed: boolean
  /** An answer behind others of its connection does not hear that the connection has ended. */
  readonly req: { readonly socket: Closing }
  setTimeout(milliseconds: number): unknown
}

/** Ends work whose client has gone. */
export class ClientGone extends Error {}

/** Milliseconds for which others may well wait. */
const brief = 5
/** Milliseconds that a rest lasts at most, however busy the machine is. */
const longestRest = 100

/**
 * Waits until the user's steps asked for before have ended and the next one may begin; answers what ends this one.
 * `gone`: nobody waits for it any more, so that it keeps nobody waiting.
 */
async function takeTurn(user: HeavyWork, gone: () => boolean): Promise<() => void> {
  const before = user.lastStep
  const { promise, resolve } = Promise.withResolvers<void>()
  user.lastStep = promise
  await before
  const early = user.nextStep - performance.now()
  if (early >= shortest && !gone()) await pause(early)
  // Whoever else has arrived is answered before the next one.
  return () => void setImmediate().then(resolve)
}

/** False when the client goes before it is their turn. */
export async function inLine(user: HeavyWork, answering: Answering | undefined): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const take = () => settle(true)
  const leave = () => settle(false)
  function settle(taken: boolean): void {
    user.line.delete(take)
    answering?.off('close', leave)
    resolve(taken)
  }
  user.line.add(take)
  answering?.once('close', leave)
  if (answering?.destroyed) leave()
  return promise
}
