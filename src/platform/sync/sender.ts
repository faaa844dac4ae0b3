import type { Answer, Request } from './answer.ts'
import { backOff } from './back-off.ts'
import { type Answered, batchAnswers, batchRequest, fitting, type Sendable } from './batch.ts'
import { type Entry, isOfSameRow, rowOf } from './entry.ts'
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
  /** Only rows are left that something between here and the server does not let through: each is tried again. */
  | 'waiting'
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
  /** Whether the server answers to something that it always answers. */
  probe(): Promise<boolean>
  /** Reads a list again, since writes to it were answered. Settles when that has ended, well or not. */
  refresh(list: string): Promise<unknown>
  onSignedOut(): void
  /** Why the server could not store what it was sent just now, in its words; undefined where it could. */
  onTrouble(trouble: string | undefined): void
  onState(): void
  /** Has the tab that sends look whether it can. */
  remind(): void
  /** Rejects when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Answers that come this close together end in one read of the list. */
const settling = 150
/** Longer than a request may take. */
const stalling = 45_000
const untilReminded = 3_000
/** Tries of a write to which something else answers in the server's place, as a firewall does that dislikes a text. */
const triesWhenRefused = 3
/** Tries of a write to which nothing answers, though the server answers to others. */
const triesInSilence = 10
/** What a person does at a time, such as saving a session, which ends the timer too, goes to the calls that are specified. */
const worthTogether = 4
const refusedBetween = 'The server, or something in front of it, refuses this change.'
const anotherVersion = "It was made in another version of Daymark. It's kept on this device."

/**
 * Sends the queued writes of an account while this tab has the turn, several in one request: those of a row in their order,
 * and what becomes of one row holds up no other.
 */
export class Sender {
  state: SenderState = 'elsewhere'
  #parts: SenderParts
  #running: AbortController | undefined
  #sleeper: Sleeper
  #failures = 0
  /** How often a write got no answer while the server answered to something else. */
  #tries = new Map<string, number>()
  /** Rows that wait before their first write is tried again. */
  #resting = new Map<string, AbortController>()
  /** Of a batch that got no answer: one of these may be why. */
  #suspects: ReadonlySet<string> = new Set()
  /** The server does not know batches, as one of an earlier version, until all is sent. */
  #onlyAlone = false
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

