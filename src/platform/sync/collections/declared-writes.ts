import type { AnyWrite } from './write.ts'

export type FetchWrites = () => Promise<readonly AnyWrite[]>

/** The declared writes of an account: those of the first screen are known at once, the others are fetched when they are needed. */
export class DeclaredWrites {
  readonly #byName: Map<string, AnyWrite>
  readonly #fetchOthers: FetchWrites | undefined
  #fetching: Promise<ReadonlyMap<string, AnyWrite>> | undefined
  #areAllKnown: boolean
  #listeners = new Set<() => void>()

  constructor(first: readonly AnyWrite[], fetchOthers?: FetchWrites) {
    this.#byName = new Map(first.map((write) => [write.name, write]))
    this.#fetchOthers = fetchOthers
    this.#areAllKnown = fetchOthers === undefined
  }

  /** Those that are known; the same map for good. */
  get byName(): ReadonlyMap<string, AnyWrite> {
    return this.#byName
  }

  get areAllKnown(): boolean {
    return this.#areAllKnown
  }

  /** Resolves once all are known. Rejects if they could not be fetched; the next call tries again. */
  all(): Promise<ReadonlyMap<string, AnyWrite>> {
    this.#fetching ??= this.#fetch()
    return this.#fetching
  }

  /** One that is being made: from now on it can be shown. */
  learn(write: AnyWrite): void {
    if (!this.#areAllKnown && !this.#byName.has(write.name)) this.#byName.set(write.name, write)
  }

  /** Whether these can be shown. What this build does not know is never shown, and waits for nothing. */
  canShow(queued: readonly { write: string }[]): boolean {
    return this.#areAllKnown || queued.every(({ write }) => this.#byName.has(write))
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #fetch(): Promise<ReadonlyMap<string, AnyWrite>> {
    try {
      for (const write of (await this.#fetchOthers?.()) ?? []) this.#byName.set(write.name, write)
    } catch (error) {
      this.#fetching = undefined
      throw error
    }
    this.#areAllKnown = true
    for (const listener of this.#listeners) listener()
    return this.#byName
  }
}
