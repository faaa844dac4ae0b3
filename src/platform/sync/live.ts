import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import { backOff } from './back-off.ts'
import type { Told } from './changed-lists.ts'
import type { Heard, OpenEvents } from './open-events.ts'
import { Sleeper } from './sleeper.ts'
import { inTurn, type Turn } from './turn.ts'

export interface LiveParts {
  account: string
  open: OpenEvents
  /** Resolves once it is known what `turn` goes by. */
  ready: Promise<void>
  turn(): Omit<Turn, 'stalled'>
  /** The revision that all of what this tab has read is known at; undefined where that is not one. */
  readAt(): string | undefined
  /** In the tab that holds the stream, which reads for all of them. False where something could not be read. */
  reread(told: Told, signal: AbortSignal): Promise<boolean>
  onSignedOut(): void
  /** The person looks at this tab. */
  visible(): boolean
  online(): boolean
  /** Of a clock that goes on while the device sleeps. */
  now(): Instant
  /** Rejects when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

type Listener = (lists: readonly string[] | undefined) => void
type Ending = { after: number } | 'at once'

const untilSomethingChanges = 60_000
/** The server gives a sign of life every 25 seconds. */
const silence = 60_000
/** Where another answer, such as that of a new password, is still to bring the cookie that takes the place of the old one. */
const cookieOnItsWay = 1_500
const untilSignedInAgain = 4_000
const untilLessCrowded = 300_000
const lookAfterHolder = 45_000
const answerOfHolder = 3_000

/** Tabs ask who holds the stream, and are told what was heard by it: never what it was changed to. */
const messageSchema = z.union([
  z.literal('who holds it?'),
  z.literal('this tab'),
  z.object({ revision: z.string(), lists: z.optional(z.array(z.string())) }),
])

/**
 * Hears from the server which lists were changed, on whatever device. One tab holds the stream for all tabs of the account:
 * a browser has six connections to a host for all of them.
 */
export class Live {
  readonly #parts: LiveParts
  readonly #listeners = new Set<Listener>()
  #running: AbortController | undefined
  #channel: BroadcastChannel | undefined
  /** What this tab was told itself by the stream: what it hears from another tab, that one may be closed before reading. */
  #seen: string | undefined
  /** Something that was told is still to be read. */
  #unread = false
  #holds = false
  #holderAnswered = false
  #connection: AbortController | undefined
  #sleeper: Sleeper
  #lastSign = 0
  #failures = 0

  constructor(parts: LiveParts) {
    this.#parts = parts
    this.#sleeper = new Sleeper(parts.pause)
  }

  start(): void {
    this.stop()
    this.#running = new AbortController()
    this.#channel = new BroadcastChannel(`daymark-live-${this.#parts.account}`)
    this.#channel.onmessage = ({ data }) => this.#hear(data)
    void this.#run(this.#running.signal)
  }

  stop(): void {
    this.#running?.abort()
    this.#running = undefined
    this.#channel?.close()
  }