  /** The connection may be another one, or the person is back: nothing waits any longer. */
  tryNow(): void {
    this.#endRests()
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
        await this.#sleeper.sleep(signal, backOff(this.#failures, this.#parts.visible())).catch(() => {})
      }
    }
  }

  /** Something waits, the person looks at this tab, and nothing moves. */
  async #stalled(signal: AbortSignal): Promise<void> {
    const { outbox, pause, visible } = this.#parts
    for (;;) {
      const first = outbox.queued[0]?.id
      const over = new AbortController()
      this.#remind(AbortSignal.any([signal, over.signal])).catch(() => {})
      await pause(stalling, signal)
      over.abort()
      if (first !== undefined && first === outbox.queued[0]?.id && visible()) return
    }
  }

  /** A tab out of sight that sends looks less often whether the server answers again. */
  async #remind(signal: AbortSignal): Promise<void> {
    const { outbox, pause, visible, remind } = this.#parts
    for (;;) {
      await pause(untilReminded, signal)
      if (outbox.queued.length > 0 && visible()) remind()
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
    this.#endRests()
    this.#findUnread()
    for (;;) {
      signal.throwIfAborted()
      const sendable = this.#sendable()
      if (sendable.length > 0) {
        await this.#send(this.#batch(sendable), signal)
        continue
      }
      this.#onlyAlone = false
      this.#enter(this.#resting.size > 0 ? 'waiting' : 'idle')
      if (this.#unread.size > 0) {
        const quiet = await this.#sleeper.sleep(signal, settling)
        if (quiet) this.#refresh()
        continue
      }
      if (outbox.queued.length > 0 && this.#resting.size === 0) return
      await this.#sleeper.sleep(signal)
      this.#findUnread()
    }
  }

  /** A read may have failed, or the tab that should have made it may be gone. */
  #findUnread(): void {
    for (const list of this.#parts.outbox.unseen) if (!this.#reading.has(list)) this.#unread.add(list)
  }

  /** All that can be sent now, in order: what builds on a write that cannot waits with it. */
  #sendable(): Sendable[] {
    const held = new Set<string>()
    const sendable: Sendable[] = []
    for (const entry of this.#parts.outbox.queued) {
      const row = rowOf(entry)
      if (held.has(row) || this.#resting.has(row)) continue
      if (this.#undecided.has(entry.id) && this.#hasLater(entry)) continue
      const request = this.#requestOf(entry)
      if (request) sendable.push({ entry, request })
      else held.add(row)
    }
    return sendable
  }

  #requestOf(entry: Entry): WriteRequest | undefined {
    try {
      return knownWrite(this.#parts.writes, entry)?.request(sentVars(entry))
    } catch {
      return undefined
    }
  }

  /** What is sent next. One that is tried again goes alone, and of suspects half, until it is clear which it is. */
  #batch(sendable: readonly Sendable[]): readonly Sendable[] {
    const again = sendable.find(({ entry }) => this.#tries.has(entry.id))
    if (again) return [again]
    if (this.#onlyAlone) return sendable.slice(0, 1)
    const suspects = sendable.filter(({ entry }) => this.#suspects.has(entry.id))
    if (suspects.length > 0) return fitting(suspects.slice(0, Math.ceil(suspects.length / 2)))
    return sendable.length < worthTogether ? sendable.slice(0, 1) : fitting(sendable)
  }

  async #send(batch: readonly Sendable[], signal: AbortSignal): Promise<void> {
    this.#enter('sending')
    // What woke it before is served by this request; what wakes it from here on is worth another.
    this.#sleeper.attend()
    if (batch.some(({ entry }) => isUndated(entry))) return this.#date(signal)
    const [alone, ...others] = batch
    const isBatch = others.length > 0
    if (!alone) return
    const answer = await this.#parts.ask(isBatch ? batchRequest(batch) : alone.request, signal)
    signal.throwIfAborted()
    if (!isBatch || answer.kind === 'signed-out') {
      return this.#settle([{ entry: alone.entry, answer }], signal)
    }
    const answered = answer.kind === 'done' && batchAnswers(batch, answer.body, answer.date)
    if (answered) return this.#settle(answered, signal)
    // A server of an earlier version does not know the call.
    if (answer.kind === 'refused' && [404, 405].includes(answer.status)) this.#onlyAlone = true
    // Which of them is why is found by sending fewer.
    else if (answer.kind !== 'none' || (await this.#answersToOthers(answer, signal))) {
      this.#suspects = new Set(batch.map(({ entry }) => entry.id))
    }
  }

  /** Acknowledges what was done, and takes out what was refused. */
  async #settle(answered: readonly Answered[], signal: AbortSignal): Promise<void> {
    const { outbox, mirror } = this.#parts
    if (answered.some(({ answer }) => answer.kind === 'signed-out')) {
      this.#enter('signed-out')
      this.#parts.onSignedOut()
      await this.#sleeper.sleep(signal)
      return
    }
    this.#parts.onTrouble(answered.map(({ answer }) => troubleOf(answer)).find(Boolean))
    const refused: { entry: Entry; answer: Refused }[] = []
    const done: Entry[] = []
    for (const { entry, answer } of answered) {
      if (answer.kind !== 'done' && answer.kind !== 'refused') continue
      this.#failures = 0
      this.#tries.delete(entry.id)
      this.#unread.add(entry.list)
      if (answer.kind === 'done' || (isGone(answer) && this.#isFineWhenGone(entry))) done.push(entry)
      else refused.push({ entry, answer })
    }
    const decided = new Set(answered.map(({ entry }) => entry.id))
    this.#suspects = new Set([...this.#suspects].filter((id) => !decided.has(id)))
    // Where the row is there again the server has what was made before, too.
    await outbox.acknowledge(done.flatMap((entry) => [...this.#undecidedBefore(entry), entry]))
    // Another tab may have placed a later change of a row that this one has not heard of yet.
    if (refused.some(({ answer }) => isGone(answer))) await mirror.reread()
    for (const { entry, answer } of refused) await this.#refuse(entry, answer)
    for (const { entry, answer } of answered) {
      if (answer.kind === 'none') return this.#standBack(entry, answer, signal)
    }
  }

  #isFineWhenGone(entry: Entry): boolean {
    return knownWrite(this.#parts.writes, entry)?.fineWhenGone === true
  }

  async #refuse(entry: Entry, answer: Refused): Promise<void> {
    if (isGone(answer) && this.#hasLater(entry)) {
      this.#undecided.add(entry.id)
      return
    }
    console.warn(`${entry.refusal}: ${answer.status} ${answer.failure.code}`)
    const reason = isGone(answer) ? 'It no longer exists.' : answer.failure.message
    await this.#takeOut(entry, reason, answer.status >= 500)
  }

  /** With those before it that were not decided either. */
  async #takeOut(entry: Entry, reason: string, retriable: boolean): Promise<void> {
    const [first = entry] = this.#undecidedBefore(entry)
    await this.#parts.outbox.takeOut(first, { reason, retriable })
  }

  #undecidedBefore(entry: Entry): Entry[] {
    if (this.#undecided.size === 0) return []
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
    const { probe, clock, outbox } = this.#parts
    if (clock.ahead === undefined) {
      const answers = await probe()
      signal.throwIfAborted()
      if (!answers) return this.#standOff(undefined, signal)
    }
    await outbox.date(clock.ahead ?? 0)
  }

  /** A write got no answer: where others do, its row waits and nothing else, and in the end it is told as refused. */
  async #standBack(entry: Entry, answer: Unanswered, signal: AbortSignal): Promise<void> {
    if (!(await this.#answersToOthers(answer, signal))) return
    const tries = (this.#tries.get(entry.id) ?? 0) + 1
    this.#suspects = new Set()
    if (tries < (answer.by === undefined ? triesInSilence : triesWhenRefused)) {
      this.#tries.set(entry.id, tries)
      this.#rest(rowOf(entry), backOff(tries, this.#parts.visible()), signal)
      return
    }
    this.#tries.delete(entry.id)
    console.warn(`${entry.refusal}: no answer of the server, which answers to others`)
    this.#unread.add(entry.list)
    await this.#takeOut(entry, refusedBetween, true)
  }

  /** Whether the server takes other requests now; where it does not, it was waited for. */
  async #answersToOthers({ by, retryAfter }: Unanswered, signal: AbortSignal): Promise<boolean> {
    if (by !== 'server' && retryAfter === undefined) {
      const answers = await this.#parts.probe()
      signal.throwIfAborted()
      if (answers) {
        this.#failures = 0
        return true
      }
    }
    await this.#standOff(retryAfter, signal)
    return false
  }

  #rest(row: string, milliseconds: number, signal: AbortSignal): void {
    const over = new AbortController()
    this.#resting.set(row, over)
    const end = () => {
      if (this.#resting.get(row) !== over) return
      this.#resting.delete(row)
      this.#sleeper.wake()
    }
    this.#parts.pause(milliseconds, AbortSignal.any([signal, over.signal])).then(end, end)
  }

  #endRests(): void {
    for (const rest of this.#resting.values()) rest.abort()
    this.#resting.clear()
  }

  async #standOff(retryAfter: number | undefined, signal: AbortSignal): Promise<void> {
    this.#failures += 1
    if (retryAfter === undefined) {
      this.#enter('blocked')
      await this.#sleeper.sleep(signal, backOff(this.#failures, this.#parts.visible()))
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

type Refused = Extract<Answer, { kind: 'refused' }>
type Unanswered = Extract<Answer, { kind: 'none' }>

function troubleOf(answer: Answer): string | undefined {
  return answer.kind === 'none' ? answer.trouble : undefined
}

function isGone({ status }: Refused): boolean {
  return status === 404
}
