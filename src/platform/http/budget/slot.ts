import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { countingInto, countResponseBytes, unitsOf, type Work } from '#platform/database/pacing/work.ts'
import { type Bounds, paced, shortestPause, unitsPerRequest } from './budget-bounds.ts'

/**
 * One of a user's few slots for heavy work, which runs in steps: one step per lane at a time, and no faster than the pace unless the
 * user is alone on the server.
 */
export class Slot {
  readonly #user: HeavyWork
  readonly #lane: Lane
  readonly #otherLane: Lane
  readonly #bounds: Bounds
  readonly #outgoing: OutgoingResponse | undefined
  readonly #isAlone: () => boolean
  #left = false

  constructor(
    user: HeavyWork,
    lane: LaneName,
    bounds: Bounds,
    outgoing: OutgoingResponse | undefined,
    isAlone: () => boolean,
  ) {
    this.#user = user
    this.#lane = user.lanes[lane]
    this.#otherLane = user.lanes[lane === 'reads' ? 'writes' : 'reads']
    this.#bounds = bounds
    this.#outgoing = outgoing
    this.#isAlone = isAlone
    outgoing?.once('close', this.release)
    outgoing?.req.socket.once('close', this.release)
  }

  /**
   * Runs one step, such as an ordinary response or one page of a long one. Where a long step yields to other requests, the pace
   * holds too. Rejects with `ClientGone` when the client has disconnected.
   */
  async step<T>(run: () => Promise<T>): Promise<T> {
    const [user, lane] = [this.#user, this.#lane]
    lane.steps += 1
    const endTurn = await takeTurn(lane, () => this.#left)
    const work: Work = {
      units: unitsPerRequest,
      cpu: 0,
      betweenStretches: async () => {
        endStretch()
        const rest = lane.nextStep - performance.now()
        await (rest >= shortestPause ? pause(rest) : setImmediate())
        this.#endIfLeft()
        begun = performance.now()
      },
    }
    let counted = 0
    let begun = performance.now()
    const endStretch = () => {
      const took = performance.now() - begun
      const rest = took < brief ? 0 : Math.min(longestRest, this.#bounds.rest * took)
      const all = unitsOf(work, this.#bounds.microsecondsPerUnit)
      const units = all - counted
      counted = all
      user.unitsLeft -= units
      // The user's own reads need room, too, while they import.
      lane.nextStep =
        this.#isAlone() && this.#otherLane.steps === 0
          ? begun + took
          : Math.max(paced(begun, units, this.#bounds), begun + took + rest)
    }
    try {
      this.#endIfLeft()
      return await countingInto(work, run)
    } finally {
      endStretch()
      lane.steps -= 1
      endTurn()
      // From here on the server waits for the client.
      this.#outgoing?.setTimeout(this.#bounds.patience)
    }
  }

  #endIfLeft(): void {
    if (this.#left) throw new ClientGone('Nobody waits for the answer')
  }

  /**
   * Returns the parts of a long response, making each part in a separate step. A consumer that stops early ends the source too.
   */
  async *steps(written: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
    const pieces = written[Symbol.asyncIterator]()
    let done = false
    try {
      for (;;) {
        const piece = await this.step(async () => {
          const next = await pieces.next()
          if (!next.done) countResponseBytes(next.value.length)
          return next
        })
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

  readonly release = (): void => {
    if (this.#left) return
    this.#left = true
    this.#outgoing?.off('close', this.release)
    this.#outgoing?.req.socket.off('close', this.release)
    // The first request in the queue takes over the slot.
    const [next] = this.#user.queue
    if (next) next()
    else this.#user.slots -= 1
  }
}

/** The state of one user's heavy work. */
export interface HeavyWork {
  /** Units of work in the user's bucket. */
  unitsLeft: number
  slots: number
  /** Requests waiting for a slot, in order of arrival. */
  queue: Set<() => void>
  lanes: Readonly<Record<LaneName, Lane>>
}

/**
 * Reads have a lane of their own, so that they need not wait for the rests after each request of an import. The user can go on
 * working during the import.
 */
export type LaneName = 'reads' | 'writes'

/** A sequence of one user's steps, which run one after another. */
export interface Lane {
  /** How many steps are under way or wait for their turn. */
  steps: number
  /** Resolves when the most recently requested step has ended. */
  lastStep: Promise<void>
  /** When the next step may begin, on the `performance` clock. */
  nextStep: number
}

export function newLane(): Lane {
  return { steps: 0, lastStep: Promise.resolve(), nextStep: 0 }
}

interface Closing {
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

/** Has a `close` event, which fires when the client has disconnected or received its response. */
export interface OutgoingResponse extends Closing {
  readonly destroyed: boolean
  /** The connection. A response queued behind others on it is not told when the connection closes. */
  readonly req: { readonly socket: Closing }
  setTimeout(milliseconds: number): unknown
}

/** Thrown to end work whose client has disconnected. */
export class ClientGone extends Error {}

/** Milliseconds of work after which no rest is needed: other requests can easily wait that long. */
const brief = 5
/** The longest rest in milliseconds, however busy the machine is. */
const longestRest = 100

/**
 * Waits until the earlier steps of the lane have ended and the next one may begin. Returns the function that ends this step.
 * `gone` tells whether the step's client has disconnected; the step then skips its pause and delays nobody.
 */
async function takeTurn(lane: Lane, gone: () => boolean): Promise<() => void> {
  const before = lane.lastStep
  const { promise, resolve } = Promise.withResolvers<void>()
  lane.lastStep = promise
  await before
  const early = lane.nextStep - performance.now()
  if (early >= shortestPause && !gone()) await pause(early)
  // Requests that arrived meanwhile are served before the next step.
  return () => void setImmediate().then(resolve)
}

/** Resolves with false when the client disconnects before its turn. */
export async function waitInQueue(user: HeavyWork, outgoing: OutgoingResponse | undefined): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const take = () => settle(true)
  const leave = () => settle(false)
  function settle(taken: boolean): void {
    user.queue.delete(take)
    outgoing?.off('close', leave)
    resolve(taken)
  }
  user.queue.add(take)
  outgoing?.once('close', leave)
  if (outgoing?.destroyed) leave()
  return promise
}
