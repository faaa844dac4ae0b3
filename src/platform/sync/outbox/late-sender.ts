import { onceQuiet } from '#platform/browser/activity.ts'
import { backOff } from '../network/back-off.ts'
import type { Sender, SenderState } from './sender.ts'

/** The sender of an account. Its code is fetched once it starts, so that the first screen does not wait for it. */
export class LateSender {
  readonly #fetch: () => Promise<Sender>
  #sender: Sender | undefined
  #fetching: Promise<void> | undefined
  #isRunning = false
  #failures = 0
  #next: ReturnType<typeof setTimeout> | undefined

  constructor(fetch: () => Promise<Sender>) {
    this.#fetch = fetch
  }

  get state(): SenderState {
    return this.#sender?.state ?? 'standby'
  }

  get running(): boolean {
    return this.#isRunning
  }

  start(): void {
    this.#isRunning = true
    if (this.#sender) this.#sender.start()
    else onceQuiet(() => this.#isRunning && this.#fetchOnce())
  }

  stop(): void {
    this.#isRunning = false
    clearTimeout(this.#next)
    this.#sender?.stop()
  }

  wake(): void {
    if (this.#sender) this.#sender.wake()
    else if (this.#isRunning) this.#fetchOnce()
  }

  tryNow(): void {
    if (this.#sender) this.#sender.tryNow()
    else if (this.#isRunning) this.#fetchOnce()
  }

  connectionChanged(): void {
    if (this.#sender) this.#sender.connectionChanged()
    else if (this.#isRunning) this.#fetchOnce()
  }

  /**
   * Fetches the sender's code. If there is no connection, the fetch fails, but nothing could be sent either; the next wake-up or
   * a timer tries again.
   */
  #fetchOnce(): void {
    this.#fetching ??= this.#fetch().then(
      (sender) => {
        this.#sender = sender
        if (this.#isRunning) sender.start()
      },
      () => {
        this.#fetching = undefined
        if (!this.#isRunning) return
        clearTimeout(this.#next)
        this.#next = setTimeout(() => this.#fetchOnce(), backOff(++this.#failures, true))
      },
    )
  }
}
