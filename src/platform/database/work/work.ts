import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'

/**
 * The work that a request causes. It is counted, and measured in the processor time of its own slices, never by the clock: so a
 * busy server does not count more of it. One unit is about the cost of a row that is read and returned.
 */
export interface Work {
  units: number
  /** Processor time of this thread, in microseconds: what the counted units turned out not to cover is charged by it. */
  cpu: number
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
/** Of an answer; and of text that is read from the database, where that is more than its rows pay for. */
export const bytesPerUnit = 1_000
const writes = /^\s*(insert|update|delete)\b/i

const running = new AsyncLocalStorage<Work>()

/** Counts whatever `run` does, then or later, in `work`. */
export async function countingInto<T>(work: Work, run: () => Promise<T>): Promise<T> {
  endSlice(work)
  try {
    return await running.run(work, run)
  } finally {
    endSlice(undefined, work)
  }
}

/**
 * The slice of the thread's time that is being measured. A request that leaves the thread without saying so is charged nothing
 * for what others do meanwhile: whoever ends a slice next begins one of their own.
 */
const slice: { of: Work | undefined; since: number; readAt: number } = { of: undefined, since: 0, readAt: 0 }

/** Charges a slice to `work` if it is its own, and begins one of `next`. */
function endSlice(next: Work | undefined, work: Work | undefined = next): void {
  const { user, system } = process.threadCpuUsage()
  const now = user + system
  if (work !== undefined && slice.of === work) work.cpu += now - slice.since
  slice.of = next
  slice.since = now
  slice.readAt = performance.now()
}

/** To be called where a request gives the thread to others, until the returned function is called. */
export function leavingThread(): () => void {
  const work = running.getStore()
  if (!work) return () => {}
  endSlice(undefined, work)
  return () => endSlice(work)
}

/** The cost of a row that a statement returns or changes. */
export function costOfRow(sql: string): number {
  return writes.test(sql) ? ofRowWritten : ofRowRead
}

/**
 * Await this between two chunks of a long read, so that other requests are served. Rejects once nobody waits for the
 * result any more.
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

/** What it costs, when a unit stands for so many microseconds of processor time. */
export function unitsOf({ units, cpu }: Work, microsecondsPerUnit: number): number {
  return Math.max(units, cpu / microsecondsPerUnit)
}

/** Counts what the current request is answered with. */
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
  // Statements often follow each other at once, and reading the processor time costs as much as looking a row up.
  if (slice.of !== work || performance.now() - slice.readAt > mayGoUncharged) endSlice(work)
}

/** Milliseconds, each time that somebody else takes over the thread. */
const mayGoUncharged = 0.1

/** Counts packed days that were processed for the current request. */
export function countDays(days: number): void {
  const work = running.getStore()
  if (work) work.units += days / daysCounted
}

/** Of a value from the database, about as many bytes as its text has. */
export function lengthOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}
