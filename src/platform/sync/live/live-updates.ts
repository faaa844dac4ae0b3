import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import type { CarriedResponse } from '#platform/wire/live-event.ts'
import { backOff } from '../network/back-off.ts'
import { Sleeper } from '../network/sleeper.ts'
import { asLeader, type Leadership } from '../tabs/leader.ts'
import type { AnnouncedChanges } from './changed-collections.ts'
import type { OpenEvents, ReceivedEvent } from './open-events.ts'

export interface LiveUpdatesParts {
  account: string
  open: OpenEvents
  /** Resolves once `leadership` can be called. */
  ready: Promise<void>
  leadership(): Omit<Leadership, 'stalled'>
  /** The server's revision at which every collection in this tab was read; undefined if the collections differ. */
  readRevision(): string | undefined
  /**
   * Reads what changed, for all tabs: called in the tab that holds the stream. `carried`: what the event carries of it. Resolves with
   * false if any read failed.
   */
  reread(
    message: AnnouncedChanges,
    signal: AbortSignal,
    carried?: readonly CarriedResponse[],
  ): Promise<boolean>
  onSignedOut(): void
  /** Whether the person is looking at this tab. */
  visible(): boolean
  online(): boolean
  /** A clock that keeps running while the device sleeps. */
  now(): Instant
  /** Resolves after `milliseconds`. Rejects when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

export type Listener = (collections: readonly string[] | undefined) => void
type ConnectionEnd = { after: number } | 'at once'

const idleRetryDelay = 60_000
/** Milliseconds without any event before the stream counts as broken. The server sends a heartbeat every 25 seconds. */
const silenceTimeout = 60_000
/** Milliseconds to wait after a sign-out by the server: the response to a new password may still bring a new cookie. */
const newCookieDelay = 1_500
const signedOutRetryDelay = 4_000
const crowdedRetryDelay = 300_000
const leaderCheckInterval = 45_000
const leaderReplyTimeout = 3_000

/** Tabs ask which tab holds the stream, and pass on which collections changed, but never their contents. */
const messageSchema = z.union([
  z.literal('who holds it?'),
  z.literal('this tab'),
  z.object({ revision: z.string(), lists: z.optional(z.array(z.string())) }),
])

/**
 * Receives from the server which collections changed, on whatever device. One tab holds the stream for all tabs of the account,
 * because a browser opens only six connections to a host.
 */
export class LiveUpdates {
  readonly #parts: LiveUpdatesParts
  readonly #listeners = new Set<Listener>()
  #running: AbortController | undefined
  #channel: BroadcastChannel | undefined
  /**
   * The last revision from this tab's own stream. A revision that another tab received does not count: that tab may close before
   * it has read the changes.
   */
  #lastRevision: string | undefined
  /** Whether an announced change still has to be read. */
  #unread = false
  #isLeader = false
  #leaderReplied = false
  #connection: AbortController | undefined
  #sleeper: Sleeper
  #lastActivity = 0
  #failures = 0

  constructor(parts: LiveUpdatesParts) {
    this.#parts = parts
    this.#sleeper = new Sleeper(parts.pause)
  }

  start(): void {
    this.stop()
    this.#running = new AbortController()
    this.#channel = new BroadcastChannel(`daymark-live-${this.#parts.account}`)
    this.#channel.onmessage = ({ data }) => this.#onMessage(data)
    void this.#run(this.#running.signal)
  }

  stop(): void {
    this.#running?.abort()
    this.#running = undefined
    this.#channel?.close()
  }

