import { onceQuiet } from '#platform/browser/activity.ts'
import type { Listener, LiveUpdates } from './live-updates.ts'

/** The live updates of an account. Their code is fetched once they start, so that the first screen does not wait for it. */
export class LateLiveUpdates {
  readonly #fetch: () => Promise<LiveUpdates>
  #live: LiveUpdates | undefined
  #fetching: Promise<void> | undefined
  #isRunning = false
  readonly #listeners = new Set<Listener>()

  constructor(fetch: () => Promise<LiveUpdates>) {
    this.#fetch = fetch
  }

  start(): void {
    this.#isRunning = true
    if (this.#live) this.#live.start()
    else onceQuiet(() => this.#isRunning && this.#fetchOnce())
  }

  stop(): void {
    this.#isRunning = false
    this.#live?.stop()
  }

  wake(): void {
    if (this.#live) this.#live.wake()
    else if (this.#isRunning) this.#fetchOnce()
  }

  connectionChanged(): void {
    if (this.#live) this.#live.connectionChanged()
    else if (this.#isRunning) this.#fetchOnce()
  }

  /** Like `listen` of `LiveUpdates`. Returns an unsubscribe function. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Fetches the code of the live updates. If there is no connection, the fetch fails, but no event could arrive either; the next
   * wake-up tries again.
   */
  #fetchOnce(): void {
    this.#fetching ??= this.#fetch().then(
      (live) => {
        this.#live = live
        live.listen((changed) => {
          for (const listener of this.#listeners) listener(changed)
        })
        if (this.#isRunning) live.start()
      },
      () => {
        this.#fetching = undefined
      },
    )
  }
}
