/** What the server said: the revision by now, and what was changed by the names of the wire; everything may have where that is left out. */
export interface Told {
  revision: string
  lists?: readonly string[] | undefined
}

export interface ChangedListsParts {
  /** What this tab knows anything of, by name, with its path on the wire. */
  lists(): Iterable<{ name: string; path: string }>
  /** It was read, or is being read, since this page was opened. */
  readHere(name: string): boolean
  /** A read of it is under way, or writes after which it is read anyway. */
  busy(name: string): boolean
  /** The tag of the last answer. */
  tag(name: string): string | undefined
  /** False where it could not be read. */
  refresh(name: string): Promise<boolean>
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

const step = 100
const patience = 2_000

/** Reads again what the server says was changed, unless it is known at that revision already. */
export class ChangedLists {
  readonly #parts: ChangedListsParts
  readonly #due = new Set<string>()
  #revision = ''

  constructor(parts: ChangedListsParts) {
    this.#parts = parts
  }

  /** The revision that all of what was read here is known at; undefined where that is not one, or about to change. */
  get readAt(): string | undefined {
    const { lists, readHere, busy, tag } = this.#parts
    const read = [...lists()].map(({ name }) => name).filter(readHere)
    if (read.some(busy)) return undefined
    const [revision, ...others] = new Set(read.map((name) => revisionIn(tag(name))))
    return others.length === 0 ? revision : undefined
  }

  /** Settles once all of it was read: false where something could not be. */
  async heed({ revision, lists }: Told, signal: AbortSignal): Promise<boolean> {
    this.#revision = revision
    const names = [...this.#parts.lists()].filter(
      ({ name, path }) => (lists ? isAmong(path, lists) : this.#parts.readHere(name)) && !this.#due.has(name),
    )
    const read = await Promise.all(names.map(({ name }) => this.#readWhenQuiet(name, signal)))
    return !read.includes(false)
  }

  async #readWhenQuiet(name: string, signal: AbortSignal): Promise<boolean> {
    const { busy, tag, pause, refresh } = this.#parts
    this.#due.add(name)
    try {
      // This device's own changes are told as well, and read already by whoever sent them.
      for (let waited = 0; waited < patience && busy(name); waited += step) await pause(step, signal)
    } finally {
      // What is told from here on may come too late for this reading.
      this.#due.delete(name)
    }
    return revisionIn(tag(name)) === this.#revision || refresh(name)
  }
}

/** The server begins each tag with the revision that it read at. A proxy that compresses weakens it. */
export function revisionIn(tag: string | undefined): string | undefined {
  return /^(?:W\/)?"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/.exec(tag ?? '')?.[1]
}

function isAmong(path: string, lists: readonly string[]): boolean {
  return lists.some((list) => path === `/api/${list}` || path.startsWith(`/api/${list}/`))
}
