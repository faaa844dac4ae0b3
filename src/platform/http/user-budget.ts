import type { Instant } from '#platform/calendar/day.ts'
import { type Bounds, bytesAnswered, usualBounds } from './budget-bounds.ts'
import { LightLine } from './light-line.ts'
import { type Answering, type HeavyWork, inLine, Place } from './place.ts'
import { type Refusal, tooManyRequests } from './refusal.ts'

// One account must not take the server away from the others. What a request costs is counted in units of work
// (`platform/database/work.ts`), and each user has a token bucket of them, in the memory of each process. A request is let
// in while anything is left, and what it came to is taken out afterwards: the bucket may go below nothing by what one
// request costs, and fills up again from there.

export class UserBudgets {
  readonly #accounts = new Map<string, Account>()
  readonly #clock: () => Instant
  readonly #bounds: Bounds
  #forgottenAt: Instant

  constructor(clock: () => Instant, bounds: Bounds = usualBounds) {
    this.#clock = clock
    this.#bounds = bounds
    this.#forgottenAt = clock()
  }

  /** Users that anything is known of. */
  get size(): number {
    return this.#accounts.size
  }

  /** A request that is little work, such as nearly every write: a great many are let in at once. */
  async light<T>(user: string, answer: () => Promise<T>): Promise<T | Refusal> {
    const account = this.#accountOf(user)
    const refusal = this.#refuseSpent(account)
    if (refusal) return refusal
    if (account.light.size >= this.#bounds.light) return tooManyRequests(1)
    return account.light.answer(answer, (units) => {
      account.left -= units
    })
  }

  /** Bytes are sent that were ready: they cost their sending alone. */
  sendReady(user: string, bytes: number): Refusal | undefined {
    const account = this.#accountOf(user)
    const refusal = this.#refuseSpent(account)
    if (!refusal) account.left -= bytes / bytesAnswered
    return refusal
  }

  /**
   * A place for a request that may be much work; it waits in line for one. `gone`: the client did not wait. A place is left
   * when the answer was taken, or nobody is there to take it; without `answering`, when `leave` is called.
   */
  async enter(user: string, answering?: Answering): Promise<Place | Refusal | 'gone'> {
    const account = this.#accountOf(user)
    const refusal = this.#refuseSpent(account)
    if (refusal) return refusal
    const { places, line } = this.#bounds
    if (account.places < places) account.places += 1
    else if (account.line.size >= line) return tooManyRequests(1)
    else if (!(await inLine(account, answering))) return 'gone'
    const place = new Place(account, this.#bounds, answering)
    if (answering?.destroyed) {
      place.leave()
      return 'gone'
    }
    // It may have been spent by those who were before it in the line.
    const spent = this.#refuseSpent(account)
    if (spent) place.leave()
    return spent ?? place
  }

  #accountOf(user: string): Account {
    const now = this.#clock()
    const known = this.#accounts.get(user)
    if (known) {
      known.left = this.#leftAt(known, now)
      known.at = now
      return known
    }
    if (Math.abs(now - this.#forgottenAt) >= forgetEvery) this.#forget(now)
    const account: Account = {
      left: this.#bounds.most,
      at: now,
      light: new LightLine(this.#bounds),
      places: 0,
      line: new Set(),
      lastStep: Promise.resolve(),
      nextStep: 0,
    }
    this.#accounts.set(user, account)
    return account
  }

  /** A clock that was set back fills nothing. */
  #leftAt({ left, at }: Account, now: Instant): number {
    return Math.min(this.#bounds.most, left + (Math.max(0, now - at) / 1000) * this.#bounds.perSecond)
  }

  #refuseSpent({ left }: Account): Refusal | undefined {
    return left > 0 ? undefined : tooManyRequests(Math.floor(-left / this.#bounds.perSecond) + 1)
  }

  /** Whose bucket is full again is as one who was never heard of. */
  #forget(now: Instant): void {
    this.#forgottenAt = now
    for (const [user, account] of this.#accounts) {
      const atRest = account.light.size + account.places + account.line.size === 0
      if (atRest && this.#leftAt(account, now) >= this.#bounds.most) this.#accounts.delete(user)
    }
  }
}

/** Milliseconds. */
const forgetEvery = 60_000

interface Account extends HeavyWork {
  /** When `left` was so much. */
  at: Instant
  light: LightLine
}
