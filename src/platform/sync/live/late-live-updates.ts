import type { LiveUpdates } from './live-updates.ts'

/** The live updates of an account, whose code is fetched once they begin: the first screen does not wait for it. */
export class LateLiveUpdates {
  readonly #fetch: () => Promise<LiveUpdates>
  #live: LiveUpdates | undefined
  #fetching: Promise<void> | undefined
  #isRunning = false

  constructor(fetch: () => Promise<LiveUpdates>) {
    this.#fetch = fetch
  }

  start(): void {
    this.#isRunning = true
    if (this.#live) this.#live.start()
    else this.#fetchOnce()
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

  /** Without a connection it cannot be fetched, nor would there be anything to hear: the next wake-up tries again. */
  #fetchOnce(): void {
    this.#fetching ??= this.#fetch().then(
      (live) => {
        this.#live = live
        if (this.#isRunning) live.start()
      },
      () => {
        this.#fetching = undefined
      },
    )
  }
}
