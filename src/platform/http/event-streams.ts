import type { Logger } from 'pino'
import type { Instant } from '#platform/calendar/day.ts'
import type { Changes } from '#platform/database/changes.ts'
import { EventStream, type Opening } from './event-stream.ts'

/** More devices than anybody looks at at the same time. */
const mostOfUser = 20
/** Proxies end connections on which nothing comes for a minute. */
const beatEvery = 25_000
const lookEvery = 1_000
const complainEvery = 60_000

/** Every open stream of server-sent events of this process. */
export class EventStreams {
  readonly #changes: Pick<Changes, 'listen'>
  readonly #clock: () => Instant
  readonly #log: Pick<Logger, 'warn'>
  readonly #open = new Map<string, Set<EventStream>>()
  #timer: NodeJS.Timeout | undefined
  #closed = false
  #complainedAt = Number.NEGATIVE_INFINITY

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
      begun: (begun) => this.#add(begun),
      ended: (ended) => this.#remove(ended),
      unanswered: () => this.#complain(),
    })
    return stream.body
  }

  /** Whoever has heard nothing for long enough is given a sign of life. Called every second while there is anybody. */
  beat(): void {
    const now = this.#clock()
    for (const streams of this.#open.values()) {
      for (const stream of streams) if (now - stream.beatAt >= beatEvery) stream.beat(now)
    }
  }

  /** Ends them all; who comes later is ended at once. */
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
    this.#timer ??= setInterval(() => this.beat(), lookEvery).unref()
    if (streams.size > mostOfUser) crowdedOut(streams)?.end('crowded')
  }

  /** Browsers come again, and nobody sees why nothing is told to them. */
  #complain(): void {
    const now = this.#clock()
    if (now - this.#complainedAt < complainEvery) return
    this.#complainedAt = now
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

/**
 * The oldest of the sign-in session that has the most. A device whose connection keeps dying without a word, such as a phone
 * on a train, pushes out its own dead streams, and no other device's live one.
 */
function crowdedOut(streams: ReadonlySet<EventStream>): EventStream | undefined {
  const ofSessions = [...Map.groupBy(streams, ({ session }) => session).values()]
  const most = Math.max(...ofSessions.map(({ length }) => length))
  return ofSessions.find(({ length }) => length === most)?.[0]
}
