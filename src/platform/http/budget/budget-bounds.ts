export interface Bounds {
  /**
   * Units of work in a user's full token bucket: enough for an import of five years, or for reading 36,500 to-dos forty times.
   */
  capacity: number
  /** Units refilled into a user's bucket per second. */
  perSecond: number
  /** Units per second that heavy work is slowed down to, which leaves room for other users. */
  pace: number
  /**
   * Microseconds of processor time in one unit. A request that uses more processor time than its counted units cover is charged
   * for the time. Together with `pace`, this limits heavy work to half a core.
   */
  microsecondsPerUnit: number
  /**
   * Rest after a step of heavy work, as a multiple of the step's duration. The user's next step waits, so that others can run.
   */
  rest: number
  /**
   * Milliseconds without a request of anybody else after which a user counts as alone on the server. Their heavy work then runs
   * without rests and at full speed: nobody is there to make room for. Infinite where other processes use the same database.
   */
  aloneAfter: number
  /** Heavy requests of one user under way (each takes a slot), including responses that the client has not read yet. */
  slots: number
  /** Heavy requests of one user that may wait for a slot. */
  queue: number
  /** Light requests of one user under way; fewer than a PostgreSQL pool has connections. */
  lightSlots: number
  /** Light requests of one user in total, including queued ones. */
  light: number
  /**
   * Milliseconds after which a client that stops reading a heavy response is disconnected, since its response holds memory and
   * a slot.
   */
  patience: number
}

export const usualBounds: Bounds = {
  capacity: 2_000_000,
  perSecond: 20_000,
  pace: 50_000,
  microsecondsPerUnit: 10,
  rest: 1.5,
  aloneAfter: 2_000,
  slots: 3,
  queue: 100,
  lightSlots: 8,
  light: 256,
  patience: 30_000,
}

/** The bounds where other processes use the same database, whose users this process does not see. */
export const sharedBounds: Bounds = { ...usualBounds, aloneAfter: Number.POSITIVE_INFINITY }

/** Units that every request costs besides its database work. */
export const unitsPerRequest = 10

/** Shortest pause in milliseconds; anything shorter is not worth a timer. */
export const shortestPause = 2

/** When the next work may begin after `units` of work that began at `begun`; both on the `performance` clock. */
export function paced(begun: number, units: number, { pace }: Bounds): number {
  return begun + (units / pace) * 1000
}
