import type { Instant } from '#platform/calendar/day.ts'

/**
 * What the server announces: the current revision, and what was changed, by the names on the wire; without `lists`, anything
 * may have changed. The tab that is connected posts it to the others, which may run an older build: its property names stay.
 */
export interface AnnouncedChanges {
  revision: string
  lists?: readonly string[] | undefined
}

export interface ChangedCollectionsParts {
  /** The collections that this tab has or is reading, with their paths on the wire. */
  collections(): Iterable<{ name: string; path: string }>
  /** Whether it has been read, or is being read, since this page was opened. */
  hasRead(name: string): boolean
  /** Whether a read of it is in progress, or writes after which it will be read anyway. */
  isBusy(name: string): boolean
  /** The tag of the last response. */
  tagOf(name: string): string | undefined
  /** Resolves with false if it could not be read. */
  refresh(name: string): Promise<boolean>
  now(): Instant
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

const pollInterval = 100
const maxWait = 2_000
/** Milliseconds: what is read faster than that is live, one change after another. */
const brief = 1_000
/** After a longer one the next read of the collection waits this many times as long, which leaves the page to the person. */
const rest = 3
const longestRest = 10_000

/** Reads again what the server says was changed, unless it has already been read at that revision. */
export class ChangedCollections {
  readonly #parts: ChangedCollectionsParts
  readonly #scheduled = new Set<string>()
  /** When a collection may be read again. */
  readonly #restsUntil = new Map<string, Instant>()
  #revision = ''

  constructor(parts: ChangedCollectionsParts) {
    this.#parts = parts
  }

  /** The one revision at which everything this tab has read was read; undefined if there is no such one or reads are due. */
  get readRevision(): string | undefined {
    const { collections, hasRead, isBusy, tagOf } = this.#parts
    const read = [...collections()].map(({ name }) => name).filter(hasRead)
    if (read.some(isBusy)) return undefined
    const [revision, ...others] = new Set(read.map((name) => revisionOfTag(tagOf(name))))
    return others.length === 0 ? revision : undefined
  }

  /** Resolves once all of it has been read, with false if something could not be. */
  async handle({ revision, lists }: AnnouncedChanges, signal: AbortSignal): Promise<boolean> {
    this.#revision = revision
    const names = [...this.#parts.collections()].filter(
      ({ name, path }) =>
        (lists ? isAmong(path, lists) : this.#parts.hasRead(name)) && !this.#scheduled.has(name),
    )
    const read = await Promise.all(names.map(({ name }) => this.#readWhenQuiet(name, signal)))
    return !read.includes(false)
  }

  async #readWhenQuiet(name: string, signal: AbortSignal): Promise<boolean> {
    const { isBusy, tagOf, now, pause } = this.#parts
    this.#scheduled.add(name)
    try {
      // The server announces this device's own changes too, and whoever sent them reads them anyway.
      for (let waited = 0; waited < maxWait && isBusy(name); waited += pollInterval)
        await pause(pollInterval, signal)
      // An import is announced piece by piece, and a long collection takes seconds to be read and shown on a slow device.
      const early = (this.#restsUntil.get(name) ?? 0) - now()
      // A longer rest was begun before the clock was set back.
      if (early > 0 && early <= longestRest) await pause(early, signal)
    } finally {
      // A change announced from now on may be too late for this read.
      this.#scheduled.delete(name)
    }
    return revisionOfTag(tagOf(name)) === this.#revision || this.#refresh(name, signal)
  }

  async #refresh(name: string, signal: AbortSignal): Promise<boolean> {
    const { refresh, now, pause } = this.#parts
    const begun = now()
    const read = await refresh(name)
    // A turn later, when it is shown.
    await pause(0, signal)
    const took = now() - begun
    if (read && took > brief) this.#restsUntil.set(name, now() + Math.min(rest * took, longestRest))
    return read
  }
}

/** The server begins each tag with the revision that it read at. The tag of a compressed response is a weak one. */
export function revisionOfTag(tag: string | undefined): string | undefined {
  return /^(?:W\/)?"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/.exec(tag ?? '')?.[1]
}

function isAmong(path: string, collections: readonly string[]): boolean {
  return collections.some(
    (collection) => path === `/api/${collection}` || path.startsWith(`/api/${collection}/`),
  )
}
