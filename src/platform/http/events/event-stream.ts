import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '#platform/calendar/day.ts'
import type { Change, Changes } from '#platform/database/changes.ts'
import type { CarriedResponse, LiveEvent } from '#platform/wire/live-event.ts'

export interface Opening {
  user: string
  /** Identifies the sign-in session that opened the stream. */
  session: string
  /** The last revision that the client has seen. */
  lastEventId: string | undefined
  /** The user's current revision, '' if there is none yet; undefined once the sign-in session has ended. */
  readRevision(): Promise<{ revision: string } | undefined>
  /**
   * What a device that has these collections as of one revision would be sent at another. Resolves with as little as can be told
   * quickly.
   */
  readChanged?(
    collections: readonly string[],
    revisions: { since: string; until: string },
  ): Promise<CarriedResponse[]>
  /** Cuts the connection to a client that does not read. */
  cut(): void
}

interface StreamParts {
  changes: Pick<Changes, 'listen'>
  now: Instant
  onBegun(stream: EventStream): void
  onEnded(stream: EventStream): void
  /** Called when the stream ends because the database failed. */
  onDatabaseFailure(): void
}

const retryLine = 'retry: 2000\n\n'
/** With more changed rows than this, what they look like is surely too long to be carried by an event. */
const mostRowsCarried = 4
/** The most characters that an event carries. */
const mostCarried = 1_000
/** Milliseconds. An event doesn't wait longer for what it could carry: the person may have spent their budget. */
const longestWait = 50
/** Milliseconds for a client to read the final event. */
const patience = 10_000
const encoder = new TextEncoder()

/**
 * The server-sent events for one device. For a client that does not read, it keeps only the names of the collections to read
 * again, so the memory it needs is bounded.
 */
export class EventStream {
  readonly user: string
  readonly session: string
  /** When the last heartbeat was sent. */
  heartbeatAt: Instant
  /** Starts only when somebody reads it, so a request for the headers alone costs nothing. */
  readonly body: ReadableStream<Uint8Array>
  readonly #opening: Opening
  readonly #parts: StreamParts
  #stopListening = () => {}
  #state: 'new' | 'beginning' | 'open' | 'ended' = 'new'
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Whether the client is waiting for bytes. */
  #readerWaits = false
  #missedHeartbeat = false
  #revision = ''
  /** The number of changes received. While the stream opens, every notification counts. */
  #changeCount = 0
  #pending: { collections: Set<string> | 'all'; carried?: CarriedResponse[] } | undefined
  /** Whether the pending event still waits for what it could carry. */
  #isWaiting = false
  /** Whether something that an event could carry is still being read. */
  #isReading = false
  /** Text to send before the pending event, such as a heartbeat. */
  #prefix = ''
  #finalEvent = ''
  #cutTimer: NodeJS.Timeout | undefined

  constructor(opening: Opening, parts: StreamParts) {
    this.user = opening.user
    this.session = opening.session
    this.heartbeatAt = parts.now
    this.#opening = opening
    this.#parts = parts
    this.body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          this.#controller = controller
          this.#readerWaits = true
          if (this.#state === 'new') void this.#begin()
          else if (this.#state === 'ended') this.#sendFinalEvent()
          else this.#flush()
        },
        cancel: () => {
          clearTimeout(this.#cutTimer)
          this.#finish()
        },
      },
      { highWaterMark: 0 },
    )
  }

