import type { Outbox } from './outbox.ts'
import type { SenderState } from './sender.ts'

interface LeavingParts {
  outbox: Outbox
  sender: { readonly state: SenderState; readonly running: boolean; start(): void }
  wake(): void
  subscribe(listener: () => void): () => void
}

const hopeless: readonly SenderState[] = ['waiting', 'blocked', 'put-off', 'signed-out', 'stuck']

/** Sends what is queued before a person leaves this device, or takes their data along. */
export class Leaving {
  #parts: LeavingParts

  constructor(parts: LeavingParts) {
    this.#parts = parts
  }

  /** How many writes would be lost by leaving now: those that the server has not taken. */
  get unsent(): number {
    return this.#parts.outbox.waiting + this.#refused
  }

  /** Sends what is queued. False when it cannot now, or not within `patience` milliseconds, or some of it was refused. */
  async drain(patience: number): Promise<boolean> {
    return (await this.sendQueued(patience)) && this.#refused === 0
  }

  /** Sends what is queued. False when it cannot now, or not within `patience` milliseconds. */
  async sendQueued(patience: number): Promise<boolean> {
    const { outbox, sender, subscribe, wake } = this.#parts
    await outbox.ready
    if (outbox.waiting === 0) return true
    if (sender.state === 'put-off') return false
    // From a screen that does not send, such as the landing page.
    if (!sender.running) sender.start()
    wake()
    let last: SenderState = sender.state
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(false), patience)
      const stopListening = subscribe(() => {
        const { state } = sender
        if (outbox.waiting === 0) end(true)
        else if (state !== last && hopeless.includes(state)) end(false)
        last = state
      })
      function end(sent: boolean) {
        clearTimeout(timer)
        stopListening()
        resolve(sent)
      }
    })
  }

  /** Told, and kept on this device alone until the person settles it. */
  get #refused(): number {
    return this.#parts.outbox.notices.filter(({ held }) => !held).length
  }
}
