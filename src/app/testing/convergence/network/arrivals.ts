import * as z from 'zod/mini'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { PlayedTime } from './played-time.ts'

/**
 * When a server handled a change. `from` and `to` are the places of its beginning and its end in the order of all beginnings and
 * ends.
 */
export interface Arrival {
  from: number
  to: number
  /** The true time of arrival. */
  at: Instant
}

interface Arrived {
  path: string
  body?: unknown
}

const batch = z.object({
  rows: z.array(z.array(z.object({ path: z.string(), body: z.optional(z.unknown()) }))),
})
const dated = z.object({ at: z.string() })

/**
 * Records when the server handled each change. Requests do not identify changes, but a device makes no two changes to a row at
 * the same instant, so device, row and instant identify a change.
 */
export class Arrivals {
  #time: PlayedTime
  #order = 0
  #arrivals = new Map<string, (Arrival & { path: string; body: string | undefined })[]>()

  constructor(time: PlayedTime) {
    this.#time = time
  }

  /**
   * Call when a request begins to be handled. Returns a function to call with the statuses of its changes, in order, or with
   * undefined if there is no response: then each of them may have been handled at any time.
   */
  begin(
    device: number,
    path: string,
    body: unknown,
  ): (statuses: readonly (readonly number[])[] | undefined) => void {
    const from = ++this.#order
    const parsed: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
    const rows: readonly (readonly Arrived[])[] =
      path === '/api/changes' ? (batch.safeParse(parsed).data?.rows ?? []) : [[{ path, body: parsed }]]
    return (statuses) => {
      const to = statuses ? ++this.#order : Number.POSITIVE_INFINITY
      for (const [index, row] of rows.entries()) {
        for (const [place, change] of row.entries()) {
          const at = instantOf(change)
          const status = statuses ? (statuses[index]?.[place] ?? 500) : 200
          if (at === undefined || status >= 300) continue
          const key = keyOf(device, at)
          const arrival = {
            from,
            to,
            at: this.#time.now,
            path: change.path,
            body: JSON.stringify(change.body),
          }
          this.#arrivals.set(key, [...(this.#arrivals.get(key) ?? []), arrival])
        }
      }
    }
  }

  /** The arrivals of the change that a device made to a row at this instant. A change may arrive more than once. */
  of(
    device: number | undefined,
    at: Instant,
    isOfRow: (path: string, body: string) => boolean,
  ): readonly Arrival[] {
    if (device === undefined) return []
    const arrivals = this.#arrivals.get(keyOf(device, instantToWire(at))) ?? []
    return arrivals.filter(({ path, body = '' }) => isOfRow(path, body))
  }
}

function instantOf({ path, body }: Arrived): string | undefined {
  return (
    dated.safeParse(body).data?.at ?? new URL(path, 'http://localhost').searchParams.get('at') ?? undefined
  )
}

function keyOf(device: number, at: string): string {
  return `${device} ${at}`
}
