import {
  type FailedWrite,
  failedWriteOf,
  type NewQueuedWrite,
  newQueuedWrite,
  type QueuedWrite,
  unsentOf,
  type WriteDescription,
  type WriteFailure,
} from '../local-store/queued-write.ts'
import type { TabReplica } from '../local-store/tab-replica.ts'
import type { UnstoredWrites } from './unstored-writes.ts'

interface Pending {
  write: NewQueuedWrite
  settle(stored: boolean): void
}

/**
 * The queued and failed writes of one account as the screens see them: those in the local store and those on their way into it.
 * Methods that change the store reject if the store fails, unless they say otherwise.
 */
export class Outbox {
  /** Resolves once the local store has been read. */
  readonly ready: Promise<void>
  readonly replica: TabReplica
  #pending: readonly Pending[] = []
  /** Failed writes that only this tab knows of. */
  #ownFailedWrites: readonly FailedWrite[] = []
  #failedWrites: readonly FailedWrite[] = []
  #writesByCollection = new Map<string, readonly NewQueuedWrite[]>()
  #listeners = new Set<() => void>()
  #storing = false
  #heldIds = new Set<string>()
  #lastOwnId = 0

  /** `unstored`: writes left over by an earlier page. They come first because they were made first. */
  constructor(replica: TabReplica, unstored: UnstoredWrites) {
    this.replica = replica
    this.ready = replica.ready
    replica.subscribe(() => this.#update())
    if (unstored.writes.length > 0) void this.#takeOver(unstored)
  }

  /** The stored writes, in order. A write that the server has accepted stays until a read includes it. */
  get stored(): readonly QueuedWrite[] {
    return this.replica.writes
  }

  /** The stored writes that the server has not accepted yet. */
  get queued(): readonly QueuedWrite[] {
    return unsentOf(this.stored)
  }

  /** The names of collections with acknowledged writes that no read includes yet. */
  get unread(): Set<string> {
    const acknowledged = this.replica.writes.filter((write) => write.acknowledged !== undefined)
    return new Set(acknowledged.map(({ list }) => list))
  }

  /** The writes that the local store does not have yet. */
  get unstored(): readonly NewQueuedWrite[] {
    return this.#pending.map(({ write }) => write)
  }

  /** How many writes the server has not accepted yet. */
  get waiting(): number {
    return this.queued.length + this.#pending.length
  }

  /** The failed writes. Returns the same array until they change. */
  get failedWrites(): readonly FailedWrite[] {
    return this.#failedWrites
  }

  /** The writes to apply on top of a collection. Returns the same array until they change. */
  writesTo(collection: string): readonly NewQueuedWrite[] {
    return this.#writesByCollection.get(collection) ?? nothing
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Shows the write at once. Resolves with true once it is on disk, or with false if it could not be stored: it is then no longer
   * shown, and is reported as failed.
   */
  queue(write: NewQueuedWrite): Promise<boolean> {
    const stored = this.#add(write)
    void this.#store()
    return stored
  }

  #add(write: NewQueuedWrite): Promise<boolean> {
    return new Promise((settle) => {
      this.#pending = [...this.#pending, { write, settle }]
      this.#update()
    })
  }

  async #takeOver({ writes, forget }: UnstoredWrites): Promise<void> {
    const stored = writes.map((write) => this.#add(write))
    await this.ready
    // The earlier page may have stored some of these writes after all, just before it was gone.
    const known = new Set(this.replica.writes.map(({ id }) => id))
    const alreadyStored = this.#pending.filter(({ write }) => known.has(write.id))
    this.#pending = this.#pending.filter(({ write }) => !known.has(write.id))
    for (const { settle } of alreadyStored) settle(true)
    void this.#store()
    if ((await Promise.all(stored)).every((each) => each)) forget()
  }

  /** Stores the pending writes. Writes that arrive during a transaction go into the next one together. */
  async #store(): Promise<void> {
    if (this.#storing) return
    this.#storing = true
    await this.ready
    while (this.#pending.length > 0) {
      const batch = this.#pending
      const stored = await this.#storeBatch(batch.map(({ write }) => write))
      for (const { settle } of batch) settle(stored)
    }
    this.#storing = false
  }

  /** Moves the first pending writes into the local store. Resolves with false if they were not stored. */
  async #storeBatch(writes: readonly NewQueuedWrite[]): Promise<boolean> {
    let added: QueuedWrite[] | undefined
    try {
      added = await this.replica.addWrites(
        (store, account, incarnation) => store.add(account, incarnation, writes),
        (added) => ({ added }),
      )
    } catch (error) {
      console.warn('The device did not keep a change', error)
      for (const write of writes)
        this.#addFailedWrite(
          failedWriteOf([write], { reason: "It couldn't be saved on this device.", retriable: true }),
        )
    }
    this.#pending = this.#pending.slice(writes.length)
    this.replica.changed()
    return added !== undefined
  }

  /** Reports writes as failed that are sent only if the person asks for it. All of them change the same row. */
  async setAside(writes: readonly WriteDescription[], failure: WriteFailure): Promise<void> {
    const account = this.replica.account
    const aside = writes.map((write) => newQueuedWrite(account, write))
    await this.report(aside, failure)
  }

  /** Reports writes as failed. All of them change the same row. */
  async report(writes: readonly NewQueuedWrite[], failure: WriteFailure): Promise<void> {
    try {
      const reported = await this.replica.run((store, account, incarnation) =>
        store.report(account, incarnation, writes, failure),
      )
      if (reported) this.replica.changed({ failedWrites: [...this.replica.failedWrites, ...reported] })
    } catch (error) {
      console.warn('The device did not keep a change', error)
      this.#addFailedWrite(failedWriteOf(writes, failure))
      this.#update()
    }
  }

  /** Reports once that a queued write cannot be sent, so that the person may discard it. The write stays queued. */
  hold(write: QueuedWrite, reason: string): void {
    if (this.#heldIds.has(write.id)) return
    this.#heldIds.add(write.id)
    const title = "A change can't be sent yet"
    const { account, text, typed } = write
    this.#addFailedWrite({ account, title, reason, texts: [text], typed, again: [], held: write })
    this.#update()
  }

  async dismiss({ id }: FailedWrite): Promise<void> {
    if (id < 0) {
      this.#ownFailedWrites = this.#ownFailedWrites.filter((other) => other.id !== id)
      return this.#update()
    }
    await this.replica.run((store, account) => store.dismiss(account, id).then(() => true))
    this.replica.changed({ failedWrites: this.replica.failedWrites.filter((other) => other.id !== id) })
  }

  #addFailedWrite(failedWrite: Omit<FailedWrite, 'id'> | undefined): void {
    if (failedWrite)
      this.#ownFailedWrites = [...this.#ownFailedWrites, { ...failedWrite, id: --this.#lastOwnId }]
  }

  #update(): void {
    this.#updateFailedWrites()
    this.#updateWrites()
    for (const listener of this.#listeners) listener()
  }

  #updateFailedWrites(): void {
    const storedSeqs = new Set(this.replica.writes.map(({ seq }) => seq))
    this.#ownFailedWrites = this.#ownFailedWrites.filter(({ held }) => !held || storedSeqs.has(held.seq))
    const failedWrites = [...this.replica.failedWrites, ...this.#ownFailedWrites]
    const same =
      failedWrites.length === this.#failedWrites.length &&
      failedWrites.every(({ id }, index) => id === this.#failedWrites[index]?.id)
    if (!same) this.#failedWrites = failedWrites
  }

  #updateWrites(): void {
    const { writes } = this.replica
    const storedIds = new Set(writes.map(({ id }) => id))
    const pending = this.#pending.map(({ write }) => write)
    // Writes are stored in order. If a pending write is in the store, the pending writes before it were stored too, and may
    // already be removed again.
    const lastStored = pending.findLastIndex(({ id }) => storedIds.has(id))
    const shown = new Map<string, readonly NewQueuedWrite[]>(
      Map.groupBy([...writes, ...pending.slice(lastStored + 1)], ({ list }) => list),
    )
    for (const [collection, current] of shown) {
      const before = this.writesTo(collection)
      const same =
        before.length === current.length && before.every(({ id }, index) => id === current[index]?.id)
      if (same) shown.set(collection, before)
    }
    this.#writesByCollection = shown
  }
}

const nothing: readonly NewQueuedWrite[] = []
