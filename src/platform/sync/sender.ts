import type { Answer, Request } from './answer.ts'
import { backOff } from './back-off.ts'
import { type Entry, isOfSameRow } from './entry.ts'
import { isUndated, sentVars } from './made-at.ts'
import type { Mirror } from './mirror.ts'
import type { Outbox } from './outbox.ts'
import { knownWrite } from './overlay.ts'
import type { ServerClock } from './server-clock.ts'
import { Sleeper } from './sleeper.ts'
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
  clock: ServerClock
  writes: ReadonlyMap<string, AnyWrite>
  turn(): Omit<Turn, 'stalled'>
  /** The person looks at this tab. */
  visible(): boolean
  ask(request: Request, signal: AbortSignal): Promise<Answer>
  /** Reads a list again, since writes to it were answered. Settles when that has ended, well or not. */
  refresh(list: string): Promise<unknown>
  onSignedOut(): void
  onState(): void
  /** Rejects when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Answers that come this close together end in one read of the list. */
const settling = 150
/** Longer than a request may take. */
const stalling = 45_000
/** Of one write. */
const patientFailures = 6
/** A request that the server always answers. */
const anything: Request = { method: 'GET', path: '/api/health' }
const unanswered = 'The server does not answer to it. It is kept on this device and tried again.'
const anotherVersion = 'It was made by another version of Daymark. It is kept on this device.'

/** Sends the queued writes of an account in order while this tab has the turn, whatever becomes of a single one. */
export class Sender {
  state: SenderState = 'elsewhere'
  #parts: SenderParts
  #running: AbortController | undefined
  #sleeper: Sleeper
  #failures = 0
  /** How often in a row the server has answered to something else instead. */
  #silences = 0
  /** Those whose row was not there, while later changes wait that may have brought it back. */
  #undecided = new Set<string>()
  #unread = new Set<string>()
  #reading = new Set<string>()

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#sleeper = new Sleeper(parts.pause)
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
    this.#sleeper.wake()
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
        await this.#sleeper.sleep(signal, backOff(this.#failures)).catch(() => {})
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
      if (!this.#requestOf(entry)) this.#parts.outbox.hold(entry, anotherVersion)
    }
    this.#enter('stuck')
    await this.#sleeper.sleep(signal)
  }

  /** Returns when nothing is left but what this build cannot send. */
  async #sendAll(signal: AbortSignal): Promise<void> {
    const { mirror, outbox } = this.#parts
    await mirror.reread()
    this.#undecided.clear()
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
        const quiet = await this.#sleeper.sleep(signal, settling)
        if (quiet) this.#refresh()
        continue
      }
      if (outbox.queued.length > 0) return
      await this.#sleeper.sleep(signal)
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
      if (held.has(row) || (this.#undecided.has(entry.id) && this.#hasLater(entry))) continue
      const request = this.#requestOf(entry)
      if (request) return { entry, request }
      held.add(row)
    }
    return undefined
  }

  #requestOf(entry: Entry): WriteRequest | undefined {
    try {
      return knownWrite(this.#parts.writes, entry)?.request(sentVars(entry))
    } catch {
      return undefined
    }
  }

  async #send(entry: Entry, request: WriteRequest, signal: AbortSignal): Promise<void> {
    this.#enter('sending')
    // What woke it before is served by this request; what wakes it from here on is worth another.
    this.#sleeper.attend()
    if (isUndated(entry)) return this.#date(signal)
    const answer = await this.#parts.ask(request, signal)
    signal.throwIfAborted()
    if (answer.kind === 'none') {
      await this.#tellOfSilence(entry, signal)
      return this.#standOff(answer.retryAfter, signal)
    }
    this.#failures = 0
    this.#silences = 0
    if (answer.kind === 'signed-out') {
      this.#enter('signed-out')
      this.#parts.onSignedOut()
      await this.#sleeper.sleep(signal)
      return
    }
    this.#unread.add(entry.list)
    const gone = answer.kind === 'refused' && answer.status === 404
    const write = knownWrite(this.#parts.writes, entry)
    if (answer.kind === 'done' || (gone && write?.fineWhenGone)) return this.#acknowledge(entry)
    // Another tab may have placed a later change of the row that this one has not heard of yet.
    if (gone) await this.#parts.mirror.reread()
    if (gone && this.#hasLater(entry)) {
      this.#undecided.add(entry.id)
      return
    }
    console.warn(`${entry.refusal}: ${answer.status} ${answer.failure.code}`)
    const reason = gone ? 'It no longer exists.' : answer.failure.message
    const [first = entry] = this.#undecidedBefore(entry)
    await this.#parts.outbox.takeOut(first, { reason, retriable: answer.status >= 500 })
  }

  /** Where the row is there again the server has what was made before, too. */
  async #acknowledge(entry: Entry): Promise<void> {
    for (const before of this.#undecidedBefore(entry)) await this.#parts.outbox.acknowledge(before)
    await this.#parts.outbox.acknowledge(entry)
  }

  #undecidedBefore(entry: Entry): Entry[] {
    return this.#parts.outbox.queued.filter(
      (other) => other.seq < entry.seq && isOfSameRow(other, entry) && this.#undecided.has(other.id),
    )
  }

  #hasLater(entry: Entry): boolean {
    return this.#parts.outbox.queued.some(
      (other) => other.seq > entry.seq && isOfSameRow(other, entry) && !this.#undecided.has(other.id),
    )
  }

  /** The server's time is asked for before anything is sent that was made without knowing it. */
  async #date(signal: AbortSignal): Promise<void> {
    const { ask, clock, outbox } = this.#parts
    if (clock.ahead === undefined) {
      const answer = await ask(anything, signal)
      signal.throwIfAborted()
      if (answer.kind === 'none') return this.#standOff(answer.retryAfter, signal)
    }
    await outbox.date(clock.ahead ?? 0)
  }

  /** Whoever is only without a connection need not decide anything; whose server answers to all else may give it up. */
  async #tellOfSilence(entry: Entry, signal: AbortSignal): Promise<void> {
    if (this.#failures < patientFailures) return
    const answer = await this.#parts.ask(anything, signal)
    signal.throwIfAborted()
    this.#silences = answer.kind === 'done' ? this.#silences + 1 : 0
    // Once it may be the connection, which has just come back.
    if (this.#silences > 1) this.#parts.outbox.hold(entry, unanswered)
  }

  async #standOff(retryAfter: number | undefined, signal: AbortSignal): Promise<void> {
    this.#failures += 1
    if (retryAfter === undefined) {
      this.#enter('blocked')
      await this.#sleeper.sleep(signal, backOff(this.#failures))
      return
    }
    this.#enter('put-off')
    await this.#parts.pause(retryAfter, signal)
  }

  #refresh(): void {
    for (const list of this.#unread) {
      this.#reading.add(list)
      void this.#parts.refresh(list).finally(() => this.#reading.delete(list))
    }
    this.#unread.clear()
  }

  #enter(state: SenderState): void {
    if (this.state === state) return
    this.state = state
    this.#parts.onState()
  }
}
