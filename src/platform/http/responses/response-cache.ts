import { setImmediate } from 'node:timers/promises'
import { type Instant, latestDayAnywhere } from '#platform/calendar/day.ts'
import type { ChangesWith, Encoded, Reply, Unchanged, Written } from '../endpoint/endpoint.ts'
import type { ChangedSince, HttpContext, HttpRequest } from '../request/context.ts'
import { asCompressed, compressed, takes, variesByEncoding } from './compressed.ts'
import { serialized } from './serialized.ts'

/** The most bytes that all cached responses may take together. */
const maxTotalBytes = 32 * 2 ** 20
/** Estimated bytes of an entry besides its content, which add up with very many small entries. */
const entryOverhead = 500
/**
 * Milliseconds within which a further use of a response is not recorded, since recording it costs as much as the rest of the
 * lookup.
 */
const touchEvery = 1_000
/**
 * The largest cached response in bytes: enough for ten years of to-dos. A longer response would evict those of many other
 * users.
 */
const maxEntryBytes = 4 * 2 ** 20
/** Bytes up to which a response is buffered and sent with its length. A longer response is sent while it is written. */
const bufferedUpTo = 256 * 2 ** 10
/** Bytes from which a response is compressed. Smaller responses reach even a slow client in one round trip. */
const compressedFrom = 8 * 2 ** 10
/** The most cached responses per user, so that nobody can evict everyone else's with many different requests. */
const maxPerUser = 50
/** The longest request target that is cached, in characters; no screen sends a longer one. */
const maxKeyLength = 300
/** Bytes up to which yielding to the event loop is not worthwhile. */
const yieldAfter = 16 * 2 ** 10

/** Returns the user's current day; `until` is the instant at which the day ends. */
export type DayOfUser = (user: string, now: Instant) => Promise<{ day: string; until: Instant }>

interface ResponseCacheParts {
  /** Identifies the program: another build may respond differently. */
  build: string
  dayOf: DayOfUser
  clock: () => Instant
  maxBytes?: number
  /** The ids of the rows that changed between two revisions; undefined if any may have. */
  changedRows?(
    user: string,
    collection: string,
    revisions: { since: string; until: string },
  ): Promise<readonly string[] | undefined>
}

/** What changes a response, and the name in writes of a collection that is read by revision. */
type Changing = { changesWith: ChangesWith; byRevision?: string | undefined }

interface CachedResponse {
  revision: string
  tag: string
  /** The ETag of what the client had, if the response holds only the rows that have changed since. */
  has?: string | undefined
  since: Instant
  until: Instant
  /** Undefined when only the ETag is known, because every client so far already had the bytes. */
  bytes: Buffer<ArrayBuffer> | undefined
  /** The gzipped bytes, if the response is long and its first client accepted gzip. */
  gzip?: Buffer<ArrayBuffer> | undefined
  /** When the response was last moved to the most recently used end. */
  usedAt: Instant
}
type WithoutBytes = Omit<CachedResponse, 'bytes' | 'gzip'>
type WithBytes = CachedResponse & { bytes: Buffer<ArrayBuffer> }

/**
 * Caches JSON responses per user, each for as long as it is still correct: until the user's revision changes or their day
 * ends. Every write changes the revision, and every request reads it from the database, so the cache is correct in every
 * process. The least recently used responses are evicted first.
 */
export class ResponseCache {
  readonly #parts: ResponseCacheParts
  readonly #responses = new Map<string, CachedResponse>()
  readonly #ofUsers = new Map<string, Set<string>>()
  #bytes = 0

