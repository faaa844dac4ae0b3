export interface Bounds {
  /** Units in a full bucket: an import of five years, or forty readings of a collection of 36,500 to-dos. */
  capacity: number
  /** Units refilled per second. */
  perSecond: number
  /** Units per second that heavy work is slowed down to, which leaves room for other users. */
  pace: number
  /**
   * Processor time that one unit stands for: what takes longer than its counted units say is charged by that instead. So heavy work
   * is slowed down to half of a core.
   */
  microsecondsPerUnit: number
  /** After a step of heavy work, the user's next one waits this many times as long as it took, which lets others run. */
  rest: number
  /** Heavy requests of a user under way, including responses that the client has not read yet. */
  slots: number
  /** Heavy requests of a user that may wait for a slot. */
  queue: number
  /** Light requests of a user under way; fewer than a PostgreSQL pool has connections. */
  lightSlots: number
  /** Light requests of a user in total, including queued ones. */
  light: number
  /** Milliseconds after which a client that stops reading a heavy response is disconnected: it holds memory and a slot. */
  patience: number
}

export const usualBounds: Bounds = {
  capacity: 2_000_000,
  perSecond: 20_000,
  pace: 50_000,
  microsecondsPerUnit: 10,
  rest: 1.5,
  slots: 3,
  queue: 100,
  lightSlots: 8,
  light: 256,
  patience: 30_000,
}

/** What every request costs besides its database work. */
export const unitsPerRequest = 10

/** Milliseconds; anything shorter is not worth a timer. */
export const shortestPause = 2

/** When the next work may begin after `units` of work that began at `begun`; both on the `performance` clock. */
export function paced(begun: number, units: number, { pace }: Bounds): number {
  return begun + (units / pace) * 1000
}