  /** Sends a heartbeat, and checks whether a change was missed or the sign-in session has ended. */
  heartbeat(now: Instant): void {
    this.heartbeatAt = now
    if (!this.#readerWaits) {
      if (this.#missedHeartbeat) this.#cut()
      this.#missedHeartbeat = true
      return
    }
    this.#missedHeartbeat = false
    this.#prefix ||= ':\n\n'
    this.#checkAndFlush()
  }

  /** Ends the stream, after a final event that gives the reason, if there is one. */
  end(why?: 'signed-out' | 'crowded'): void {
    if (this.#state === 'ended') return
    const readerWaits = this.#readerWaits
    this.#finish()
    this.#finalEvent = why ? textOf({ event: why }, this.#revision) : ''
    if (readerWaits) this.#sendFinalEvent()
    // A client that stops reading would keep the connection open.
    else if (why) this.#cutTimer = setTimeout(this.#opening.cut, patience).unref()
    else this.#opening.cut()
  }

  #sendFinalEvent(): void {
    clearTimeout(this.#cutTimer)
    if (this.#finalEvent !== '') this.#controller?.enqueue(encoder.encode(this.#finalEvent))
    this.#controller?.close()
  }

  async #begin(): Promise<void> {
    this.#state = 'beginning'
    // Subscribe before reading the revision, so that no change is missed in between.
    this.#stopListening = this.#parts.changes.listen(this.user, (change) => this.#onChange(change))
    this.#parts.onBegun(this)
    const { lastEventId, readRevision } = this.#opening
    const found = await readRevision().catch(() => 'unknown' as const)
    if (this.#state !== 'beginning') return
    // No reason is sent: the client's next request gets the error response that explains the failure.
    if (found === 'unknown') {
      this.#parts.onDatabaseFailure()
      return this.end()
    }
    if (!found) return this.end('signed-out')
    this.#state = 'open'
    this.#revision = found.revision
    this.#prefix = retryLine
    if (lastEventId !== found.revision) this.#pending = { collections: 'all' }
    else this.#prefix += textOf({ event: 'current' }, this.#revision)
    this.#flush()
    // It is unknown whether a change received meanwhile came before or after the revision was read.
    if (this.#changeCount > 0) this.#checkAndFlush()
  }

  #onChange(change: Change | undefined): void {
    if (this.#state !== 'open') {
      this.#changeCount += 1
      return
    }
    if (!change) {
      this.#checkAndFlush()
      return
    }
    this.#changeCount += 1
    // A notification from another process can get lost with its connection while the next one still arrives.
    const since = this.#revision
    const isNext = change.before === undefined || change.before === since
    const isFirst = this.#pending === undefined
    this.#revision = change.revision
    this.#add(isNext ? change.collections : 'all')
    if (
      isNext &&
      isFirst &&
      this.#readerWaits &&
      !this.#isReading &&
      Number(change.rows) <= mostRowsCarried
    ) {
      void this.#carry(change, since)
    }
    this.#flush()
  }

  /** Lets the pending event carry what the collections are now read as, if that is short and nothing else changes meanwhile. */
  async #carry({ collections, revision }: Change, since: string): Promise<void> {
    const { readChanged } = this.#opening
    if (!readChanged) return
    this.#isWaiting = true
    this.#isReading = true
    const reading = readChanged(collections, { since, until: revision })
      .catch(() => [])
      .finally(() => {
        this.#isReading = false
      })
    const carried = await Promise.race([reading, pause(longestWait, [], { ref: false })])
    this.#isWaiting = false
    const isShort = carried.length > 0 && JSON.stringify(carried).length <= mostCarried
    if (isShort && this.#pending && this.#revision === revision) this.#pending.carried = carried
    this.#flush()
  }

  #add(collections: readonly string[] | 'all'): void {
    const before = this.#pending?.collections ?? new Set()
    this.#pending = {
      collections: before === 'all' || collections === 'all' ? 'all' : new Set([...before, ...collections]),
    }
  }

  #checkAndFlush(): void {
    void this.#check().then(() => this.#flush())
  }

  async #check(): Promise<void> {
    if (this.#state !== 'open') return
    const countBefore = this.#changeCount
    // When the database cannot be reached, the next heartbeat tries again.
    const found = await this.#opening.readRevision().catch(() => 'unknown' as const)
    if (this.#state !== 'open' || found === 'unknown') return
    if (!found) return this.end('signed-out')
    // A change received meanwhile may be newer than the revision that was read.
    if (countBefore !== this.#changeCount || found.revision === this.#revision) return
    this.#revision = found.revision
    this.#add('all')
  }

  #flush(): void {
    if (this.#state !== 'open' || !this.#readerWaits || this.#isWaiting) return
    let text = this.#prefix
    if (this.#pending) {
      const { collections, carried } = this.#pending
      const lists = collections === 'all' ? undefined : [...collections]
      const event = { event: 'changed', ...(lists && { lists }), ...(carried && { carried }) } as const
      text += textOf(event, this.#revision)
    }
    if (text === '') return
    this.#prefix = ''
    this.#pending = undefined
    this.#readerWaits = false
    this.#controller?.enqueue(encoder.encode(text))
  }

  #cut(): void {
    this.#finish()
    this.#opening.cut()
  }

  #finish(): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#stopListening()
    this.#parts.onEnded(this)
  }
}

function textOf({ event, ...data }: LiveEvent, revision: string): string {
  return `id: ${revision}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
