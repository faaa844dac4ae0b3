import { usualBodyLimit } from '../request/body.ts'
import type { HttpContext } from '../request/context.ts'
import { type ErrorResponse, errorResponse } from '../request/error-response.ts'
import { AtOnce } from './at-once.ts'

// Per user: one body being processed, one waiting, and one that replaces it.
const most = { perUser: 3, inTotal: 16 }

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
  readonly #underWay = new AtOnce(most)

  /** Runs the call, or refuses it when too many calls with large bodies are under way. */
  async run<T>(c: HttpContext, ask: () => Promise<T>): Promise<T | ErrorResponse> {
    const mayBeLarge =
      Number(c.request.header('content-length') ?? 0) > usualBodyLimit ||
      c.request.header('transfer-encoding') !== undefined
    if (!mayBeLarge) return ask()
    const end = this.#underWay.begin(c.user)
    if (!end) return refused
    try {
      return await ask()
    } finally {
      end()
    }
  }
}
