import type { Outbox } from '../outbox/outbox.ts'
import type { SenderState } from '../outbox/sender.ts'

interface UnsentWritesParts {
  outbox: Outbox
  sender: { readonly state: SenderState; readonly running: boolean; start(): void }
  wake(): void
  subscribe(listener: () => void): () => void
}

const hopeless: readonly SenderState[] = ['waiting', 'blocked', 'throttled', 'signed-out', 'stuck']

/** Sends the queued writes before a person signs out of this device or exports their data. */
export class UnsentWrites {
  #parts: UnsentWritesParts

  constructor(parts: UnsentWritesParts) {
    this.#parts = parts
  }

  /** How many writes a sign-out would lose now: all that the server has not accepted. */
  get unsent(): number {
    return this.#parts.outbox.waiting + this.#refused
  }

  /** Sends the queued writes. Resolves with false if that fails, takes over `timeout` milliseconds, or any write was refused. */
  async drain(timeout: number): Promise<boolean> {
    return (await this.sendQueued(timeout)) && this.#refused === 0
  }

  /** Sends the queued writes. Resolves with false if that fails or takes more than `timeout` milliseconds. */
  async sendQueued(timeout: number): Promise<boolean> {
    const { outbox, sender, subscribe, wake } = this.#parts
    await outbox.ready
    if (outbox.waiting === 0) return true
    if (sender.state === 'throttled') return false
    // On some screens, such as the landing page, the sender does not run.
    if (!sender.running) sender.start()
    wake()
    let lastState: SenderState = sender.state
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(false), timeout)
      const stopListening = subscribe(() => {
        const { state } = sender
        if (outbox.waiting === 0) end(true)
        else if (state !== lastState && hopeless.includes(state)) end(false)
        lastState = state
      })
      function end(sent: boolean) {
        clearTimeout(timer)
        stopListening()
        resolve(sent)
      }
    })
  }

  /** How many refused writes the person has not dealt with yet. These writes exist only on this device. */
  get #refused(): number {
    return this.#parts.outbox.failedWrites.filter(({ held }) => !held).length
  }
}
