import { setImmediate } from 'node:timers/promises'
import { type Instant, latestDayAnywhere } from '#platform/calendar/day.ts'
import type { HttpContext } from './context.ts'
import type { ChangesWith, Reply, Written } from './endpoint.ts'

/** Bytes that all of them together may have. */
const mostBytes = 32 * 2 ** 20
/** What one takes besides its bytes, roughly: it must not be forgotten of a great many small ones. */
const overhead = 500
/** Milliseconds within which it does not matter who asked last: to note it costs as much as all the rest of finding it. */
const sameTime = 1_000
/** Ten years of to-dos fit in; what is longer would drive out the lists of many. */
const largest = 4 * 2 ** 20
/** Up to here an answer is held whole before it is sent, with its length; what is longer is sent as it is written. */
const heldWhole = 256 * 2 ** 10
/** Of one user, so that nobody drives out those of everybody else by asking in a great many ways. */
const mostOfUser = 50
/** Characters; no screen asks for more. */
const longestKey = 300
/** Bytes that are not worth a turn of the event loop. */
const inOneGo = 16 * 2 ** 10

/** `until` when the day holds. */
export type DayOfUser = (user: string, now: Instant) => Promise<{ day: string; until: Instant }>

interface ReadyParts {
  /** Of the program: what another one answers may differ. */
  build: string
  dayOf: DayOfUser
  clock: () => Instant
  most?: number
}

/** A long answer whose headers are set. */
export interface WrittenBytes {
  written: AsyncIterable<Uint8Array>
}

interface ReadyAnswer {
  revision: string
  tag: string
  since: Instant
  until: Instant
  /** Undefined where only the tag is known, since nobody had to be sent any. */
  bytes: Buffer<ArrayBuffer> | undefined
  /** When it was last put behind all others. */
  moved: Instant
}

/**
 * The JSON that was answered to somebody, for as long as the same would be answered: until the user's revision is another
 * one, which every write makes it and which is read from the database for each request, or until the user's day ends. So
 * it is right in every process. Those asked for last are kept.
 */
export class ReadyAnswers {
  readonly #parts: ReadyParts
  readonly #answers = new Map<string, ReadyAnswer>()
  readonly #ofUsers = new Map<string, Set<string>>()
  #bytes = 0

  constructor(parts: ReadyParts) {
    this.#parts = parts
  }

  get bytes(): number {
    return this.#bytes
  }

  /** What may be answered now to `user`, who is at `revision`, for `path` with its query. */
  find(user: string, revision: string, path: string): ReadyAnswer | undefined {
    const key = keyOf(user, path)
    const answer = this.#answers.get(key)
    const now = this.#parts.clock()
    // A clock that was set back comes before `since`.
    if (answer?.revision !== revision || now < answer.since || now >= answer.until) return undefined
    if (Math.abs(now - answer.moved) >= sameTime) {
      this.#answers.delete(key)
      this.#answers.set(key, answer)
      answer.moved = now
    }
    return answer
  }

  /** Sends what `ask` answers with a tag and keeps it, or says that whoever asks has it, and then nothing is read. */
  async answer(
    c: HttpContext,
    changesWith: ChangesWith,
    ask: () => Promise<Reply>,
  ): Promise<Reply | Response | WrittenBytes> {
    const { revision } = c.get('signedIn') ?? {}
    if (revision === undefined) return ask()
    const { build, dayOf, clock } = this.#parts
    const user = c.get('user')
    const path = pathWithQuery(c)
    const since = clock()
    // All three before the rows are read: these can only be newer than what they are called.
    const { day, until } = changesWith === 'writes' ? forEver : await withDayAnywhere(dayOf, user, since)
    // It begins with the revision, by which the web knows what it has without asking (`platform/sync/live.ts`).
    const tag = `"${revision}${day}-${build}"`
    if (hasTag(c.req.header('if-none-match'), tag)) {
      const answer = { revision, tag, since, until, bytes: undefined, moved: since }
      this.#keep(keyOf(user, path), answer)
      setHeaders(c, headersOf(answer, true))
      return c.body(null, 304)
    }
    const reply = await ask()
    const key = keyOf(user, path)
    const named = { revision, tag, since, until, moved: since }
    if ('written' in reply) return this.#answerWritten(c, reply, key, named)
    if ('stream' in reply || reply.status !== 200) return reply
    return this.#sendWhole(c, key, { ...named, bytes: bytesOf(JSON.stringify(reply.body)) })
  }

