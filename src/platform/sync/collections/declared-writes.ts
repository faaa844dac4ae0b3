import type { AnyWrite } from './write.ts'

export type FetchWrites = () => Promise<readonly AnyWrite[]>

/** The declared writes of an account. The first screen's writes are known at once; all others are fetched when needed. */
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

  /** The writes known so far, by name. Always the same map. */
  get byName(): ReadonlyMap<string, AnyWrite> {
    return this.#byName
  }

  get areAllKnown(): boolean {
    return this.#areAllKnown
  }

  /** Resolves with all declared writes, and fetches them first if needed. Rejects if that fails; the next call tries again. */
  all(): Promise<ReadonlyMap<string, AnyWrite>> {
    this.#fetching ??= this.#fetch()
    return this.#fetching
  }

  /** Adds the declaration of a write that is being made, so that it can be shown before the others are fetched. */
  learn(write: AnyWrite): void {
    if (!this.#areAllKnown && !this.#byName.has(write.name)) this.#byName.set(write.name, write)
  }

  /** Whether these writes can be shown. Once all declarations are fetched, queued writes without a declaration are skipped. */
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
