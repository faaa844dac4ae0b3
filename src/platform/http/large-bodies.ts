import { usualBodyLimit } from './body.ts'
import type { HttpContext } from './context.ts'
import { type ErrorResponse, errorResponse } from './error-response.ts'

// One being processed, one waiting, and one that replaces it.
const maxPerUser = 3
const maxInTotal = 16

const refused = errorResponse(
  429,
  'TOO_MANY_REQUESTS',
  'Too much data is being sent at once. Try again in 5 seconds.',
  {
    headers: { 'Retry-After': '5' },
  },
)

/**
 * Limits the calls under way with a larger body than usual. Each body is held in memory for as long as it takes to arrive,
 * so their number is what bounds the memory.
 */
export class LargeBodies {
  readonly #ofUsers = new Map<string, number>()
  #all = 0

  /** Admits a call only while there are few. */
  async answer<T>(c: HttpContext, ask: () => Promise<T>): Promise<T | ErrorResponse> {
    const mayBeLarge =
      Number(c.request.header('content-length') ?? 0) > usualBodyLimit ||
      c.request.header('transfer-encoding') !== undefined
    if (!mayBeLarge) return ask()
    const user = c.user
    const own = this.#ofUsers.get(user) ?? 0
    if (own >= maxPerUser || this.#all >= maxInTotal) return refused
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
