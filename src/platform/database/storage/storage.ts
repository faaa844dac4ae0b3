import type { LogEvent } from 'kysely'
import { type StorageProblem, storageProblemOf } from './storage-problem.ts'

export interface Storage {
  /** Why nothing can be stored at the moment, as far as is known. */
  problem(): StorageProblem | undefined
  /** Checks whether anything can be stored, unless that was checked a moment ago. Never rejects. */
  probe(): Promise<void>
  /** Notifies the listener when a problem begins and when it ends. */
  listen(listener: (change: StorageChange) => void): void
}

export type StorageChange = { problem: StorageProblem } & (
  | { began: unknown; freeBytes: number | undefined }
  | { seconds: number }
)

interface StorageParts {
  /** Durably stores something that changes nothing. Rejects if that fails. */
  tryStoring(): Promise<unknown>
  /** Free bytes where the data is stored; undefined if unknown. */
  freeBytes(): number | undefined
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** With fewer free bytes than this, the next write may fail. */
export const minFreeBytes = 256 * 1024

/**
 * Milliseconds for which a write or a probe proves that data can be stored. Until then no probe runs: anybody may request the
 * health status, and a probe waits for the disk.
 */
const provenFor = 5_000
/** Milliseconds until a problem is checked again. */
const recheckAfter = 2_000
/** Milliseconds until a damaged file is checked again, for which all of it is read. */
const rereadAfter = 60_000
/** Milliseconds within which a recurring problem is not reported again. */
const reportedFor = 60_000

/** Tracks whether data can be stored, by the outcome of writes, and by probing when there are none. */
export class StorageMonitor implements Storage {
  readonly #parts: Required<StorageParts>
  readonly #listeners = new Set<(change: StorageChange) => void>()
  readonly #reportedAt = new Map<StorageProblem, number>()
  #problem: StorageProblem | undefined
  #since = 0
  #reported = false
  #checkedAt = Number.NEGATIVE_INFINITY
  #probing: Promise<void> | undefined
  #recheck: NodeJS.Timeout | undefined
  #stopped = false

  constructor(parts: StorageParts) {
    this.#parts = { now: () => performance.now(), ...parts }
  }

  problem(): StorageProblem | undefined {
    return this.#problem
  }

  listen(listener: (change: StorageChange) => void): void {
    this.#listeners.add(listener)
  }

  stored(): void {
    // Does not end a problem: the write may have been so small that it still fit. Only a probe ends a problem.
    this.#checkedAt = this.#parts.now()
  }

  /** Receives any error that was thrown, and records it if it shows a storage problem. Most errors do not. */
  failed(error: unknown): void {
    const reported = storageProblemOf(error)
    if (reported === undefined || this.#stopped) return
    const { now, freeBytes } = this.#parts
    const free = freeBytes()
    // Some full disks and quotas only report that writing failed.
    const problem = reported === 'failing' && free !== undefined && free < minFreeBytes ? 'full' : reported
    if (problem !== this.#problem) {
      this.#since = now()
      this.#reported = false
      this.#problem = problem
    }
    if (
      !this.#reported &&
      now() - (this.#reportedAt.get(problem) ?? Number.NEGATIVE_INFINITY) >= reportedFor
    ) {
      this.#reported = true
      this.#reportedAt.set(problem, now())
      this.#report({ problem, began: error, freeBytes: free })
    }
    this.#scheduleRecheck(recheckAfter)
  }

  async probe(): Promise<void> {
    if (this.#problem !== undefined || this.#parts.now() - this.#checkedAt < provenFor) return
    await this.#probeOnce()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#recheck)
  }

  /** Runs one probe at a time. */
  #probeOnce(): Promise<void> {
    this.#probing ??= this.#runProbe().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  async #runProbe(): Promise<void> {
    try {
      await this.#parts.tryStoring()
      this.#end()
    } catch (error) {
      this.failed(error)
    }
    this.#checkedAt = this.#parts.now()
  }

  #end(): void {
    const problem = this.#problem
    if (problem === undefined) return
    this.#problem = undefined
    const now = this.#parts.now()
    if (!this.#reported) return
    this.#reportedAt.set(problem, now)
    this.#report({ problem, seconds: Math.round((now - this.#since) / 1000) })
  }

  #scheduleRecheck(after: number): void {
    if (this.#stopped) return
    this.#recheck ??= setTimeout(async () => {
      await this.#probeOnce()
      this.#recheck = undefined
      if (this.#problem !== undefined)
        this.#scheduleRecheck(this.#problem === 'corrupt' ? rereadAfter : recheckAfter)
    }, after).unref()
  }

  #report(change: StorageChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}

/** Creates Kysely's `log` option, which sees every failure, even if the caller swallows it. */
export function onFailure(failed: (error: unknown) => void): (event: LogEvent) => void {
  return (event) => {
    if (event.level === 'error') failed(event.error)
  }
}
