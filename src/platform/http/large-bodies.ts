import { usualBodyLimit } from './body.ts'
import type { HttpContext } from './context.ts'
import { type Refusal, refuse } from './refusal.ts'

// One that is made, one that waits, and one that is to be taken in its place.
const mostOfOne = 3
const mostOfAll = 16

const refused = refuse(
  429,
  'TOO_MANY_REQUESTS',
  'Too much data is being sent at once. Try again in 5 seconds.',
  {
    headers: { 'Retry-After': '5' },
  },
)

/**
 * The calls under way whose body is larger than usual. Each body is held as a whole, for as long as its line takes to bring
 * it: so how many there are is what bounds the memory.
 */
export class LargeBodies {
  readonly #ofUsers = new Map<string, number>()
  #all = 0

  /** Lets a call in only while there are few. */
  async answer<T>(c: HttpContext, ask: () => Promise<T>): Promise<T | Refusal> {
    const mayBeLarge =
      Number(c.req.header('content-length') ?? 0) > usualBodyLimit ||
      c.req.header('transfer-encoding') !== undefined
    if (!mayBeLarge) return ask()
    const user = c.get('user')
    const own = this.#ofUsers.get(user) ?? 0
    if (own >= mostOfOne || this.#all >= mostOfAll) return refused
    this.#count(user, 1)
    try {
      return await ask()
    } finally {
      this.#count(user, -1)
    }
  }

  #count(user: string, change: 1 | -1): void {
    this.#all += change
    const own = (this.#ofUsers.get(user) ?? 0) + change
    if (own === 0) this.#ofUsers.delete(user)
    else this.#ofUsers.set(user, own)
  }
}
