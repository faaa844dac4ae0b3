import type { Tables } from '#platform/database/tables.ts'
import type { PackedDays } from '../packed-year.ts'

// On SQLite, other writes wait for one that reads. So what is too much for one write is read before it; what that write makes of it
// is stored only if nothing was written in between.

/** How many days and entries a write may still read for sums before it lets other writes run. */
export interface ReadBudget {
  left: number
  readonly ahead: ReadAhead
  /** Set if no write can read so much: some of these years have to be read ahead. */
  crowded?: YearsOfHabit
  /** Set once a sum is made of days that may have changed since they were read: then it is shown, but not stored. */
  isOutdated?: boolean
}

export interface YearsOfHabit {
  habit: Pick<Tables['habits'], 'user_id' | 'id'>
  years: readonly number[]
}

/** Years that were read before a write, by the habit, each with the revision of its user then. */
export type ReadAhead = Map<string, Map<number, YearAhead>>

export interface YearAhead {
  days: PackedDays
  revision: string | undefined
}

/** A few milliseconds' worth. */
export const mostOfOneWrite = 5_000

/** The budget of a write that has just begun. */
export function readBudgetOfOneWrite(ahead: ReadAhead = new Map()): ReadBudget {
  return { left: mostOfOneWrite, ahead }
}

/** A write that has so much left has read hardly anything yet: what is too much for it is too much for any. */
export const nearlyAll = 4_000
