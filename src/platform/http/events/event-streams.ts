import type { Logger } from 'pino'
import type { Instant } from '#platform/calendar/day.ts'
import type { Changes } from '#platform/database/changes.ts'
import { EventStream, type Opening } from './event-stream.ts'

/** The most streams of one user: more than anyone's devices open at the same time. */
const maxPerUser = 20
/** Milliseconds between two heartbeats. Proxies close connections that are silent for a minute. */
const heartbeatEvery = 25_000
const checkEvery = 1_000
const warnEvery = 60_000

/** Every open server-sent event stream of this process. */
export class EventStreams {
  readonly #changes: Pick<Changes, 'listen'>
  readonly #clock: () => Instant
  readonly #log: Pick<Logger, 'warn'>
  readonly #open = new Map<string, Set<EventStream>>()
  #timer: NodeJS.Timeout | undefined
  #closed = false
  #warnedAt = Number.NEGATIVE_INFINITY

  constructor(changes: Pick<Changes, 'listen'>, clock: () => Instant, log: Pick<Logger, 'warn'>) {
    this.#changes = changes
    this.#clock = clock
    this.#log = log
  }

  get size(): number {
    return [...this.#open.values()].reduce((sum, { size }) => sum + size, 0)
  }

  open(opening: Opening): ReadableStream<Uint8Array> {
    const stream = new EventStream(opening, {
      changes: this.#changes,
      now: this.#clock(),
      onBegun: (begun) => this.#add(begun),
      onEnded: (ended) => this.#remove(ended),
      onDatabaseFailure: () => this.#warn(),
    })
    return stream.body
  }

  /** Sends a heartbeat on every stream that is due for one. Called every second while any stream is open. */
  heartbeat(): void {
    const now = this.#clock()
    for (const streams of this.#open.values()) {
      for (const stream of streams)
        if (isAtLeast(heartbeatEvery, stream.heartbeatAt, now)) stream.heartbeat(now)
    }
  }

  /** Ends every stream; one that opens later ends at once. */
  close(): void {
    this.#closed = true
    for (const streams of this.#open.values()) for (const stream of streams) stream.end()
  }

  #add(stream: EventStream): void {
    if (this.#closed) {
      stream.end()
      return
    }
    const streams = this.#open.get(stream.user) ?? new Set()
    this.#open.set(stream.user, streams)
    streams.add(stream)
    this.#timer ??= setInterval(() => this.heartbeat(), checkEvery).unref()
    if (streams.size > maxPerUser) streamToEvict(streams)?.end('crowded')
  }

  /** Warns in the log. Browsers reconnect silently, so without the warning nobody would see the reason. */
  #warn(): void {
    const now = this.#clock()
    if (!isAtLeast(warnEvery, this.#warnedAt, now)) return
    this.#warnedAt = now
    this.#log.warn('Event streams ended: the database did not answer')
  }

  #remove(stream: EventStream): void {
    const streams = this.#open.get(stream.user)
    streams?.delete(stream)
    if (streams?.size === 0) this.#open.delete(stream.user)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Whether the time has passed. A clock that was set back must not stop heartbeats. */
function isAtLeast(milliseconds: number, since: Instant, now: Instant): boolean {
  return Math.abs(now - since) >= milliseconds
}

/**
 * The oldest stream of the sign-in session that has the most streams. A device whose connection keeps dropping silently,
 * such as a phone on a train, thus evicts its own dead streams and never another device's live one.
 */
function streamToEvict(streams: ReadonlySet<EventStream>): EventStream | undefined {
  const ofSessions = [...Map.groupBy(streams, ({ session }) => session).values()]
  const most = Math.max(...ofSessions.map(({ length }) => length))
  return ofSessions.find(({ length }) => length === most)?.[0]
}
