import { onceQuiet } from '#platform/browser/activity.ts'
import type { LeaderRole, LocalState, LocalStore, ReadState } from './local-store.ts'
import type { FailedWrite, NewerResponse, QueuedWrite } from './queued-write.ts'

export interface TabReplicaEvents {
  /** Fetches the code that `adopt` needs for these responses. Never rejects. */
  prepare(stored: readonly NewerResponse[]): Promise<unknown>
  /** Called when the store has a later response than this tab, before the writes that this response includes are dropped. */
  adopt(stored: NewerResponse): void
  /** This tab changed the local store: the others should re-read it. */
  changed(): void
  /** Another tab erased the account. */
  wiped(): void
  /** The browser cleared the store. What this tab knew was restored, including `unsent` unsent writes. */
  revived(unsent: number): void
}

/**
 * This tab's copy of one account's data in the local store. It follows this tab's own changes step by step, and other tabs'
 * through `reread`. Methods that change the store reject if the store fails, unless they say otherwise.
 */
export class TabReplica {
  readonly account: string
  /** Resolves once the store has been read. */
  readonly ready: Promise<void>
  #opened: LocalStore | undefined
  #incarnation = ''
  #events: TabReplicaEvents
  #writes: readonly QueuedWrite[] = []
  #failedWrites: readonly FailedWrite[] = []
  #values: ReadonlyMap<string, unknown> = new Map()
  #reads = new Map<string, number>()
  /** The tags of these reads. */
  #tags = new Map<string, string | undefined>()
  #listeners = new Set<() => void>()
  /** Counts every change that makes a re-read in progress stale. */
  #version = 0
  #loads = 0
  /** The latest `seq` of a write that this tab has seen. The store gives out these numbers in ascending order. */
  #lastSeq = 0
  #rereading: Promise<void> | undefined
  #reviving: Promise<boolean> | undefined

  constructor(account: string, store: Promise<LocalStore>, events: TabReplicaEvents) {
    this.account = account
    this.#events = events
    this.ready = this.#open(store)
    // Fetch the memory store's code while there is a connection: there may be none when a browser takes its storage away.
    this.ready.then(
      () => onceQuiet(() => void fetchMemoryStore().catch(() => {})),
      () => {},
    )
  }

  /** Throws until `ready`. */
  get #store(): LocalStore {
    if (!this.#opened) throw new Error('The local store is not open yet')
    return this.#opened
  }

  /** Whether the store has been read. */
  get isLoaded(): boolean {
    return this.#incarnation !== ''
  }

  /** Whether changes outlive the tab. Assumed to be true until `ready`, so that no screen flashes a warning. */
  get durable(): boolean {
    return !this.isLoaded || this.#store.durable
  }

  /** The stored writes, in order. */
  get writes(): readonly QueuedWrite[] {
    return this.#writes
  }

  get failedWrites(): readonly FailedWrite[] {
    return this.#failedWrites
  }

  get values(): ReadonlyMap<string, unknown> {
    return this.#values
  }

