import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

/**
 * The work that a request causes. Work is counted in units, and measured by the processor time that the request uses, never by
 * the clock: otherwise a busy server would charge more. A unit is about the cost of a row that is read and returned.
 */
export interface Work {
  units: number
  /**
   * Processor time of this thread, in microseconds. The request is charged for it where it exceeds what the counted units cover.
   */
  cpu: number
  /** Set if the work is paced. Await it where the work may be postponed or cancelled. */
  betweenStretches?: () => Promise<void>
}

const ofStatement = 2
const ofRowRead = 1
/** Units per row that is only passed in an index, for instance to be counted. */
const ofRowWalked = 1 / 20
/** Units per written row, which is also written to indexes. */
const ofRowWritten = 6
/** Bytes of a request that one unit pays for: they are parsed and validated. */
const bytesTaken = 20
/** Past days of a habit that one unit pays for. */
const daysCounted = 10
/** Bytes of a response that one unit pays for. Text read from the database counts as well, if it costs more than its rows. */
export const bytesPerUnit = 1_000
const writes = /^\s*(insert|update|delete)\b/i

const running = new AsyncLocalStorage<Work>()

/** Counts everything that `run` does, immediately or later, in `work`. */
export async function countingInto<T>(work: Work, run: () => Promise<T>): Promise<T> {
  endSlice(work)
  try {
    return await running.run(work, run)
  } finally {
    endSlice(undefined, work)
  }
}

/**
 * The period of this thread's time that is being measured for one request. A request that leaves the thread without calling
 * `leavingThread` is not charged for what others do meanwhile: the next request to end a slice then starts its own.
 */
const slice: { of: Work | undefined; since: number; readAt: number } = { of: undefined, since: 0, readAt: 0 }

/** Ends the current slice, charges it to `work` if the slice is of that work, and starts a slice of `next`. */
function endSlice(next: Work | undefined, work: Work | undefined = next): void {
  const { user, system } = process.threadCpuUsage()
  const now = user + system
  if (work !== undefined && slice.of === work) work.cpu += now - slice.since
  slice.of = next
  slice.since = now
  slice.readAt = performance.now()
}

/** Call it where a request gives the thread to others. Call the returned function when the request has the thread again. */
export function leavingThread(): () => void {
  const work = running.getStore()
  if (!work) return () => {}
  endSlice(undefined, work)
  return () => endSlice(work)
}

/** The cost, in units, of a row that a statement returns or changes. */
export function costOfRow(sql: string): number {
  return writes.test(sql) ? ofRowWritten : ofRowRead
}

/**
 * Await this between two chunks of a long read, so that other requests are served. Rejects once nobody waits for the result any
 * more.
 */
export async function betweenStretches(): Promise<void> {
  const back = leavingThread()
  await (running.getStore()?.betweenStretches?.() ?? setImmediate())
  back()
}

/** Counts bytes that the current request sent. */
export function countTaken(bytes: number): void {
  const work = running.getStore()
  if (work) work.units += bytes / bytesTaken
}

/** The cost in units. `microsecondsPerUnit`: how much processor time a unit stands for. */
export function unitsOf({ units, cpu }: Work, microsecondsPerUnit: number): number {
  return Math.max(units, cpu / microsecondsPerUnit)
}

/** Counts the bytes of the current request's response. */
export function countResponseBytes(bytes: number): void {
  const work = running.getStore()
  if (work) work.units += bytes / bytesPerUnit
}

/** Counts rows that a statement had to walk over to return a few numbers. */
export function countWalked(rows: number): void {
  const work = running.getStore()
  if (work) work.units += rows * ofRowWalked
}

/** Counts a statement that the current request ran, and the bytes of text in the rows that it returned. */
export function countStatement(rows: number, each: number, bytes = 0): void {
  const work = running.getStore()
  if (!work) return
  work.units += ofStatement + Math.max(rows * each, bytes / bytesPerUnit)
  // Do not measure after every statement: statements often follow each other at once, and reading the processor time costs as
  // much as looking up a row.
  if (slice.of !== work || performance.now() - slice.readAt > mayGoUncharged) endSlice(work)
}

/** Milliseconds that may go uncharged each time that another request takes over the thread. */
const mayGoUncharged = 0.1

/** Counts packed days that were processed for the current request. */
export function countDays(days: number): void {
  const work = running.getStore()
  if (work) work.units += days / daysCounted
}

/** The approximate size of a value from the database, in bytes; 0 unless it is text or bytes. */
export function lengthOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}
