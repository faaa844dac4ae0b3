import type { LogEvent } from 'kysely'
import { type StorageProblem, storageProblemOf } from './storage-problem.ts'

export interface Storage {
  /** Why nothing can be stored at the moment, as far as is known. */
  problem(): StorageProblem | undefined
  /** Finds out whether anything can be stored, where nothing has said so lately. Never rejects. */
  probe(): Promise<void>
  /** Hears each problem when it begins and when it is over. */
  listen(told: (change: StorageChange) => void): void
}

export type StorageChange = { problem: StorageProblem } & (
  | { began: unknown; freeBytes: number | undefined }
  | { seconds: number }
)

interface StorageParts {
  /** Stores something for certain that changes nothing; rejects where it could not be stored. */
  tryStoring(): Promise<unknown>
  /** Bytes that are left where things are stored; undefined where that is not known. */
  freeBytes(): number | undefined
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

/** Bytes without which the next write may fail. */
export const leastRoom = 256 * 1024

/** Milliseconds for which what was stored, or tried, speaks for itself: anybody may ask for health, and trying waits for the disk. */
const holdsFor = 5_000
/** Milliseconds until a problem is looked at again. */
const lookAgain = 2_000
/** The same for a damaged file, all of which has to be read. */
const readAgain = 60_000
/** Milliseconds within which a problem that comes back is not told once more. */
const toldFor = 60_000

/** Whether things can be stored, by what became of the writes, and by trying where there are none. */
export class KnownStorage implements Storage {
  readonly #parts: Required<StorageParts>
  readonly #listeners = new Set<(change: StorageChange) => void>()
  readonly #toldAt = new Map<StorageProblem, number>()
  #problem: StorageProblem | undefined
  #since = 0
  #told = false
  #knownAt = Number.NEGATIVE_INFINITY
  #trying: Promise<void> | undefined
  #looking: NodeJS.Timeout | undefined
  #stopped = false

  constructor(parts: StorageParts) {
    this.#parts = { now: () => performance.now(), ...parts }
  }

  problem(): StorageProblem | undefined {
    return this.#problem
  }

  listen(told: (change: StorageChange) => void): void {
    this.#listeners.add(told)
  }

  stored(): void {
    // It may have been so small that there was room for it still: what ends a problem is trying.
    this.#knownAt = this.#parts.now()
  }

  /** Of anything that was thrown: most of it says nothing of the storage. */
  failed(error: unknown): void {
    const said = storageProblemOf(error)
    if (said === undefined || this.#stopped) return
    const { now, freeBytes } = this.#parts
    const free = freeBytes()
    // Some full disks, and quotas, only say that writing failed.
    const problem = said === 'failing' && free !== undefined && free < leastRoom ? 'full' : said
    if (problem !== this.#problem) {
      this.#since = now()
      this.#told = false
      this.#problem = problem
    }
    if (!this.#told && now() - (this.#toldAt.get(problem) ?? Number.NEGATIVE_INFINITY) >= toldFor) {
      this.#told = true
      this.#toldAt.set(problem, now())
      this.#tell({ problem, began: error, freeBytes: free })
    }
    this.#lookAgain(lookAgain)
  }

  async probe(): Promise<void> {
    if (this.#problem !== undefined || this.#parts.now() - this.#knownAt < holdsFor) return
    await this.#try()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#looking)
  }

  /** One at a time. */
  #try(): Promise<void> {
    this.#trying ??= this.#tryOnce().finally(() => {
      this.#trying = undefined
    })
    return this.#trying
  }

  async #tryOnce(): Promise<void> {
    try {
      await this.#parts.tryStoring()
      this.#end()
    } catch (error) {
      this.failed(error)
    }
    this.#knownAt = this.#parts.now()
  }

  #end(): void {
    const problem = this.#problem
    if (problem === undefined) return
    this.#problem = undefined
    const now = this.#parts.now()
    if (!this.#told) return
    this.#toldAt.set(problem, now)
    this.#tell({ problem, seconds: Math.round((now - this.#since) / 1000) })
  }

  #lookAgain(after: number): void {
    if (this.#stopped) return
    this.#looking ??= setTimeout(async () => {
      await this.#try()
      this.#looking = undefined
      if (this.#problem !== undefined) this.#lookAgain(this.#problem === 'corrupt' ? readAgain : lookAgain)
    }, after).unref()
  }

  #tell(change: StorageChange): void {
    for (const told of this.#listeners) told(change)
  }
}

/** For the `log` of a Kysely, which sees each failure, also where its caller hides it. */
export function hearFailures(failed: (error: unknown) => void): (event: LogEvent) => void {
  return (event) => {
    if (event.level === 'error') failed(event.error)
  }
}