  /** Whether a response of this collection is stored, as far as this tab knows. */
  hasRead(collection: string): boolean {
    return this.#reads.has(collection)
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Runs `work` on the store. Returns undefined if another tab has erased the account, after calling `wiped`. */
  async run<Result>(
    work: (store: LocalStore, account: string, incarnation: string) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    await this.ready
    for (;;) {
      const incarnation = this.#incarnation
      const result = await work(this.#store, this.account, incarnation)
      if (result !== undefined || !(await this.#revive(incarnation))) return result
    }
  }

  /** Runs `work`, which adds writes and may store a value with them, and updates this copy with what `addedBy` returns. */
  async addWrites<Result>(
    work: (store: LocalStore, account: string, incarnation: string) => Promise<Result | undefined>,
    addedBy: (result: Result) => {
      added: readonly QueuedWrite[]
      values?: readonly [name: string, value: unknown][]
    },
  ): Promise<Result | undefined> {
    await this.ready
    const loads = this.#loads
    const result = await this.run(work)
    if (result === undefined) return undefined
    const { added, values = [] } = addedBy(result)
    const [first] = added
    // False if another tab stored writes just before these and was closed before it could tell this tab.
    const isNext = first === undefined || first.seq === this.#lastSeq + 1
    this.#see(added)
    // If this tab re-read the store meanwhile, another tab may have sent these writes: only the store knows which are left.
    if (loads !== this.#loads || !isNext) await this.reread()
    else {
      this.#writes = [...this.#writes, ...added].sort((a, b) => a.seq - b.seq)
      this.#values = new Map([...this.#values, ...values])
    }
    return result
  }

  /** Call it after this tab changed the store. `now`: the writes and failed writes that the store has now, if they changed. */
  changed(now: { writes?: readonly QueuedWrite[]; failedWrites?: readonly FailedWrite[] } = {}): void {
    this.#writes = now.writes ?? this.#writes
    this.#failedWrites = now.failedWrites ?? this.#failedWrites
    this.#version += 1
    this.#notify()
    this.#events.changed()
  }

  /** Returns the tick of a read that is about to start. If the store fails, the read counts as no later than the previous one. */
  async startRead(collection: string): Promise<number> {
    const before = () => this.#reads.get(collection) ?? 0
    const tick = await this.run((store, account, incarnation) =>
      store.startRead(account, incarnation).catch(before),
    )
    return tick ?? before()
  }

  /**
   * Stores a read, whole or what it found changed, by `store`. Calls `adopt`, and only then drops the writes that the read
   * includes, so that no change disappears in between. Resolves with false if the store refused it: this tab then has what is
   * stored instead.
   */
  async storeRead(
    collection: string,
    { tick, tag }: ReadState,
    store: (store: LocalStore, account: string, incarnation: string) => Promise<boolean | undefined>,
    adopt: () => void,
  ): Promise<boolean | undefined> {
    const isStored = await this.run((...account) =>
      store(...account).catch((error: unknown) => {
        console.warn('The device did not keep a list', error)
        return true
      }),
    )
    if (isStored) {
      this.#reads.set(collection, tick)
      this.#tags.set(collection, tag)
      adopt()
      this.changed()
    }
    // Re-read the whole store: if only the writes that this read includes were dropped, writes dropped by other tabs would
    // reappear.
    if (isStored !== undefined) await this.reread()
    return isStored
  }

  /** Catches up with other tabs. Never rejects: if the store cannot be read, the next change tries again. */
  reread(): Promise<void> {
    this.#version += 1
    this.#rereading ??= this.#rereadUntilFresh()
    return this.#rereading
  }

  async #rereadUntilFresh(): Promise<void> {
    await this.ready
    let version: number
    let incarnation: string
    let state: LocalState | undefined
    try {
      do {
        version = this.#version
        incarnation = this.#incarnation
        state = await this.#store.reread(this.account, incarnation, this.#reads, this.#tags)
        await this.#events.prepare(state?.responses ?? [])
      } while (version !== this.#version)
    } catch (error) {
      console.warn('The device could not be read', error)
      this.#rereading = undefined
      return
    }
    // Clear it here, not later: whoever calls `reread` from now on may know of a change that this re-read missed.
    this.#rereading = undefined
    if (state) this.#load(state)
    else await this.#revive(incarnation)
  }

  /** Restores this tab's data after the browser cleared the store. Calls `wiped` and returns false if the account was erased. */
  async #revive(incarnation: string): Promise<boolean> {
    if (incarnation !== this.#incarnation) return true
    this.#reviving ??= this.#restore().finally(() => {
      this.#reviving = undefined
    })
    return this.#reviving
  }

  async #restore(): Promise<boolean> {
    const incarnation = this.#incarnation
    const remembered = {
      writes: this.#writes,
      failedWrites: this.#failedWrites,
      values: this.#values,
      reads: this.#reads,
    }
    const revived = await this.#store
      .revive(this.account, incarnation, remembered)
      .catch(async (error: unknown) => {
        console.warn(
          'This browser gives no storage any more: changes are only kept until the tab is closed',
          error,
        )
        const inMemory = await fetchMemoryStore()
        const revived = await inMemory.revive(this.account, incarnation, remembered)
        // Switch to the new store only now: before it contains the account, a leader could not renew its lease and would stop
        // sending.
        this.#opened = inMemory
        return revived
      })
    if (!revived) {
      this.#events.wiped()
      return false
    }
    await this.#events.prepare(revived.responses)
    this.#incarnation = revived.incarnation
    this.#load(revived)
    this.changed()
    this.#events.revived(revived.unsent)
    return true
  }

  /** Erases the account on this device, unsent writes included. */
  async wipe(): Promise<void> {
    await this.ready
    await this.#store.wipe(this.account)
    this.forget()
    this.#events.changed()
  }

  /** Empties this copy; the store stays as it is. */
  forget(): void {
    this.#values = new Map()
    this.#writes = []
    this.#failedWrites = []
    this.#version += 1
    this.#notify()
  }

  /** Leader election for browsers without the Web Locks API. */
  async claimLeadership(role: LeaderRole, tabId: string, now: number, until: number): Promise<boolean> {
    await this.ready
    return this.#store.claimLeadership(this.account, role, tabId, now, until)
  }

  async #open(store: Promise<LocalStore>): Promise<void> {
    let state: LocalState & { incarnation: string }
    try {
      this.#opened = await store
      state = await this.#opened.open(this.account)
    } catch (error) {
      console.warn('This browser gives no storage: changes are only kept until the tab is closed', error)
      this.#opened = await fetchMemoryStore()
      state = await this.#opened.open(this.account)
    }
    await this.#events.prepare(state.responses)
    this.#incarnation = state.incarnation
    this.#load(state)
  }

  #load(state: LocalState): void {
    this.#loads += 1
    for (const stored of state.responses) {
      this.#reads.set(stored.list, stored.tick)
      this.#tags.set(stored.list, stored.tag)
      this.#events.adopt(stored)
    }
    this.#writes = state.writes
    this.#failedWrites = state.failedWrites
    this.#values = state.values
    this.#see(state.writes)
    this.#notify()
  }

  #see(writes: readonly QueuedWrite[]): void {
    for (const { seq } of writes) this.#lastSeq = Math.max(this.#lastSeq, seq)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Fetches the memory store's code, which hardly any page needs: nearly every browser provides storage. */
async function fetchMemoryStore(): Promise<LocalStore> {
  const { createMemoryStore } = await import('./memory-store.ts')
  return createMemoryStore()
}
