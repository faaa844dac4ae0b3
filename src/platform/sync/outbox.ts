import { type Device, type Known, randomId, type Step, type Told } from './device.ts'
import { type Entry, type KeptList, type NewEntry, type NewWrite, type Notice, noticeOf } from './entry.ts'
import { createMemoryDevice } from './memory-device.ts'

export interface OutboxEvents {
  /** A later answer of a list is kept than this tab has. Comes before the writes which that read has seen are dropped. */
  adopt(kept: KeptList): void
  /** This tab changed the device: the others should re-read it. */
  changed(): void
  /** Another tab forgot the account. */
  wiped(): void
}

interface Pending {
  entry: NewEntry
  settle(kept: boolean): void
}

/**
 * The queued writes and the notices of one account as the screens see them: what the device keeps and what is on its way
 * to it. What this tab does is mirrored step by step, what other tabs do by `reread`. Methods that change the device
 * reject when it could not, unless they say otherwise.
 */
export class Outbox {
  readonly account: string
  /** Resolves once the device was read. */
  readonly ready: Promise<void>
  #device: Device = createMemoryDevice()
  #life = ''
  #events: OutboxEvents
  #entries: readonly Entry[] = []
  #pending: readonly Pending[] = []
  #notices: readonly Notice[] = []
  #values: ReadonlyMap<string, unknown> = new Map()
  #shown = new Map<string, readonly NewEntry[]>()
  #reads = new Map<string, number>()
  #listeners = new Set<() => void>()
  #storing = false
  #held = new Set<string>()
  #lastOwnNotice = 0
  /** Counts all that makes a re-read which has begun too old. */
  #mark = 0
  #mirrors = 0
  #rereading: Promise<void> | undefined

  constructor(account: string, device: Promise<Device>, events: OutboxEvents) {
    this.account = account
    this.#events = events
    this.ready = this.#open(device)
  }

  /** Known once `ready`; believed until then, so that no screen warns for a moment. */
  get durable(): boolean {
    return this.#life === '' || this.#device.durable
  }

  /** What the device keeps and the server has not said yes to, in order. */
  get queued(): readonly Entry[] {
    return this.#entries.filter((entry) => entry.acknowledged === undefined)
  }