  /** The person is back, or the connection: try now, and do not trust a stream that was silent. */
  wake(): void {
    if (Math.abs(this.#parts.now() - this.#lastSign) > lookAfterHolder) this.#connection?.abort()
    this.#sleeper.wake()
  }

  /** What holds on to a connection of before may never find out that it is gone. */
  connectionChanged(): void {
    if (!this.#parts.online()) return
    this.#connection?.abort()
    this.#sleeper.wake()
  }

  /** Hears which lists were changed by their names on the wire, or undefined where any may have been. Answers the way back. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #run(signal: AbortSignal): Promise<void> {
    await this.#parts.ready
    while (!signal.aborted) {
      try {
        const turn = {
          ...this.#parts.turn(),
          stalled: (waiting: AbortSignal) => this.#stalled(waiting),
        }
        await inTurn(turn, signal, (ours) => this.#hold(ours))
      } catch (error) {
        if (signal.aborted) return
        console.warn('Hearing of changes stopped and starts again', error)
        await this.#sleeper.sleep(signal, untilSomethingChanges).catch(() => {})
      }
    }
  }

  /** The person looks at this tab, and the one that holds the stream does not answer: browsers freeze those out of sight. */
  async #stalled(signal: AbortSignal): Promise<void> {
    do {
      await this.#sleeper.sleep(signal, lookAfterHolder)
      if (!this.#parts.visible()) continue
      this.#holderAnswered = false
      this.#channel?.postMessage('who holds it?')
      await this.#parts.pause(answerOfHolder, signal)
    } while (this.#holderAnswered || !this.#parts.visible())
  }

  async #hold(signal: AbortSignal): Promise<void> {
    this.#holds = true
    try {
      for (;;) {
        const connection = new AbortController()
        this.#connection = connection
        const ending = await this.#connect(AbortSignal.any([signal, connection.signal]), connection)
        signal.throwIfAborted()
        if (connection.signal.aborted || ending === 'at once') continue
        await this.#sleeper.sleep(signal, this.#parts.online() ? ending.after : untilSomethingChanges)
      }
    } finally {
      this.#holds = false
    }
  }

  async #connect(signal: AbortSignal, connection: AbortController): Promise<Ending> {
    const { account, open, onSignedOut, readAt } = this.#parts
    const watched = this.#watch(signal, connection)
    const opened = await open(account, this.#seen ?? readAt(), signal)
    try {
      if (opened.kind === 'open') return await this.#follow(opened.heard, watched.sign, signal)
    } catch {
      // It broke off, as it does when the server or the connection goes away.
    } finally {
      watched.end()
    }
    if (opened.kind === 'signed-out' && !signal.aborted) {
      onSignedOut()
      return { after: untilSomethingChanges }
    }
    if (opened.kind === 'none' && opened.retryAfter !== undefined) return { after: opened.retryAfter }
    return { after: this.#backOff() }
  }

  async #follow(heard: AsyncIterable<Heard>, sign: () => void, signal: AbortSignal): Promise<Ending> {
    for await (const each of heard) {
      sign()
      if (signal.aborted) return 'at once'
      this.#failures = 0
      if (each === 'beat') {
        this.#readWhatIsUnread()
        continue
      }
      const { revision, said } = each
      if (said.event === 'crowded') return { after: untilLessCrowded }
      if (said.event === 'signed-out') {
        await this.#parts.pause(cookieOnItsWay, signal)
        this.#parts.onSignedOut()
        return { after: untilSignedInAgain }
      }
      const before = this.#seen ?? this.#parts.readAt()
      this.#seen = revision
      // Nothing was ever written before the first revision.
      if (said.event === 'current' || revision === before || revision === '') this.#readWhatIsUnread()
      else this.#tell({ revision, lists: said.lists }, before)
    }
    return { after: this.#backOff() }
  }

  #tell(told: Told, before: string | undefined): void {
    // At the start of a page all that it shows is being read as it is.
    if (before !== undefined || told.lists) {
      this.#channel?.postMessage(told)
      this.#tellListeners(told)
    }
    void this.#read(told)
  }

  /** Goes on when the connection breaks off: the next one begins after what was told on this one. */
  async #read(told: Told): Promise<void> {
    if (!this.#running) return
    // Rejects when this is stopped meanwhile; a failed read is told by whoever shows the list.
    const read = await this.#parts.reread(told, this.#running.signal).catch(() => false)
    if (!read) this.#unread = true
  }

  /** At every sign of life, so that a server which fails at a list is asked for it no more often than that. */
  #readWhatIsUnread(): void {
    if (!this.#unread || this.#seen === undefined) return
    this.#unread = false
    void this.#read({ revision: this.#seen })
  }

  #tellListeners({ lists }: Told): void {
    for (const listener of this.#listeners) listener(lists)
  }

  #hear(data: unknown): void {
    const message = messageSchema.safeParse(data).data
    if (message === 'who holds it?') {
      if (this.#holds) this.#channel?.postMessage('this tab')
    } else if (message === 'this tab') {
      this.#holderAnswered = true
    } else if (message) {
      this.#tellListeners(message)
    }
  }

  /** Gives up a connection on which nothing comes any more. */
  #watch(signal: AbortSignal, connection: AbortController): { sign(): void; end(): void } {
    let timing = new AbortController()
    const sign = () => {
      // What woke it before is served by this connection.
      this.#sleeper.attend()
      timing.abort()
      timing = new AbortController()
      this.#lastSign = this.#parts.now()
      this.#parts.pause(silence, AbortSignal.any([signal, timing.signal])).then(
        () => connection.abort(),
        () => {},
      )
    }
    sign()
    return { sign, end: () => timing.abort() }
  }

  /** How long to wait after one failure more. */
  #backOff(): number {
    this.#failures += 1
    return backOff(this.#failures, this.#parts.visible())
  }
}