  constructor(parts: ResponseCacheParts) {
    this.#parts = parts
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Returns the cached response if it is still valid. */
  find({ user, signedIn, request, needsWhole }: HttpContext): Encoded | Unchanged | undefined {
    const asked = askedBy(user, request.target)
    const key = needsWhole ? asked.whole : asked.key
    const hasBefore = needsWhole ? undefined : asked.has
    const response = this.#responses.get(key)
    if (response === undefined || response.revision !== signedIn?.revision) return undefined
    const now = this.#parts.clock()
    // `now` is before `since` when the clock has been set back.
    if (now < response.since || now >= response.until) return undefined
    const { tag, bytes, gzip } = response
    const has = hasTag(request.header('if-none-match'), tag)
    if (!has && (!bytes || response.has !== hasBefore)) return undefined
    if (Math.abs(now - response.usedAt) >= touchEvery) {
      this.#responses.delete(key)
      this.#responses.set(key, response)
      response.usedAt = now
    }
    return has || !bytes ? unchanged(tag) : encodedFor(request, { tag, bytes, gzip })
  }

  /**
   * Calls `ask`, adds an ETag to the response and caches it; or returns a 304, without reading anything, if the client already
   * has it.
   */
  async respond(
    c: HttpContext,
    { changesWith, byRevision }: Changing,
    ask: () => Promise<Reply>,
  ): Promise<Reply> {
    const { user, signedIn, request } = c
    const revision = signedIn?.revision
    if (revision === undefined) return ask()
    const since = this.#parts.clock()
    // The revision, `since` and the day are determined before the rows are read, so the rows can only be newer than their ETag.
    const { restOfTag, until } = await this.#restOfTag(user, changesWith, since)
    // The ETag starts with the revision, from which the web client can tell what it has without a request (`revisionOfTag`).
    const tag = `"${revision}${restOfTag}"`
    const entry = { revision, tag, since, until, usedAt: since }
    const { key, whole, has } = askedBy(user, request.target)
    if (hasTag(request.header('if-none-match'), tag)) {
      this.#store(key, { ...entry, has, bytes: undefined })
      return unchanged(tag)
    }
    if (byRevision !== undefined && has !== undefined) {
      c.findChanged = () => this.#changedSince(user, byRevision, { has, until: revision, restOfTag })
    }
    const reply = await ask()
    if ('written' in reply) return this.#respondWritten(reply, request, whole, entry)
    if (!('body' in reply) || reply.status !== 200) return reply
    const bytes = bytesOf(serialized(reply).text)
    return c.changed
      ? this.#respondWhole(request, key, { ...entry, has }, bytes)
      : this.#respondWhole(request, whole, entry, bytes)
  }

  /** The ETag, without quotes, of what the user's devices have that read at a revision. */
  async tagAt(user: string, revision: string, changesWith: ChangesWith): Promise<string> {
    const { restOfTag } = await this.#restOfTag(user, changesWith, this.#parts.clock())
    return revision + restOfTag
  }

  /** What follows the revision in an ETag, and until when it is so. */
  async #restOfTag(user: string, changesWith: ChangesWith, now: Instant) {
    const { build, dayOf } = this.#parts
    const { day, until } = changesWith === 'writes' ? always : await withDayAnywhere(dayOf, user, now)
    return { restOfTag: `${day}-${build}`, until }
  }

  /**
   * Which rows have changed since the response that the client has. Undefined if the client needs the whole response: any row may
   * look different on another day, or to another build.
   */
  async #changedSince(
    user: string,
    collection: string,
    { has, until, restOfTag }: { has: string; until: string; restOfTag: string },
  ): Promise<ChangedSince | undefined> {
    if (!has.endsWith(restOfTag)) return undefined
    const since = has.slice(0, -restOfTag.length)
    const ids = await this.#parts.changedRows?.(user, collection, { since, until })
    return ids && { since: has, ids }
  }

  async #respondWhole(
    request: HttpRequest,
    key: string,
    entry: WithoutBytes,
    bytes: Buffer<ArrayBuffer>,
  ): Promise<Encoded> {
    const response = await withGzip(request, entry, bytes)
    this.#store(key, response)
    return encodedFor(request, response)
  }

  /** Returns a response that is still being written. Buffers no more of it than may be cached. */
  async #respondWritten(
    { written, headers }: Written,
    request: HttpRequest,
    key: string,
    entry: WithoutBytes,
  ): Promise<Encoded | Written> {
    const rest = written[Symbol.asyncIterator]()
    const pieces: Buffer[] = []
    let size = 0
    while (size <= bufferedUpTo) {
      const { done, value } = await rest.next()
      if (done) {
        const whole = await this.#respondWhole(request, key, entry, concatenated(pieces, size))
        return { ...whole, headers: { ...headers, ...whole.headers } }
      }
      const piece = Buffer.from(value)
      pieces.push(piece)
      size += piece.byteLength
      // A SQLite read never yields by itself: this lets other requests run between two pages.
      if (piece.byteLength > yieldAfter) await setImmediate()
    }
    const keep = async (bytes: Buffer<ArrayBuffer>) => this.#store(key, await withGzip(request, entry, bytes))
    return {
      written: streamRest(rest, pieces, size, keep),
      headers: { ...headers, ...headersOf(entry.tag) },
    }
  }

  #store(key: string, response: CachedResponse): void {
    const before = this.#responses.get(key)
    if (before) this.#forget(key, before)
    if (sizeOf(key, response) > maxEntryBytes || key.length > maxKeyLength) return
    this.#responses.set(key, response)
    this.#bytes += sizeOf(key, response)
    this.#forgetOldestOf(userOf(key), key)
    for (const [oldest, forgotten] of this.#responses) {
      if (this.#bytes <= (this.#parts.maxBytes ?? maxTotalBytes)) return
      this.#forget(oldest, forgotten)
    }
  }

  /** Evicts the user's oldest response when `added` exceeds the limit per user. */
  #forgetOldestOf(user: string, added: string): void {
    const keys = this.#ofUsers.get(user) ?? new Set()
    this.#ofUsers.set(user, keys.add(added))
    if (keys.size <= maxPerUser) return
    const [oldest = added] = keys
    const response = this.#responses.get(oldest)
    if (response) this.#forget(oldest, response)
  }

  #forget(key: string, response: CachedResponse): void {
    this.#responses.delete(key)
    this.#bytes -= sizeOf(key, response)
    const user = userOf(key)
    const keys = this.#ofUsers.get(user)
    keys?.delete(key)
    if (keys?.size === 0) this.#ofUsers.delete(user)
  }
}

