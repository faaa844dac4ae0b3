import type { Answer, Request } from './answer.ts'
import type { Entry } from './entry.ts'
import type { Mirror } from './mirror.ts'
import type { Outbox } from './outbox.ts'
import { knownWrite } from './overlay.ts'
import { inTurn, type Turn } from './turn.ts'
import type { AnyWrite, WriteRequest } from './write.ts'

export type SenderState =
  /** Another tab has the turn, or nobody yet. */
  | 'elsewhere'
  | 'idle'
  | 'sending'
  /** No answer: waits, and tries again when woken. */
  | 'blocked'
  /** The server asked not to be asked for a while. */
  | 'put-off'
  /** Waits for the same person to sign in again. */
  | 'signed-out'
  /** Only writes are left that this build cannot send. */
  | 'stuck'

export interface SenderParts {
  mirror: Mirror
  outbox: Outbox
  writes: ReadonlyMap<string, AnyWrite>
  turn(): Omit<Turn, 'stalled'>
  /** The person looks at this tab. */
  visible(): boolean
  ask(request: Request, signal: AbortSignal): Promise<Answer>
  /** Reads a list again, since writes to it were answered. Settles when that has ended, well or not. */
  refresh(list: string): Promise<void>
  onSignedOut(): void
  onState(): void
  /** Rejects when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Answers that come this close together end in one read of the list. */
const settling = 150
/** Longer than a request may take. */
const stalling = 45_000
const firstBackOff = 1_000
const longestBackOff = 60_000

/** Sends the queued writes of an account in order while this tab has the turn, whatever becomes of a single one. */
export class Sender {
  state: SenderState = 'elsewhere'
  #parts: SenderParts
  #running: AbortController | undefined
  #awake = false
  #wakeUp: (() => void) | undefined
  #failures = 0
  #unread = new Set<string>()
  #reading = new Set<string>()

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  get running(): boolean {
    return this.#running !== undefined
  }

  start(): void {
    this.stop()
    this.#running = new AbortController()
    void this.#run(this.#running.signal)
  }

  stop(): void {
    this.#running?.abort()
    this.#running = undefined
    this.#enter('elsewhere')
  }

  /** There may be something to send, or someone to send it to. */
  wake(): void {
    this.#awake = true
    this.#wakeUp?.()
  }

  async #run(signal: AbortSignal): Promise<void> {
    let yielded = false
    await this.#parts.outbox.ready
    while (!signal.aborted) {
      try {
        this.#enter('elsewhere')
        const turn = { ...this.#parts.turn(), stalled: (waiting: AbortSignal) => this.#stalled(waiting) }
        if (!(await inTurn(turn, signal, (ours) => this.#sendAll(ours)))) continue
        // Only what this build cannot send is left. Another tab may be of the build that can: it gets the turn first.
        if (yielded) await this.#hold(signal)
        yielded = true
      } catch (error) {
        if (signal.aborted) return
        console.warn('Sending stopped and starts again', error)
        this.#failures += 1
        await this.#sleep(signal, this.#backOff()).catch(() => {})
      }
    }
  }

  /** Something waits, the person looks at this tab, and nothing moves. */
  async #stalled(signal: AbortSignal): Promise<void> {
    const { outbox, pause, visible } = this.#parts
    for (;;) {
      const first = outbox.queued[0]?.id
      await pause(stalling, signal)
      if (first !== undefined && first === outbox.queued[0]?.id && visible()) return
    }
  }

  async #hold(signal: AbortSignal): Promise<void> {
    for (const entry of this.#parts.outbox.queued) {
      if (!this.#requestOf(entry)) this.#parts.outbox.hold(entry)
    }
    this.#enter('stuck')
    await this.#sleep(signal)
  }

  /** Returns when nothing is left but what this build cannot send. */
  async #sendAll(signal: AbortSignal): Promise<void> {
    const { mirror, outbox } = this.#parts
    await mirror.reread()
    this.#findUnread()
    for (;;) {
      signal.throwIfAborted()
      const next = this.#next()
      if (next) {
        await this.#send(next.entry, next.request, signal)
        continue
      }
      this.#enter('idle')
      if (this.#unread.size > 0) {
        const quiet = await this.#sleep(signal, settling)
        if (quiet) this.#refresh()
        continue
      }
      if (outbox.queued.length > 0) return
      await this.#sleep(signal)
      this.#findUnread()
    }
  }

  /** A read may have failed, or the tab that should have made it may be gone. */
  #findUnread(): void {
    for (const list of this.#parts.outbox.unseen) if (!this.#reading.has(list)) this.#unread.add(list)
  }

  /** The first that can be sent: what builds on a write that cannot waits with it. */
  #next(): { entry: Entry; request: WriteRequest } | undefined {
    const held = new Set<string>()
    for (const entry of this.#parts.outbox.queued) {
      const row = JSON.stringify([entry.list, entry.subject])
      if (held.has(row)) continue
      const request = this.#requestOf(entry)
      if (request) return { entry, request }
      held.add(row)
    }
    return undefined
  }

