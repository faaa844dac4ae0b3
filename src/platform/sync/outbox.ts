import type { Told } from './device.ts'
import { type Entry, type NewEntry, type NewWrite, type Notice, newEntry, noticeOf } from './entry.ts'
import type { LeftWrites } from './left-writes.ts'
import type { Mirror } from './mirror.ts'

interface Pending {
  entry: NewEntry
  settle(kept: boolean): void
}

/**
 * The queued writes and the notices of one account as the screens see them: what the device keeps and what is on its way
 * to it. Methods that change the device reject when it could not, unless they say otherwise.
 */
export class Outbox {
  /** Resolves once the device was read. */
  readonly ready: Promise<void>
  #mirror: Mirror
  #pending: readonly Pending[] = []
  /** Those that only this tab knows of. */
  #own: readonly Notice[] = []
  #notices: readonly Notice[] = []
  #shown = new Map<string, readonly NewEntry[]>()
  #listeners = new Set<() => void>()
  #storing = false
  #held = new Set<string>()
  #lastOwn = 0

  /** `left`: what a page of before was left with. It comes first, as it was made. */
  constructor(mirror: Mirror, left: LeftWrites) {
    this.#mirror = mirror
    this.ready = mirror.ready
    mirror.subscribe(() => this.#show())
    if (left.entries.length > 0) void this.#takeOver(left)
  }

  /** What the device keeps and the server has not said yes to, in order. */
  get queued(): readonly Entry[] {
    return this.#mirror.entries.filter((entry) => entry.acknowledged === undefined)
  }

  /** The lists with acknowledged writes that no read has seen the effect of yet. */
  get unseen(): Set<string> {
    const acknowledged = this.#mirror.entries.filter((entry) => entry.acknowledged !== undefined)
    return new Set(acknowledged.map(({ list }) => list))
  }

  /** What the device does not have yet. */
  get unstored(): readonly NewEntry[] {
    return this.#pending.map(({ entry }) => entry)
  }

  /** How many writes have not reached the server. */
  get waiting(): number {
    return this.queued.length + this.#pending.length
  }

  /** The same array until they change. */
  get notices(): readonly Notice[] {
    return this.#notices
  }

  /** What is to be laid over a list. The same array until it changes. */
  over(list: string): readonly NewEntry[] {
    return this.#shown.get(list) ?? nothing
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Shown at once; true once it is on the disk. False: the device did not keep it, it is shown no longer, and told. */
  queue(write: NewWrite): Promise<boolean> {
    const kept = this.#add(newEntry(this.#mirror.account, write))
    void this.#store()
    return kept
  }

  #add(entry: NewEntry): Promise<boolean> {
    return new Promise((settle) => {
      this.#pending = [...this.#pending, { entry, settle }]
      this.#show()
    })
  }

  async #takeOver({ entries, forget }: LeftWrites): Promise<void> {
    const kept = entries.map((entry) => this.#add(entry))
    await this.ready
    // The device may have had one of them after all, when its page was gone already.
    const known = new Set(this.#mirror.entries.map(({ id }) => id))
    const had = this.#pending.filter(({ entry }) => known.has(entry.id))
    this.#pending = this.#pending.filter(({ entry }) => !known.has(entry.id))
    for (const { settle } of had) settle(true)
    void this.#store()
    if ((await Promise.all(kept)).every((each) => each)) forget()
  }

  /** Those that come while a transaction is under way go into the next one together. */
  async #store(): Promise<void> {
    if (this.#storing) return
    this.#storing = true
    await this.ready
    while (this.#pending.length > 0) {
      const batch = this.#pending
      const kept = await this.#put(batch.map(({ entry }) => entry))
      for (const { settle } of batch) settle(kept)
    }
    this.#storing = false
  }

  /** Moves the first of what is pending to the device. */
  async #put(entries: readonly NewEntry[]): Promise<boolean> {
    let placed: Entry[] | undefined
    try {
      placed = await this.#mirror.place(
        (device, account, life) => device.add(account, life, entries),
        (added) => ({ placed: added }),
      )
    } catch (error) {
      console.warn('The device did not keep a change', error)
      for (const entry of entries) this.#tell(noticeOf([entry], "It couldn't be saved on this device.", true))
    }
    this.#pending = this.#pending.slice(entries.length)
    this.#mirror.changed()
    return placed !== undefined
  }