  #sendWhole(c: HttpContext, key: string, answer: ReadyAnswer & { bytes: Buffer<ArrayBuffer> }): Response {
    this.#keep(key, answer)
    setHeaders(c, headersOf(answer, false))
    return c.body(answer.bytes, 200)
  }

  /** Of what is long nothing more is held than is kept. */
  async #answerWritten(
    c: HttpContext,
    { written, headers = {} }: Written,
    key: string,
    named: Omit<ReadyAnswer, 'bytes'>,
  ): Promise<Response | WrittenBytes> {
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    const rest = written[Symbol.asyncIterator]()
    const pieces: Buffer[] = []
    let size = 0
    while (size <= heldWhole) {
      const { done, value } = await rest.next()
      if (done) return this.#sendWhole(c, key, { ...named, bytes: joined(pieces, size) })
      const piece = Buffer.from(value)
      pieces.push(piece)
      size += piece.byteLength
      // A reading of SQLite never waits: others are answered between two pages of it.
      if (piece.byteLength > inOneGo) await setImmediate()
    }
    setHeaders(c, headersOf({ tag: named.tag, bytes: undefined }, false))
    return { written: this.#writeOn(rest, pieces, size, key, named) }
  }

  /** What was read already and the rest, which is kept when all of it was taken, unless it is too long for that. */
  async *#writeOn(
    rest: AsyncIterator<string>,
    begun: readonly Buffer[],
    begunSize: number,
    key: string,
    named: Omit<ReadyAnswer, 'bytes'>,
  ): AsyncGenerator<Uint8Array> {
    let pieces = [...begun]
    let size = begunSize
    try {
      yield* begun
      for (let next = await rest.next(); !next.done; next = await rest.next()) {
        const piece = Buffer.from(next.value)
        size += piece.byteLength
        if (size > largest) pieces = []
        else pieces.push(piece)
        yield piece
      }
    } finally {
      await rest.return?.()
    }
    if (size <= largest) this.#keep(key, { ...named, bytes: joined(pieces, size) })
  }

  #keep(key: string, answer: ReadyAnswer): void {
    const before = this.#answers.get(key)
    if (before) this.#forget(key, before)
    if (sizeOf(key, answer) > largest || key.length > longestKey) return
    this.#answers.set(key, answer)
    this.#bytes += sizeOf(key, answer)
    this.#forgetOldestOf(userOf(key), key)
    for (const [oldest, forgotten] of this.#answers) {
      if (this.#bytes <= (this.#parts.most ?? mostBytes)) return
      this.#forget(oldest, forgotten)
    }
  }

  /** Of the user whose `added` is kept now, where they have too many. */
  #forgetOldestOf(user: string, added: string): void {
    const keys = this.#ofUsers.get(user) ?? new Set()
    this.#ofUsers.set(user, keys.add(added))
    if (keys.size <= mostOfUser) return
    const [oldest = added] = keys
    const answer = this.#answers.get(oldest)
    if (answer) this.#forget(oldest, answer)
  }

  #forget(key: string, answer: ReadyAnswer): void {
    this.#answers.delete(key)
    this.#bytes -= sizeOf(key, answer)
    const user = userOf(key)
    const keys = this.#ofUsers.get(user)
    keys?.delete(key)
    if (keys?.size === 0) this.#ofUsers.delete(user)
  }
}

/** Whether a request says that it has the answer of this tag. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header === tag) return true
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
}

/** Kept by whoever asked for themselves, but never shown again without asking. Names and values in turns. */
export function headersOf({ tag, bytes }: Pick<ReadyAnswer, 'tag' | 'bytes'>, has: boolean): string[] {
  const common = ['ETag', tag, 'Cache-Control', 'private, no-cache']
  if (has || !bytes) return common
  return [...common, 'Content-Type', 'application/json', 'Content-Length', String(bytes.byteLength)]
}

/** Of their own: small ones would keep what else is in Node's pool. */
function bytesOf(text: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

function joined(pieces: readonly Buffer[], size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(size)
  let end = 0
  for (const piece of pieces) end += piece.copy(bytes, end)
  return bytes
}

function pathWithQuery(c: HttpContext): string {
  const { url } = c.req
  return url.slice(url.indexOf('/', 'https://'.length))
}

function setHeaders(c: HttpContext, headers: readonly string[]): void {
  for (let place = 0; place < headers.length; place += 2) c.header(headers[place] ?? '', headers[place + 1])
}

const forEver = { day: '', until: Number.POSITIVE_INFINITY }
const millisecondsInDay = 86_400_000

/** Some lists also reach to the latest day that it is anywhere, which changes at another moment. */
async function withDayAnywhere(dayOf: DayOfUser, user: string, now: Instant): ReturnType<DayOfUser> {
  const { day, until } = await dayOf(user, now)
  const anywhere = latestDayAnywhere(now)
  const nextAnywhere = Date.parse(anywhere) - 14 * 3_600_000 + millisecondsInDay
  return { day: `-${day}-${anywhere}`, until: Math.min(until, nextAnywhere) }
}

function keyOf(user: string, path: string): string {
  return `${user} ${path}`
}

function userOf(key: string): string {
  return key.slice(0, key.indexOf(' '))
}

function sizeOf(key: string, { bytes }: ReadyAnswer): number {
  return overhead + 2 * key.length + (bytes?.byteLength ?? 0)
}
