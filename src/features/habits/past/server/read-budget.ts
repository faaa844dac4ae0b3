import type { Tables } from '#platform/database/tables.ts'
import type { PackedDays } from '../packed-year.ts'

// On SQLite, other writes wait while a write reads. So data that is too much for one write is read before it. The write then
// stores its result only if nothing was written in between.

/** How many days and entries a write may still read for sums before it lets other writes run. */
export interface ReadBudget {
  left: number
  readonly ahead: ReadAhead
  /** Set if these years are too much for any write, so that they must be read ahead. */
  crowded?: YearsOfHabit
  /** Set if a sum was made from days that may have changed since they were read. The sum is then shown, but not stored. */
  isOutdated?: boolean
}

export interface YearsOfHabit {
  habit: Pick<Tables['habits'], 'user_id' | 'id'>
  years: readonly number[]
}

/** Years that were read before a write, by habit. Each has the revision of the user's data at that time. */
export type ReadAhead = Map<string, Map<number, YearAhead>>

export interface YearAhead {
  days: PackedDays
  revision: string | undefined
}

/** The days and entries that one write may read, which takes a few milliseconds. */
export const mostOfOneWrite = 5_000

/** The budget of a write that has just begun. */
export function readBudgetOfOneWrite(ahead: ReadAhead = new Map()): ReadBudget {
  return { left: mostOfOneWrite, ahead }
}

/**
 * A write with this much of its budget left has read hardly anything. Years that are too much for such a write are too much for
 * any write.
 */
export const nearlyAll = 4_000
