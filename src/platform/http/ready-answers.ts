import { type Instant, latestDayAnywhere } from '#platform/calendar/day.ts'
import type { HttpContext } from './context.ts'
import type { ChangesWith, Reply } from './endpoint.ts'

/** Bytes that all of them together may have. */
const mostBytes = 32 * 2 ** 20
/** What one takes besides its bytes, roughly: it must not be forgotten of a great many small ones. */
const overhead = 500
/** Milliseconds within which it does not matter who asked last: to note it costs as much as all the rest of finding it. */
const sameTime = 1_000
/** Ten years of to-dos fit in; what is longer would drive out the lists of many. */
const largest = 4 * 2 ** 20

/** `until` when the day holds. */
export type DayOfUser = (user: string, now: Instant) => Promise<{ day: string; until: Instant }>

interface ReadyParts {
  /** Of the program: what another one answers may differ. */
  build: string
  dayOf: DayOfUser
  clock: () => Instant
  most?: number
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
  ): Promise<Reply | Response> {
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
    if ('written' in reply || 'stream' in reply || reply.status !== 200) return reply
    const bytes = bytesOf(JSON.stringify(reply.body))
    const answer = { revision, tag, since, until, bytes, moved: since }
    this.#keep(keyOf(user, path), answer)
    setHeaders(c, headersOf(answer, false))
    return c.body(bytes, 200)
  }

  #keep(key: string, answer: ReadyAnswer): void {
    const before = this.#answers.get(key)
    if (before) this.#forget(key, before)
    if (sizeOf(key, answer) > largest) return
    this.#answers.set(key, answer)
    this.#bytes += sizeOf(key, answer)
    for (const [oldest, forgotten] of this.#answers) {
      if (this.#bytes <= (this.#parts.most ?? mostBytes)) return
      this.#forget(oldest, forgotten)
    }
  }

  #forget(key: string, answer: ReadyAnswer): void {
    this.#answers.delete(key)
    this.#bytes -= sizeOf(key, answer)
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

function sizeOf(key: string, { bytes }: ReadyAnswer): number {
  return overhead + 2 * key.length + (bytes?.byteLength ?? 0)
}
