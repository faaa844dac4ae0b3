import type { Instant } from '#platform/calendar/day.ts'
import type { Limit } from '../endpoint/endpoint.ts'

const forgetEvery = 60_000

interface Window {
  count: number
  start: Instant
  end: Instant
}

/**
 * Counts calls in this process's memory, for calls so frequent that a database row for each would cost more than the
 * response.
 */
export class CallCounts {
  readonly #windows = new Map<string, Window>()
  #forgottenAt: Instant = 0

  /** The number of counts held. */
  get size(): number {
    return this.#windows.size
  }

  /** Returns the same as `countCall`: 0 when this call is admitted, or else the milliseconds until the next one will be. */
  count({ name, max, seconds }: Limit, client: string, now: Instant): number {
    if (Math.abs(now - this.#forgottenAt) >= forgetEvery) this.#forget(now)
    const key = `${name}|${client}`
    const window = this.#windows.get(key)
    if (!window || !isOpen(window, now)) {
      this.#windows.set(key, { count: 1, start: now, end: now + seconds * 1000 })
      return 0
    }
    if (window.count >= max) return window.end - now
    window.count += 1
    return 0
  }

  #forget(now: Instant): void {
    this.#forgottenAt = now
    for (const [key, window] of this.#windows) if (!isOpen(window, now)) this.#windows.delete(key)
  }
}

/**
 * Whether the window still counts. One that begins in the future dates from before the clock was set back, and locks nobody out.
 */
function isOpen({ start, end }: Window, now: Instant): boolean {
  return start <= now && now < end
}
