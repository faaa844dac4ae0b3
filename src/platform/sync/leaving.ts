import type { Outbox } from './outbox.ts'
import type { SenderState } from './sender.ts'

/** Something that only this device knows and that leaving would lose. */
export interface Unfinished {
  isUnfinished(): boolean
  /** Makes a write of it. */
  finish(): Promise<void>
}

interface LeavingParts {
  outbox: Outbox
  sender: { readonly state: SenderState; readonly running: boolean; start(): void }
  online(): boolean
  wake(): void
  subscribe(listener: () => void): () => void
}

const hopeless: readonly SenderState[] = ['blocked', 'put-off', 'signed-out', 'stuck']

/** What a person would lose by leaving this device, and what is done so that they do not. */
export class Leaving {
  #parts: LeavingParts
  #unfinished = new Set<Unfinished>()

  constructor(parts: LeavingParts) {
    this.#parts = parts
  }

  /** Answers the way back. */
  before(unfinished: Unfinished): () => void {
    this.#unfinished.add(unfinished)
    return () => this.#unfinished.delete(unfinished)
  }

  /** What would be lost by leaving now: writes that have not reached the server, and what only this device knows. */
  get unsent(): number {
    return this.#parts.outbox.waiting + this.#begun().length
  }

  /**
   * Sends what is queued, then what only this device knows, before the person leaves. False when it cannot now, or not
   * within `patience` milliseconds; what is unfinished is left as it is where there is no connection.
   */
  async drain(patience: number): Promise<boolean> {
    if (!(await this.sendQueued(patience))) return false
    const begun = this.#begun()
    if (begun.length === 0) return true
    if (!this.#parts.online()) return false
    await Promise.all(begun.map(({ finish }) => finish()))
    return this.sendQueued(patience)
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

  #begun(): Unfinished[] {
    return [...this.#unfinished].filter(({ isUnfinished }) => isUnfinished())
  }
}