/**
 * Yields the pieces that were already read, then the rest. At the end passes all of it to `keep`, unless it is too long to
 * cache.
 */
async function* streamRest(
  rest: AsyncIterator<string | Uint8Array>,
  alreadyRead: readonly Buffer[],
  alreadyReadSize: number,
  keep: (bytes: Buffer<ArrayBuffer>) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let pieces = [...alreadyRead]
  let size = alreadyReadSize
  try {
    yield* alreadyRead
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const piece = Buffer.from(next.value)
      size += piece.byteLength
      if (size > maxEntryBytes) pieces = []
      else pieces.push(piece)
      yield piece
    }
  } finally {
    await rest.return?.()
  }
  if (size <= maxEntryBytes) await keep(concatenated(pieces, size))
}

/** Compresses a long response once, for all later requests until it changes. */
async function withGzip(
  request: HttpRequest,
  entry: WithoutBytes,
  bytes: Buffer<ArrayBuffer>,
): Promise<WithBytes> {
  const worth = bytes.byteLength >= compressedFrom && takes('gzip', request)
  return { ...entry, bytes, gzip: worth ? await compressed(bytes) : undefined }
}

function encodedFor(
  request: HttpRequest,
  { tag, bytes, gzip }: Pick<WithBytes, 'tag' | 'bytes' | 'gzip'>,
): Encoded {
  const headers = headersOf(tag)
  return gzip && takes('gzip', request)
    ? { status: 200, json: gzip, headers: asCompressed(headers) }
    : { status: 200, json: bytes, headers }
}

/** Whether an If-None-Match header names this ETag. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header === tag) return true
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
}

/** The headers let the browser store a response that it must revalidate before every use. */
function headersOf(tag: string): Record<string, string> {
  return { ETag: tag, 'Cache-Control': 'private, no-cache', ...variesByEncoding }
}

function unchanged(tag: string): Unchanged {
  return { status: 304, headers: headersOf(tag) }
}

/** Allocated outside Node's pool: a small buffer would keep the whole pool slice in memory. */
function bytesOf(text: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

function concatenated(pieces: readonly Buffer[], size: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(size)
  let end = 0
  for (const piece of pieces) end += piece.copy(bytes, end)
  return bytes
}

const always = { day: '', until: Number.POSITIVE_INFINITY }
const millisecondsInDay = 86_400_000

/**
 * The part of an ETag for the user's day and the latest day anywhere on Earth, to which some collections extend. The two days end
 * at different moments; the ETag is valid until the first of them.
 */
async function withDayAnywhere(dayOf: DayOfUser, user: string, now: Instant): ReturnType<DayOfUser> {
  const { day, until } = await dayOf(user, now)
  const anywhere = latestDayAnywhere(now)
  const nextAnywhere = Date.parse(anywhere) - 14 * 3_600_000 + millisecondsInDay
  return { day: `-${day}-${anywhere}`, until: Math.min(until, nextAnywhere) }
}

/**
 * The key of the response that is asked for. `whole`: the key of the same response in whole. `has`: the ETag, without quotes, of what
 * the client has; of all responses to clients that have something, only the latest is cached.
 */
function askedBy(user: string, target: string): { key: string; whole: string; has: string | undefined } {
  const start = target.search(/[?&]since=/)
  if (start < 0) return { key: `${user} ${target}`, whole: `${user} ${target}`, has: undefined }
  const end = target.indexOf('&', start + 1)
  const has = target.slice(start + '?since='.length, end < 0 ? undefined : end)
  const rest = end < 0 ? '' : target.slice(end + 1)
  const path = target.slice(0, start) + (rest === '' ? '' : `${target[start]}${rest}`)
  return { key: `${user} ${path} since`, whole: `${user} ${path}`, has: decoded(has) }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function userOf(key: string): string {
  return key.slice(0, key.indexOf(' '))
}

function sizeOf(key: string, { bytes, gzip }: CachedResponse): number {
  return entryOverhead + 2 * key.length + (bytes?.byteLength ?? 0) + (gzip?.byteLength ?? 0)
}
