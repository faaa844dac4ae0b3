export interface Bounds {
  /** Units in a full bucket: an import of five years, or forty readings of a list of 36,500 to-dos. */
  most: number
  /** Units that come back in a second. */
  perSecond: number
  /** Units in a second that heavy work is slowed down to, which leaves the others their turns. */
  pace: number
  /** How many times as long as a step of heavy work took, the same user's next one waits: meanwhile others have their turns. */
  rest: number
  /** Heavy requests of a user that are being answered, their answers not taken yet included. */
  places: number
  /** Heavy requests of a user that wait for a place. */
  line: number
  /** Light requests of a user that are being answered; fewer than a PostgreSQL pool has connections. */
  lightPlaces: number
  /** Light requests of a user in all, those in line included. */
  light: number
  /** Milliseconds after which whoever takes nothing of a heavy answer is cut off: it holds memory, and a place. */
  patience: number
}

export const usualBounds: Bounds = {
  most: 2_000_000,
  perSecond: 20_000,
  pace: 50_000,
  rest: 1.5,
  places: 3,
  line: 100,
  lightPlaces: 8,
  light: 256,
  patience: 30_000,
}

/** What every request costs besides what it has the database do. */
export const ofRequest = 10

/** Bytes that are written and sent, for one unit. */
export const bytesAnswered = 1_000

/** Milliseconds too few to be worth a timer. */
export const shortest = 2

/** When the work may begin that comes after `units` of it, begun at `begun`; both on the clock of `performance`. */
export function paced(begun: number, units: number, { pace }: Bounds): number {
  return begun + (units / pace) * 1000
}