  /** Now that it is known how far the server's clock is ahead, it is known when what was made before was made. */
  async date(ahead: number): Promise<void> {
    const dated = await this.#mirror.ask((device, account, life) => device.date(account, life, ahead))
    if (dated === undefined) return
    await this.#mirror.reread()
    this.#mirror.changed()
  }

  /** The server said yes: they stay laid over until a read that starts later has arrived. */
  async acknowledge(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return
    const done = new Set(entries.map(({ seq }) => seq))
    const acknowledged = await this.#mirror.ask((device, account, life) =>
      device.acknowledge(account, life, [...done]),
    )
    if (acknowledged === undefined) return
    this.#mirror.changed({
      entries: this.#mirror.entries.map((other) =>
        done.has(other.seq) ? { ...other, acknowledged } : other,
      ),
    })
  }

  /** Takes a write and its followers out, telling what was lost, or silently when the person discarded it. */
  async takeOut(entry: Entry, told?: Told): Promise<void> {
    const taken = await this.#mirror.ask((device, account, life) =>
      device.takeOut(account, life, entry, told),
    )
    if (!taken) return
    const gone = new Set(taken.gone.map(({ seq }) => seq))
    this.#mirror.changed({
      entries: this.#mirror.entries.filter(({ seq }) => !gone.has(seq)),
      notices: [...this.#mirror.notices, ...(taken.notice ? [taken.notice] : [])],
    })
  }

  /** A write stays queued that cannot be sent: told once, so that the person may discard it. */
  hold(entry: Entry, reason: string): void {
    if (this.#held.has(entry.id)) return
    this.#held.add(entry.id)
    const title = "A change can't be sent yet"
    const { account, text, typed } = entry
    this.#tell({ account, title, reason, texts: [text], typed, again: [], held: entry })
    this.#show()
  }

  async tryAgain(notice: Notice): Promise<void> {
    if (notice.id < 0) {
      await this.dismiss(notice)
      await Promise.all(notice.again.map((entry) => this.queue(entry)))
      return
    }
    const placed = await this.#mirror.ask((device, account, life) =>
      device.add(account, life, notice.again, notice.id),
    )
    if (!placed) return
    await this.#mirror.reread()
    this.#mirror.changed()
  }

  async dismiss({ id }: Notice): Promise<void> {
    if (id < 0) {
      this.#own = this.#own.filter((other) => other.id !== id)
      return this.#show()
    }
    await this.#mirror.ask((device, account) => device.dismiss(account, id).then(() => true))
    this.#mirror.changed({ notices: this.#mirror.notices.filter((other) => other.id !== id) })
  }

  #tell(notice: Omit<Notice, 'id'> | undefined): void {
    if (notice) this.#own = [...this.#own, { ...notice, id: --this.#lastOwn }]
  }

  #show(): void {
    this.#showNotices()
    this.#showWrites()
    for (const listener of this.#listeners) listener()
  }

  #showNotices(): void {
    const kept = new Set(this.#mirror.entries.map(({ seq }) => seq))
    this.#own = this.#own.filter(({ held }) => !held || kept.has(held.seq))
    const notices = [...this.#mirror.notices, ...this.#own]
    const same =
      notices.length === this.#notices.length && notices.every(({ id }, at) => id === this.#notices[at]?.id)
    if (!same) this.#notices = notices
  }

  #showWrites(): void {
    const { entries } = this.#mirror
    const kept = new Set(entries.map(({ id }) => id))
    const pending = this.#pending.map(({ entry }) => entry)
    // They are stored in order: what came before one that the device has was there too, and may be done with already.
    const stored = pending.findLastIndex(({ id }) => kept.has(id))
    const shown = new Map<string, readonly NewEntry[]>(
      Map.groupBy([...entries, ...pending.slice(stored + 1)], ({ list }) => list),
    )
    for (const [list, laid] of shown) {
      const before = this.over(list)
      const same = before.length === laid.length && before.every(({ id }, at) => id === laid[at]?.id)
      if (same) shown.set(list, before)
    }
    this.#shown = shown
  }
}

const nothing: readonly NewEntry[] = []
