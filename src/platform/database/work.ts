import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

/**
 * The database work that a request causes, counted and never timed, so that a busy server does not count more of it.
 * One unit is about the cost of a row that is read and returned.
 */
export interface Work {
  units: number
  /** Set if the work is paced: await it where the work may be postponed or cancelled. */
  betweenStretches?: () => Promise<void>
}

const ofStatement = 2
const ofRowRead = 1
/** A row that is only passed in an index, for instance to be counted. */
const ofRowWalked = 1 / 20
/** A written row is in indexes, too. */
const ofRowWritten = 6
/** Bytes parsed and validated per unit. */
const bytesTaken = 20
/** Past days processed per unit. */
const daysCounted = 10
const writes = /^\s*(insert|update|delete)\b/i

const running = new AsyncLocalStorage<Work>()

/** Counts whatever `run` makes the database do, then or later, in `work`. */
export function countingInto<T>(work: Work, run: () => T): T {
  return running.run(work, run)
}

/** The cost of a row that a statement returns or changes. */
export function costOfRow(sql: string): number {
  return writes.test(sql) ? ofRowWritten : ofRowRead
}

/**
 * Await this between two chunks of a long read, so that other requests are served. Rejects once nobody waits for the
 * result any more.
 */
export function betweenStretches(): Promise<void> {
  return running.getStore()?.betweenStretches?.() ?? setImmediate()
}

/** Counts bytes that the current request sent. */
export function countTaken(bytes: number): void {
  const work = running.getStore()
  if (work) work.units += bytes / bytesTaken
}

/** Counts rows that a statement had to walk over to return a few numbers. */
export function countWalked(rows: number): void {
  const work = running.getStore()
  if (work) work.units += rows * ofRowWalked
}

/** Counts a statement that the current request ran. */
export function countStatement(rows: number, each: number): void {
  const work = running.getStore()
  if (work) work.units += ofStatement + rows * each
}

/** Counts packed days that were processed for the current request. */
export function countDays(days: number): void {
  const work = running.getStore()
  if (work) work.units += days / daysCounted
}