  /** The lists with acknowledged writes that no read has seen the effect of yet. */
  get unseen(): Set<string> {
    return new Set(this.#entries.filter((entry) => entry.acknowledged !== undefined).map(({ list }) => list))
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

  /** What is kept under a name: null where that is nothing, undefined until the device was read. */
  kept(name: string): unknown {
    return this.#life === '' ? undefined : (this.#values.get(name) ?? null)
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Shown at once; true once it is on the disk. False: the device did not keep it, it is shown no longer, and told. */
  queue(write: NewWrite): Promise<boolean> {
    return new Promise((settle) => {
      const entry = this.#entryOf(write)
      this.#pending = [...this.#pending, { entry, settle }]
      this.#show()
      void this.#store()
    })
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
    const mirrors = this.#mirrors
    let placed: Entry[] | undefined
    try {
      placed = await this.#device.add(this.account, this.#life, entries)
      if (!placed) this.#events.wiped()
    } catch (error) {
      console.warn('The device did not keep a change', error)
      for (const entry of entries) this.#tell(noticeOf([entry], 'This device could not keep it.', true))
    }
    if (placed) await this.#takeIn(placed, mirrors)
    this.#pending = this.#pending.slice(entries.length)
    this.#changed()
    return placed !== undefined
  }

  /**
   * Changes what is kept under a name by what it is at that moment; the writes that go with it are kept with it. `list`:
   * whose answer is handed to the step, too.
   */
  async change(
    name: string,
    step: (stored: unknown, answer: unknown) => { value: unknown; writes: readonly NewWrite[] },
    list?: string,
  ): Promise<void> {
    await this.ready
    const mirrors = this.#mirrors
    const take = (stored: unknown, answer: unknown): Step => {
      const { value, writes } = step(stored, answer)
      return { value, entries: writes.map((write) => this.#entryOf(write)) }
    }
    const changed = await this.#device.change(this.account, this.#life, name, take, list)
    if (!changed) return this.#events.wiped()
    await this.#takeIn(changed.placed, mirrors, [[name, changed.value]])
    this.#changed()
  }

  #entryOf(write: NewWrite): NewEntry {
    return { ...write, id: randomId(), account: this.account }
  }

  /** What the device took, begun when this tab had mirrored it `mirrors` times. */
  async #takeIn(
    placed: readonly Entry[],
    mirrors: number,
    values: readonly [name: string, value: unknown][] = [],
  ): Promise<void> {
    // Re-read meanwhile: another tab may even have sent them by now, and only the device knows what is left of them.
    if (mirrors !== this.#mirrors) return this.reread()
    this.#entries = [...this.#entries, ...placed].sort((a, b) => a.seq - b.seq)
    this.#values = new Map([...this.#values, ...values])
  }

  /** The server said yes: it stays laid over until a read that starts later has arrived. */
  async acknowledge(entry: Entry): Promise<void> {
    const tick = await this.#device.acknowledge(this.account, this.#life, entry.seq)
    if (tick === undefined) return this.#events.wiped()
    this.#entries = this.#entries.map((other) =>
      other.seq === entry.seq ? { ...other, acknowledged: tick } : other,
    )
    this.#changed()
  }

  /** Takes a write and its followers out, telling what was lost, or silently when the person discarded it. */
  async takeOut(entry: Entry, told?: Told): Promise<void> {
    const taken = await this.#device.takeOut(this.account, this.#life, entry, told)
    if (!taken) return this.#events.wiped()
    this.#drop(taken.gone)
    if (taken.notice) this.#notices = [...this.#notices, taken.notice]
    this.#changed()
  }

  /** A write stays queued that this build cannot send: told once. */
  hold(entry: Entry): void {
    if (this.#held.has(entry.id)) return
    this.#held.add(entry.id)
    const title = 'A change cannot be sent yet'
    const reason = 'It was made by another version of Daymark. It is kept on this device.'
    this.#tell({ account: this.account, title, reason, texts: [entry.text], again: [], held: entry })
    this.#show()
  }

  /** The tick of a read that is about to start. When the device cannot say, it has seen no more than the one before. */
  async startRead(list: string): Promise<number> {
    await this.ready
    const before = this.#reads.get(list) ?? 0
    const tick = await this.#device.startRead(this.account, this.#life).catch(() => before)
    if (tick === undefined) this.#events.wiped()
    return tick ?? before
  }

  /**
   * Keeps what a read answered, and hands the newest kept answer of that list, which may be another tab's, to `adopt`
   * before the writes that it has seen are dropped: a change is never hidden in between.
   */
  async keepRead(
    list: string,
    answer: unknown,
    tick: number,
    adopt: (kept: KeptList) => void,
  ): Promise<void> {
    const kept = await this.#device
      .keepRead(this.account, this.#life, list, answer, tick)
      .catch((error: unknown) => {
        console.warn('The device did not keep a list', error)
        return { account: this.account, list, answer, tick }
      })
    if (!kept) return this.#events.wiped()
    this.#reads.set(list, kept.tick)
    adopt(kept)
    this.#changed()
    // Not only what this read has seen: other tabs may have dropped earlier writes, which would come to light again.
    await this.reread()
  }

  async tryAgain(notice: Notice): Promise<void> {
    if (notice.id < 0) {
      await this.dismiss(notice)
      await Promise.all(notice.again.map((entry) => this.queue(entry)))
      return
    }
    const placed = await this.#device.add(this.account, this.#life, notice.again, notice.id)
    if (!placed) return this.#events.wiped()
    await this.reread()
    this.#changed()
  }

  async dismiss(notice: Notice): Promise<void> {
    this.#notices = this.#notices.filter(({ id }) => id !== notice.id)
    this.#show()
    if (notice.id < 0) return
    await this.#device.dismiss(this.account, notice.id)
    this.#changed()
  }

  /** Mirrors what other tabs did. Never rejects: a device that cannot be read is asked again at the next change. */
  reread(): Promise<void> {
    this.#mark += 1
    this.#rereading ??= this.#rereadUntilFresh()
    return this.#rereading
  }

  async #rereadUntilFresh(): Promise<void> {
    await this.ready
    let mark: number
    let known: Known | undefined
    try {
      do {
        mark = this.#mark
        known = await this.#device.reread(this.account, this.#life, this.#reads)
      } while (mark !== this.#mark)
    } catch (error) {
      console.warn('The device could not be read', error)
      this.#rereading = undefined
      return
    }
    // At once: whoever asks from here on has changed something that this did not see.
    this.#rereading = undefined
    if (known) this.#mirror(known)
    else this.#events.wiped()
  }

  /** Forgets the account on this device, unsent writes included. */
  async wipe(): Promise<void> {
    await this.ready
    await this.#device.wipe(this.account)
    this.#entries = []
    this.#notices = []
    this.#values = new Map()
    this.#changed()
  }

  /** A turn to send, for browsers without locks. */
  takeTurn(holder: string, now: number, until: number): Promise<boolean> {
    return this.#device.takeTurn(this.account, holder, now, until)
  }

  async #open(device: Promise<Device>): Promise<void> {
    let known: Known & { life: string }
    try {
      this.#device = await device
      known = await this.#device.open(this.account)
    } catch (error) {
      console.warn('This browser gives no storage: changes are only kept until the tab is closed', error)
      this.#device = createMemoryDevice()
      known = await this.#device.open(this.account)
    }
    this.#life = known.life
    this.#mirror(known)
  }

  #mirror(known: Known): void {
    this.#mirrors += 1
    for (const kept of known.lists) {
      this.#reads.set(kept.list, kept.tick)
      this.#events.adopt(kept)
    }
    this.#entries = known.entries
    this.#values = known.values
    const held = new Set(known.entries.map(({ seq }) => seq))
    const ownOnly = this.#notices.filter(
      (notice) => notice.id < 0 && (!notice.held || held.has(notice.held.seq)),
    )
    this.#notices = [...known.notices, ...ownOnly]
    this.#show()
  }

  #drop(gone: readonly Entry[]): void {
    const seqs = new Set(gone.map(({ seq }) => seq))
    this.#entries = this.#entries.filter(({ seq }) => !seqs.has(seq))
    this.#notices = this.#notices.filter(({ held }) => !held || !seqs.has(held.seq))
  }

  #tell(notice: Omit<Notice, 'id'> | undefined): void {
    if (notice) this.#notices = [...this.#notices, { ...notice, id: --this.#lastOwnNotice }]
  }

  #changed(): void {
    this.#mark += 1
    this.#show()
    this.#events.changed()
  }

  #show(): void {
    const kept = new Set(this.#entries.map(({ id }) => id))
    const pending = this.#pending.map(({ entry }) => entry)
    // They are stored in order: what came before one that the device has was there too, and may be done with already.
    const stored = pending.findLastIndex(({ id }) => kept.has(id))
    const shown = new Map<string, readonly NewEntry[]>(
      Map.groupBy([...this.#entries, ...pending.slice(stored + 1)], ({ list }) => list),
    )
    for (const [list, entries] of shown) {
      const before = this.over(list)
      const same = before.length === entries.length && before.every(({ id }, at) => id === entries[at]?.id)
      if (same) shown.set(list, before)
    }
    this.#shown = shown
    for (const listener of this.#listeners) listener()
  }
}

const nothing: readonly NewEntry[] = []
