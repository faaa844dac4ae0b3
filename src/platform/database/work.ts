import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

/**
 * What a request has the database do, counted and never timed, so that a busy server does not count more of it. One unit
 * is about what a row costs that is read and answered.
 */
export interface Work {
  units: number
  /** Set where the work is paced: to be awaited where it may be put off, or ended. */
  betweenStretches?: () => Promise<void>
}

const ofStatement = 2
const ofRowRead = 1
/** It is passed by in an index, such as to be counted. */
const ofRowWalked = 1 / 20
/** It stands in indexes, too. */
const ofRowWritten = 6
/** Bytes that are parsed and checked, for one unit. */
const bytesTaken = 20
/** Days of the past that are gone through, for one unit. */
const daysCounted = 10
const writes = /^\s*(insert|update|delete)\b/i

const running = new AsyncLocalStorage<Work>()

/** Whatever `run` has the database do, then or later, is counted in `work`. */
export function countingInto<T>(work: Work, run: () => T): T {
  return running.run(work, run)
}

/** What a row costs that a statement answers, or changes. */
export function costOfRow(sql: string): number {
  return writes.test(sql) ? ofRowWritten : ofRowRead
}

/** To be awaited between two stretches of a long reading: others are answered. Rejects where nobody waits for it any more. */
export function betweenStretches(): Promise<void> {
  return running.getStore()?.betweenStretches?.() ?? setImmediate()
}

/** So many bytes were sent along by whoever is at work. */
export function countTaken(bytes: number): void {
  const work = running.getStore()
  if (work) work.units += bytes / bytesTaken
}

/** A statement had to walk over so many rows, and answered a few figures of them. */
export function countWalked(rows: number): void {
  const work = running.getStore()
  if (work) work.units += rows * ofRowWalked
}

/** A statement was run for whoever is at work. */
export function countStatement(rows: number, each: number): void {
  const work = running.getStore()
  if (work) work.units += ofStatement + rows * each
}

/** Days that were kept packed were gone through for whoever is at work. */
export function countDays(days: number): void {
  const work = running.getStore()
  if (work) work.units += days / daysCounted
}
