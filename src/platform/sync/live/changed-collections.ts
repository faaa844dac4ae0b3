import type { Instant } from '#platform/calendar/day.ts'
import type { CarriedResponse } from '#platform/wire/live-event.ts'

/**
 * What the server announces: the current revision and the wire names of what changed. Without `lists`, anything may have changed.
 * The connected tab posts this to the other tabs, which may run an older build, so the property names must not change.
 */
export interface AnnouncedChanges {
  revision: string
  lists?: readonly string[] | undefined
}

export interface ChangedCollectionsParts {
  /** The collections that this tab has or is reading, with their paths on the wire. */
  collections(): Iterable<{ name: string; path: string; readPath?: string }>
  /** Whether the collection has been read, or is being read, since this page was opened. */
  hasRead(name: string): boolean
  /** Whether the collection is being read, or has queued writes after which it will be read anyway. */
  isBusy(name: string): boolean
  /** The ETag of the collection's last response. */
  tagOf(name: string): string | undefined
  /** Takes what an event carries of the collection. Resolves with false if it is about other rows than this tab has. */
  take(name: string, carried: CarriedResponse): Promise<boolean>
  /** Reads the collection again. Resolves with false if that failed. */
  refresh(name: string): Promise<boolean>
  now(): Instant
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

const pollInterval = 100
const maxWait = 2_000
/** Milliseconds. After a read that takes less than this, the collection may be read again at once for the next change. */
const brief = 1_000
/** After a longer read, the collection rests this many times as long before its next read, so that the page stays usable. */
const rest = 3
const longestRest = 10_000

/** Reads the changed collections again, except those already read at the announced revision. */
export class ChangedCollections {
  readonly #parts: ChangedCollectionsParts
  readonly #scheduled = new Set<string>()
  /** The instant from which each collection may be read again. */
  readonly #restsUntil = new Map<string, Instant>()
  #revision = ''

  constructor(parts: ChangedCollectionsParts) {
    this.#parts = parts
  }

  /** The server's revision at which every collection in this tab was read; undefined if they differ or if a read is still due. */
  get readRevision(): string | undefined {
    const { collections, hasRead, isBusy, tagOf } = this.#parts
    const read = [...collections()].map(({ name }) => name).filter(hasRead)
    if (read.some(isBusy)) return undefined
    const [revision, ...others] = new Set(read.map((name) => revisionOfTag(tagOf(name))))
    return others.length === 0 ? revision : undefined
  }

  /** Reads the changed collections again, or takes what is carried of them. Resolves with false if any read failed. */
  async handle(
    { revision, lists }: AnnouncedChanges,
    signal: AbortSignal,
    carried: readonly CarriedResponse[] = [],
  ): Promise<boolean> {
    this.#revision = revision
    const names = [...this.#parts.collections()].filter(
      ({ name, path }) =>
        (lists ? isAmong(path, lists) : this.#parts.hasRead(name)) && !this.#scheduled.has(name),
    )
    const read = await Promise.all(
      names.map(({ name, path, readPath = path }) =>
        this.#readWhenQuiet(
          name,
          signal,
          carried.find((each) => each.path === readPath),
        ),
      ),
    )
    return !read.includes(false)
  }

  async #readWhenQuiet(
    name: string,
    signal: AbortSignal,
    carried: CarriedResponse | undefined,
  ): Promise<boolean> {
    const { isBusy, take, tagOf, now, pause } = this.#parts
    this.#scheduled.add(name)
    // At once, also while this device sends changes: what is carried needs no request. Whether that was enough shows below, after
    // whatever was being read meanwhile.
    if (carried) await take(name, carried)
    try {
      // The server announces this device's own changes too, and the sender re-reads their collections anyway.
      for (let waited = 0; waited < maxWait && isBusy(name); waited += pollInterval)
        await pause(pollInterval, signal)
      // Wait between reads: an import is announced in many steps, and a slow device takes seconds to read and show a long
      // collection.
      const early = (this.#restsUntil.get(name) ?? 0) - now()
      // A longer wait than the longest rest means that the clock was set back meanwhile.
      if (early > 0 && early <= longestRest) await pause(early, signal)
    } finally {
      // This read may miss a change that is announced from now on, so such a change schedules another read.
      this.#scheduled.delete(name)
    }
    return revisionOfTag(tagOf(name)) === this.#revision || this.#refresh(name, signal)
  }

  async #refresh(name: string, signal: AbortSignal): Promise<boolean> {
    const { refresh, now, pause } = this.#parts
    const begun = now()
    const read = await refresh(name)
    // Wait for the rows to be rendered, so that `took` includes the rendering.
    await pause(0, signal)
    const took = now() - begun
    if (read && took > brief) this.#restsUntil.set(name, now() + Math.min(rest * took, longestRest))
    return read
  }
}

/** The revision in an ETag. The server begins each tag with the revision it read at. A compressed response has a weak tag. */
export function revisionOfTag(tag: string | undefined): string | undefined {
  return /^(?:W\/)?"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/.exec(tag ?? '')?.[1]
}

function isAmong(path: string, collections: readonly string[]): boolean {
  return collections.some(
    (collection) => path === `/api/${collection}` || path.startsWith(`/api/${collection}/`),
  )
}
