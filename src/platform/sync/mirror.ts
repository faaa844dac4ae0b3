import type { Device, InTurn, Known } from './device.ts'
import type { Entry, KeptList, Notice } from './entry.ts'
import { createMemoryDevice } from './memory-device.ts'

export interface MirrorEvents {
  /** A later answer of a list is kept than this tab has. Comes before the writes which that read has seen are dropped. */
  adopt(kept: KeptList): void
  /** This tab changed the device: the others should re-read it. */
  changed(): void
  /** Another tab forgot the account. */
  wiped(): void
  /** The browser took away what the device kept; what this tab knew was put back, so many unsent writes among it. */
  revived(unsent: number): void
}

/**
 * What the device keeps of one account, as this tab knows it: what this tab does is mirrored step by step, what other tabs
 * do by `reread`. Methods that change the device reject when it could not, unless they say otherwise.
 */
export class Mirror {
  readonly account: string
  /** Resolves once the device was read. */
  readonly ready: Promise<void>
  #device: Device = createMemoryDevice()
  #life = ''
  #events: MirrorEvents
  #entries: readonly Entry[] = []
  #notices: readonly Notice[] = []
  #values: ReadonlyMap<string, unknown> = new Map()
  #reads = new Map<string, number>()
  #listeners = new Set<() => void>()
  /** Counts all that makes a re-read which has begun too old. */
  #mark = 0
  #mirrored = 0
  #rereading: Promise<void> | undefined
  #reviving: Promise<boolean> | undefined

  constructor(account: string, device: Promise<Device>, events: MirrorEvents) {
    this.account = account
    this.#events = events
    this.ready = this.#open(device)
  }

  /** Whether the device was read, so that what it keeps is known. */
  get isKnown(): boolean {
    return this.#life !== ''
  }

  /** Known once `ready`; believed until then, so that no screen warns for a moment. */
  get durable(): boolean {
    return !this.isKnown || this.#device.durable
  }

  /** The writes that the device keeps, in order. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  get notices(): readonly Notice[] {
    return this.#notices
  }

  get values(): ReadonlyMap<string, unknown> {
    return this.#values
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Has the device do something for the account. Undefined when another tab has forgotten it, which is told. */
  async ask<Result>(
    work: (device: Device, account: string, life: string) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    await this.ready
    for (;;) {
      const life = this.#life
      const result = await work(this.#device, this.account, life)
      if (result !== undefined || !(await this.#revive(life))) return result
    }
  }

  /** Has the device place writes, and keep a value beside them; what it then has is known here. */
  async place<Result>(
    work: (device: Device, account: string, life: string) => Promise<Result | undefined>,
    placedBy: (result: Result) => {
      placed: readonly Entry[]
      values?: readonly [name: string, value: unknown][]
    },
  ): Promise<Result | undefined> {
    await this.ready
    const mirrored = this.#mirrored
    const result = await this.ask(work)
    if (result === undefined) return undefined
    // Re-read meanwhile: another tab may even have sent them by now, and only the device knows what is left of them.
    if (mirrored !== this.#mirrored) await this.reread()
    else {
      const { placed, values = [] } = placedBy(result)
      this.#entries = [...this.#entries, ...placed].sort((a, b) => a.seq - b.seq)
      this.#values = new Map([...this.#values, ...values])
    }
    return result
  }

  /** This tab changed the device, and what it keeps is this by now. */
  changed(now: { entries?: readonly Entry[]; notices?: readonly Notice[] } = {}): void {
    this.#entries = now.entries ?? this.#entries
    this.#notices = now.notices ?? this.#notices
    this.#mark += 1
    this.#show()
    this.#events.changed()
  }

  /** The tick of a read that is about to start. When the device cannot say, it has seen no more than the one before. */
  async startRead(list: string): Promise<number> {
    const before = () => this.#reads.get(list) ?? 0
    const tick = await this.ask((device, account, life) => device.startRead(account, life).catch(before))
    return tick ?? before()
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
    const kept = await this.ask((device, account, life) =>
      device.keepRead(account, life, list, answer, tick).catch((error: unknown) => {
        console.warn('The device did not keep a list', error)
        return { account, list, answer, tick }
      }),
    )
    if (!kept) return
    this.#reads.set(list, kept.tick)
    adopt(kept)
    this.changed()
    // Not only what this read has seen: other tabs may have dropped earlier writes, which would come to light again.
    await this.reread()
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
    let life: string
    let known: Known | undefined
    try {
      do {
        mark = this.#mark
        life = this.#life
        known = await this.#device.reread(this.account, life, this.#reads)
      } while (mark !== this.#mark)
    } catch (error) {
      console.warn('The device could not be read', error)
      this.#rereading = undefined
      return
    }
    // At once: whoever asks from here on has changed something that this did not see.
    this.#rereading = undefined
    if (known) this.#take(known)
    else await this.#revive(life)
  }

  /** Goes on after the browser took away what the device kept. False where the account was forgotten, which is told. */
  async #revive(life: string): Promise<boolean> {
    if (life !== this.#life) return true
    this.#reviving ??= this.#putBack().finally(() => {
      this.#reviving = undefined
    })
    return this.#reviving
  }

  async #putBack(): Promise<boolean> {
    const life = this.#life
    const remembered = {
      entries: this.#entries,
      notices: this.#notices,
      values: this.#values,
      reads: this.#reads,
    }
    const revived = await this.#device.revive(this.account, life, remembered).catch((error: unknown) => {
      console.warn(
        'This browser gives no storage any more: changes are only kept until the tab is closed',
        error,
      )
      this.#device = createMemoryDevice()
      return this.#device.revive(this.account, life, remembered)
    })
    if (!revived) {
      this.#events.wiped()
      return false
    }
    this.#life = revived.life
    this.#take(revived)
    this.changed()
    this.#events.revived(revived.unsent)
    return true
  }

  /** Forgets the account on this device, unsent writes included. */
  async wipe(): Promise<void> {
    await this.ready
    await this.#device.wipe(this.account)
    this.#values = new Map()
    this.changed({ entries: [], notices: [] })
  }

  /** A turn, for browsers without locks. */
  takeTurn(inTurn: InTurn, holder: string, now: number, until: number): Promise<boolean> {
    return this.#device.takeTurn(this.account, inTurn, holder, now, until)
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
    this.#take(known)
  }

  #take(known: Known): void {
    this.#mirrored += 1
    for (const kept of known.lists) {
      this.#reads.set(kept.list, kept.tick)
      this.#events.adopt(kept)
    }
    this.#entries = known.entries
    this.#notices = known.notices
    this.#values = known.values
    this.#show()
  }

  #show(): void {
    for (const listener of this.#listeners) listener()
  }
}
