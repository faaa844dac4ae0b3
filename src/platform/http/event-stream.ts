import type { Instant } from '#platform/calendar/day.ts'
import type { Change, Changes } from '#platform/database/changes.ts'
import type { LiveEvent } from '#platform/wire/live-event.ts'

export interface Opening {
  user: string
  /** Names the sign-in session by which it is opened. */
  session: string
  /** The revision that whoever opens it saw last. */
  known: string | undefined
  /** The user's revision by now, '' for none yet; undefined once the sign-in session has ended. */
  look(): Promise<{ revision: string } | undefined>
  /** Cuts the connection of somebody who does not take what is said. */
  cut(): void
}

interface StreamParts {
  changes: Pick<Changes, 'listen'>
  now: Instant
  begun(stream: EventStream): void
  ended(stream: EventStream): void
  /** It ends because it could not look. */
  unanswered(): void
}

const comeBackAfter = 'retry: 2000\n\n'
/** Milliseconds in which the last word has to be taken. */
const patience = 10_000
const encoder = new TextEncoder()

/**
 * The server-sent events of one device. Nothing is kept for somebody who takes nothing but which lists to read again, and
 * that grows no longer than their names.
 */
export class EventStream {
  readonly user: string
  readonly session: string
  /** Of the last sign of life. */
  beatAt: Instant
  /** What is sent. Nothing happens before somebody reads it: whoever asks for the headers alone costs nothing. */
  readonly body: ReadableStream<Uint8Array>
  readonly #opening: Opening
  readonly #parts: StreamParts
  #stopListening = () => {}
  #state: 'new' | 'beginning' | 'open' | 'ended' = 'new'
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Somebody waits for bytes. */
  #taken = false
  #leftLying = false
  #revision = ''
  /** How often a change was heard of; of anything, while it begins. */
  #heard = 0
  #toSay: { lists: Set<string> | 'all' } | undefined
  /** What comes before it, such as a sign of life. */
  #prefix = ''
  #lastWord = ''
  #cutting: NodeJS.Timeout | undefined

  constructor(opening: Opening, parts: StreamParts) {
    this.user = opening.user
    this.session = opening.session
    this.beatAt = parts.now
    this.#opening = opening
    this.#parts = parts
    this.body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          this.#controller = controller
          this.#taken = true
          if (this.#state === 'new') void this.#begin()
          else if (this.#state === 'ended') this.#sayLast()
          else this.#say()
        },
        cancel: () => {
          clearTimeout(this.#cutting)
          this.#over()
        },
      },
      { highWaterMark: 0 },
    )
  }

  /** A sign of life, and a look whether a change was missed or the sign-in session has ended. */
  beat(now: Instant): void {
    this.beatAt = now
    if (!this.#taken) {
      if (this.#leftLying) this.#cut()
      this.#leftLying = true
      return
    }
    this.#leftLying = false
    this.#prefix ||= ':\n\n'
    this.#lookAgain()
  }

  /** Says why, where that is to be said, and ends. */
  end(why?: 'signed-out' | 'crowded'): void {
    if (this.#state === 'ended') return
    const taken = this.#taken
    this.#over()
    this.#lastWord = why ? textOf({ event: why }, this.#revision) : ''
    if (taken) this.#sayLast()
    // Who takes nothing would hold the connection for as long as they like.
    else if (why) this.#cutting = setTimeout(this.#opening.cut, patience).unref()
    else this.#opening.cut()
  }

  #sayLast(): void {
    clearTimeout(this.#cutting)
    if (this.#lastWord !== '') this.#controller?.enqueue(encoder.encode(this.#lastWord))
    this.#controller?.close()
  }

  async #begin(): Promise<void> {
    this.#state = 'beginning'
    // Before the revision is read, so that no change falls in between.
    this.#stopListening = this.#parts.changes.listen(this.user, (change) => this.#hear(change))
    this.#parts.begun(this)
    const { known, look } = this.#opening
    const found = await look().catch(() => 'unknown' as const)
    if (this.#state !== 'beginning') return
    // Whoever asks again is told why there is no answer.
    if (found === 'unknown') {
      this.#parts.unanswered()
      return this.end()
    }
    if (!found) return this.end('signed-out')
    this.#state = 'open'
    this.#revision = found.revision
    this.#prefix = comeBackAfter
    if (known !== found.revision) this.#toSay = { lists: 'all' }
    else this.#prefix += textOf({ event: 'current' }, this.#revision)
    this.#say()
    // Whether that was before or after the look, nothing says.
    if (this.#heard > 0) this.#lookAgain()
  }

  #hear(change: Change | undefined): void {
    if (this.#state !== 'open') {
      this.#heard += 1
      return
    }
    if (!change) {
      this.#lookAgain()
      return
    }
    this.#heard += 1
    // On another process a word is lost with its connection, and the next one is heard all the same.
    const isNext = change.before === undefined || change.before === this.#revision
    this.#revision = change.revision
    this.#add(isNext ? change.lists : 'all')
    this.#say()
  }

  #add(lists: readonly string[] | 'all'): void {
    const before = this.#toSay?.lists ?? new Set()
    this.#toSay = { lists: before === 'all' || lists === 'all' ? 'all' : new Set([...before, ...lists]) }
  }

  #lookAgain(): void {
    void this.#look().then(() => this.#say())
  }

  async #look(): Promise<void> {
    if (this.#state !== 'open') return
    const heard = this.#heard
    // A database that cannot be reached says nothing: it is looked again.
    const found = await this.#opening.look().catch(() => 'unknown' as const)
    if (this.#state !== 'open' || found === 'unknown') return
    if (!found) return this.end('signed-out')
    // What was heard meanwhile may be later than what was found.
    if (heard !== this.#heard || found.revision === this.#revision) return
    this.#revision = found.revision
    this.#add('all')
  }

  #say(): void {
    if (this.#state !== 'open' || !this.#taken) return
    let text = this.#prefix
    if (this.#toSay) {
      const { lists } = this.#toSay
      const event = { event: 'changed', ...(lists !== 'all' && { lists: [...lists] }) } as const
      text += textOf(event, this.#revision)
    }
    if (text === '') return
    this.#prefix = ''
    this.#toSay = undefined
    this.#taken = false
    this.#controller?.enqueue(encoder.encode(text))
  }

  #cut(): void {
    this.#over()
    this.#opening.cut()
  }

  #over(): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#stopListening()
    this.#parts.ended(this)
  }
}

function textOf({ event, ...data }: LiveEvent, revision: string): string {
  return `id: ${revision}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