  #requestOf(entry: Entry): WriteRequest | undefined {
    try {
      return knownWrite(this.#parts.writes, entry)?.request(entry.vars)
    } catch {
      return undefined
    }
  }

  async #send(entry: Entry, request: WriteRequest, signal: AbortSignal): Promise<void> {
    this.#enter('sending')
    // What woke it before is served by this request; what wakes it from here on is worth another.
    this.#awake = false
    const answer = await this.#parts.ask(request, signal)
    signal.throwIfAborted()
    if (answer.kind === 'none') return this.#standOff(answer.retryAfter, signal)
    this.#failures = 0
    if (answer.kind === 'signed-out') {
      this.#enter('signed-out')
      this.#parts.onSignedOut()
      await this.#sleep(signal)
      return
    }
    this.#unread.add(entry.list)
    const alreadyGone = answer.kind === 'refused' && answer.status === 404 && request.method === 'DELETE'
    if (answer.kind === 'done' || alreadyGone) return this.#parts.outbox.acknowledge(entry)
    console.warn(`${entry.refusal}: ${answer.status} ${answer.failure.code}`)
    const reason = answer.status === 404 ? 'It no longer exists.' : answer.failure.message
    await this.#parts.outbox.takeOut(entry, { reason, retriable: answer.status >= 500 })
  }

  async #standOff(retryAfter: number | undefined, signal: AbortSignal): Promise<void> {
    this.#failures += 1
    if (retryAfter === undefined) {
      this.#enter('blocked')
      await this.#sleep(signal, this.#backOff())
      return
    }
    this.#enter('put-off')
    await this.#parts.pause(retryAfter, signal)
  }

  /** Half of it is chance, so that the devices of everybody do not come back in step after an outage. */
  #backOff(): number {
    const longest = Math.min(longestBackOff, firstBackOff * 2 ** (this.#failures - 1))
    return longest * (0.5 + Math.random() / 2)
  }

  #refresh(): void {
    for (const list of this.#unread) {
      this.#reading.add(list)
      void this.#parts.refresh(list).finally(() => this.#reading.delete(list))
    }
    this.#unread.clear()
  }

  /** Until woken, or for a time: true when that has passed. Rejects when aborted. */
  async #sleep(signal: AbortSignal, milliseconds?: number): Promise<boolean> {
    signal.throwIfAborted()
    if (this.#awake) {
      this.#awake = false
      return false
    }
    const over = new AbortController()
    let wakeUp = () => {}
    const woken = new Promise<false>((resolve) => {
      wakeUp = () => resolve(false)
    })
    this.#wakeUp = wakeUp
    signal.addEventListener('abort', wakeUp, { once: true, signal: over.signal })
    const waits: Promise<boolean>[] = [woken]
    if (milliseconds !== undefined) {
      const time = this.#parts.pause(milliseconds, AbortSignal.any([signal, over.signal]))
      waits.push(
        time.then(
          () => true,
          () => false,
        ),
      )
    }
    const passed = await Promise.race(waits)
    over.abort()
    // A sender that was stopped and started again may sleep anew by now.
    if (this.#wakeUp === wakeUp) this.#wakeUp = undefined
    this.#awake = false
    signal.throwIfAborted()
    return passed
  }

  #enter(state: SenderState): void {
    if (this.state === state) return
    this.state = state
    this.#parts.onState()
  }
}
