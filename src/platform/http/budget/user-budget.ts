import type { Instant } from '#platform/calendar/day.ts'
import { bytesPerUnit } from '#platform/database/pacing/work.ts'
import { type ErrorResponse, tooManyRequests } from '../request/error-response.ts'
import { type Bounds, usualBounds } from './budget-bounds.ts'
import { LightQueue } from './light-queue.ts'
import { type HeavyWork, type LaneName, newLane, type OutgoingResponse, Slot, waitInQueue } from './slot.ts'

// Limits what one account can use of the server. The cost of a request is counted in units of work
// (`platform/database/pacing/work.ts`). Each process holds a token bucket of units per user in memory. A request is admitted while
// any units are left, and its cost is deducted afterwards. So the bucket may go below zero by the cost of one request, and
// refills from there.

export class UserBudgets {
  readonly #accounts = new Map<string, Account>()
  readonly #clock: () => Instant
  readonly #bounds: Bounds
  #forgottenAt: Instant
  /** Who was seen last, and who before them; on the `performance` clock. */
  #latest = nobody
  #latestOfOthers = nobody

  constructor(clock: () => Instant, bounds: Bounds = usualBounds) {
    this.#clock = clock
    this.#bounds = bounds
    this.#forgottenAt = clock()
  }

  /** The number of users being tracked. */
  get size(): number {
    return this.#accounts.size
  }

  /** Returns the error response for a user whose budget is spent, and undefined for everybody else. */
  refuse(user: string): ErrorResponse | undefined {
    return this.#refuseSpent(this.#accountOf(user))
  }

  /** Runs a request that is little work, such as nearly every write. Many are admitted at once. */
  async light<T>(user: string, respond: () => Promise<T>): Promise<T | ErrorResponse> {
    const account = this.#accountOf(user)
    const error = this.#refuseSpent(account)
    if (error) return error
    if (account.light.size >= this.#bounds.light) return tooManyRequests(1)
    return account.light.run(respond, (units) => {
      account.unitsLeft -= units
    })
  }

  /** Charges for a cached response, which costs only its sending. Returns an error response when the budget is spent. */
  sendCached(user: string, bytes: number): ErrorResponse | undefined {
    const account = this.#accountOf(user)
    const error = this.#refuseSpent(account)
    if (!error) account.unitsLeft -= bytes / bytesPerUnit
    return error
  }

  /**
   * Waits in the queue for a slot (the right to run one heavy request of the user). Resolves with 'gone' when the client did not
   * wait. The slot is released when the client has received the response or disconnected; without `outgoing`, when `release` is
   * called.
   */
  async enter(
    user: string,
    lane: LaneName,
    outgoing?: OutgoingResponse,
  ): Promise<Slot | ErrorResponse | 'gone'> {
    const account = this.#accountOf(user)
    const error = this.#refuseSpent(account)
    if (error) return error
    const { slots: places, queue: line } = this.#bounds
    if (account.slots < places) account.slots += 1
    else if (account.queue.size >= line) return tooManyRequests(1)
    else if (!(await waitInQueue(account, outgoing))) return 'gone'
    const slot = new Slot(account, lane, this.#bounds, outgoing, () => this.#isAlone(user))
    if (outgoing?.destroyed) {
      slot.release()
      return 'gone'
    }
    // Requests ahead in the queue may have spent the budget.
    const spent = this.#refuseSpent(account)
    if (spent) slot.release()
    return spent ?? slot
  }

  /** Notes that the user is there. `#latestOfOthers` is always of somebody other than the user of `#latest`. */
  #see(user: string): void {
    if (this.#latest.user !== user) this.#latestOfOthers = this.#latest
    this.#latest = { user, at: performance.now() }
  }

  /**
   * Whether nobody else has sent a request or had work under way for a while. Called after each stretch of the user's work, so it also
   * notes that the user is still there.
   */
  #isAlone(user: string): boolean {
    this.#see(user)
    return performance.now() - this.#latestOfOthers.at > this.#bounds.aloneAfter
  }

  #accountOf(user: string): Account {
    const now = this.#clock()
    this.#see(user)
    const existing = this.#accounts.get(user)
    if (existing) {
      existing.unitsLeft = this.#leftAt(existing, now)
      existing.at = now
      return existing
    }
    if (Math.abs(now - this.#forgottenAt) >= forgetEvery) this.#forget(now)
    const account: Account = {
      unitsLeft: this.#bounds.capacity,
      at: now,
      light: new LightQueue(this.#bounds),
      slots: 0,
      queue: new Set(),
      lanes: { reads: newLane(), writes: newLane() },
    }
    this.#accounts.set(user, account)
    return account
  }

  /** The units left at `now`. A clock that was set back refills nothing. */
  #leftAt({ unitsLeft: left, at }: Account, now: Instant): number {
    return Math.min(this.#bounds.capacity, left + (Math.max(0, now - at) / 1000) * this.#bounds.perSecond)
  }

  #refuseSpent({ unitsLeft: left }: Account): ErrorResponse | undefined {
    return left > 0 ? undefined : tooManyRequests(Math.floor(-left / this.#bounds.perSecond) + 1)
  }

  /** Drops users whose bucket is full again: a new entry would be the same. */
  #forget(now: Instant): void {
    this.#forgottenAt = now
    for (const [user, account] of this.#accounts) {
      const atRest = account.light.size + account.slots + account.queue.size === 0
      if (atRest && this.#leftAt(account, now) >= this.#bounds.capacity) this.#accounts.delete(user)
    }
  }
}

const nobody = { user: '', at: Number.NEGATIVE_INFINITY }

/** Milliseconds between two clean-ups of the tracked users. */
const forgetEvery = 60_000

interface Account extends HeavyWork {
  /** When `unitsLeft` was computed. */
  at: Instant
  light: LightQueue
}