  /** Call it when the person or the connection is back: tries again now, and replaces a stream that has been silent. */
  wake(): void {
    if (Math.abs(this.#parts.now() - this.#lastActivity) > leaderCheckInterval) this.#connection?.abort()
    this.#sleeper.wake()
  }

  /** Reconnects: a stream on the old connection may never notice that the connection is gone. */
  connectionChanged(): void {
    if (!this.#parts.online()) return
    this.#connection?.abort()
    this.#sleeper.wake()
  }

  /**
   * Calls the listener with the wire names of the collections that changed, or with undefined if any may have changed. Returns an
   * unsubscribe function.
   */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #run(signal: AbortSignal): Promise<void> {
    await this.#parts.ready
    while (!signal.aborted) {
      try {
        const leadership = {
          ...this.#parts.leadership(),
          stalled: (waiting: AbortSignal) => this.#stalled(waiting),
        }
        await asLeader(leadership, signal, (whileLeader) => this.#holdStream(whileLeader))
      } catch (error) {
        if (signal.aborted) return
        console.warn('Hearing of changes stopped and starts again', error)
        await this.#sleeper.sleep(signal, idleRetryDelay).catch(() => {})
      }
    }
  }

  /** Resolves if the person looks at this tab and the tab with the stream does not reply: browsers freeze hidden tabs. */
  async #stalled(signal: AbortSignal): Promise<void> {
    do {
      await this.#sleeper.sleep(signal, leaderCheckInterval)
      if (!this.#parts.visible()) continue
      this.#leaderReplied = false
      this.#channel?.postMessage('who holds it?')
      await this.#parts.pause(leaderReplyTimeout, signal)
    } while (this.#leaderReplied || !this.#parts.visible())
  }

  async #holdStream(signal: AbortSignal): Promise<void> {
    this.#isLeader = true
    try {
      for (;;) {
        const connection = new AbortController()
        this.#connection = connection
        const ending = await this.#connect(AbortSignal.any([signal, connection.signal]), connection)
        signal.throwIfAborted()
        if (connection.signal.aborted || ending === 'at once') continue
        await this.#sleeper.sleep(signal, this.#parts.online() ? ending.after : idleRetryDelay)
      }
    } finally {
      this.#isLeader = false
    }
  }

  async #connect(signal: AbortSignal, connection: AbortController): Promise<ConnectionEnd> {
    const { account, open, onSignedOut, readRevision } = this.#parts
    const watch = this.#watchForSilence(signal, connection)
    const opened = await open(account, this.#lastRevision ?? readRevision(), signal)
    try {
      if (opened.kind === 'open') return await this.#followEvents(opened.events, watch.onActivity, signal)
    } catch {
      // The stream broke off, as it does when the server or the connection goes away.
    } finally {
      watch.end()
    }
    if (opened.kind === 'signed-out' && !signal.aborted) {
      onSignedOut()
      return { after: idleRetryDelay }
    }
    if (opened.kind === 'none' && opened.retryAfter !== undefined) return { after: opened.retryAfter }
    return { after: this.#backOff() }
  }

  async #followEvents(
    events: AsyncIterable<ReceivedEvent>,
    onActivity: () => void,
    signal: AbortSignal,
  ): Promise<ConnectionEnd> {
    for await (const received of events) {
      onActivity()
      if (signal.aborted) return 'at once'
      this.#failures = 0
      if (received === 'heartbeat') {
        this.#readUnread()
        continue
      }
      const { revision, event } = received
      if (event.event === 'crowded') return { after: crowdedRetryDelay }
      if (event.event === 'signed-out') {
        await this.#parts.pause(newCookieDelay, signal)
        this.#parts.onSignedOut()
        return { after: signedOutRetryDelay }
      }
      const before = this.#lastRevision ?? this.#parts.readRevision()
      this.#lastRevision = revision
      // An empty revision means that nothing has ever been written.
      if (event.event === 'current' || revision === before || revision === '') this.#readUnread()
      else this.#announce({ revision, lists: event.lists }, before, event.carried)
    }
    return { after: this.#backOff() }
  }

  #announce(
    message: AnnouncedChanges,
    before: string | undefined,
    carried?: readonly CarriedResponse[],
  ): void {
    // While the page starts, everything it shows is being read anyway.
    if (before !== undefined || message.lists) {
      this.#channel?.postMessage(message)
      this.#notifyListeners(message)
    }
    void this.#read(message, carried)
  }

  /** Reads the changes, even if the connection breaks off meanwhile: the next stream does not announce them again. */
  async #read(message: AnnouncedChanges, carried?: readonly CarriedResponse[]): Promise<void> {
    if (!this.#running) return
    // `reread` rejects if live updates stop meanwhile. The screen that shows the collection reports a failed read.
    const read = await this.#parts.reread(message, this.#running.signal, carried).catch(() => false)
    if (!read) this.#unread = true
  }

  /** Reads changes whose read failed before. Called at every heartbeat, so a failing server is asked no more often than that. */
  #readUnread(): void {
    if (!this.#unread || this.#lastRevision === undefined) return
    this.#unread = false
    void this.#read({ revision: this.#lastRevision })
  }

  #notifyListeners({ lists }: AnnouncedChanges): void {
    for (const listener of this.#listeners) listener(lists)
  }

  #onMessage(data: unknown): void {
    const message = messageSchema.safeParse(data).data
    if (message === 'who holds it?') {
      if (this.#isLeader) this.#channel?.postMessage('this tab')
    } else if (message === 'this tab') {
      this.#leaderReplied = true
    } else if (message) {
      this.#notifyListeners(message)
    }
  }

  /** Aborts a connection on which nothing arrives any more. */
  #watchForSilence(signal: AbortSignal, connection: AbortController): { onActivity(): void; end(): void } {
    let timer = new AbortController()
    const onActivity = () => {
      // The connection works, so earlier calls of `wake` need no further attempt.
      this.#sleeper.clearWakeUp()
      timer.abort()
      timer = new AbortController()
      this.#lastActivity = this.#parts.now()
      this.#parts.pause(silenceTimeout, AbortSignal.any([signal, timer.signal])).then(
        () => connection.abort(),
        () => {},
      )
    }
    onActivity()
    return { onActivity, end: () => timer.abort() }
  }

  /** Counts one more failure and returns how long to wait, in milliseconds. */
  #backOff(): number {
    this.#failures += 1
    return backOff(this.#failures, this.#parts.visible())
  }
}
