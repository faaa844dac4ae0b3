import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { duringActivity } from '#platform/browser/activity.ts'
import type { ReadState } from '../local-store/local-store.ts'
import type { NewerResponse } from '../local-store/queued-write.ts'
import type { TabReplica } from '../local-store/tab-replica.ts'
import { isReadEarly } from '../network/early-reads.ts'
import type { ApiRequest, RequestResult } from '../network/request.ts'
import type * as Changes from './changed-rows.ts'
import { type Collection, readPathOf } from './collection.ts'
import type { DeclaredWrites } from './declared-writes.ts'
import {
  collectionKey,
  collectionQueryDefaults,
  ReadFailure,
  type ServerSnapshot,
  snapshotOf,
} from './server-snapshot.ts'

interface AccountCollectionsParts {
  replica: TabReplica
  /** The declared writes. Each names its collection, so together they tell every collection that can be changed. */
  writes: DeclaredWrites
  queryClient: QueryClient
  sendRequest(request: ApiRequest, signal: AbortSignal): Promise<RequestResult>
  onSignedOut(): void
  /** Called when the server has accepted a read for this account. */
  onRead(): void
}

/** The collections of an account as the server has them: read, stored on this device and held in the query cache. */
export class AccountCollections {
  #parts: AccountCollectionsParts
  /** The collections that this page has used. */
  #asked = new Map<string, Collection<unknown>>()
  /**
   * Stored responses of collections that this page has not used yet. They are parsed on first use: thousands of rows take long.
   */
  #unread = new Map<string, { stored: NewerResponse; updatedAt: number }>()
  /** The code for responses that say only what has changed. Undefined until there is one, or if it could not be fetched. */
  #changes: typeof Changes | undefined
  /** The collections whose last read failed, with how many reads in a row. */
  #failed = new Map<string, number>()
  #loaded = false
  #ended = false

  constructor(parts: AccountCollectionsParts) {
    this.#parts = parts
    parts.queryClient.setQueryDefaults(collectionKey(parts.replica.account), collectionQueryDefaults)
    parts.replica.ready.then(() => {
      this.#loaded = true
    })
  }

  all(): Iterable<Collection<unknown>> {
    return this.#byName().values()
  }

  /** When the collection's rows arrived, in epoch milliseconds: 0 if an earlier page stored them, undefined if there are none. */
  gotAt(name: string): number | undefined {
    const state = this.#parts.queryClient.getQueryState(this.#keyOf(name))
    return state?.data === undefined ? this.#unread.get(name)?.updatedAt : state.dataUpdatedAt
  }

  /** The ETag of the rows that this tab has. */
  tagOf(name: string): string | undefined {
    return this.#snapshotOf(name)?.tag
  }

  query<Row, Totals>(collection: Collection<Row, Totals>) {
    this.#ask(collection)
    return queryOptions<ServerSnapshot<Row, Totals>>({
      queryKey: this.#keyOf(collection.name),
      queryFn: ({ signal }) => duringActivity(this.#read(collection, signal)),
    })
  }

  /** The server's rows as this page knows them; empty until the collection has been read. */
  rowsOf<Row>(collection: Collection<Row>): readonly Row[] {
    this.#ask(collection)
    return this.#snapshotOf<Row>(collection.name)?.rows ?? []
  }

  isReadEarly(name: string): boolean {
    const collection = this.#byName().get(name)
    return collection !== undefined && isReadEarly(readPathOf(collection), this.#parts.replica.account)
  }

  /** Reads a collection unless its rows are fresh. Resolves once it has been read or the read has failed. */
  async readAhead(name: string): Promise<void> {
    const collection = await this.#find(name)
    if (collection && !this.#ended) await this.#parts.queryClient.prefetchQuery(this.query(collection))
  }

  /** Reads every collection again, after something other than a write changed them on the server. */
  async reread(): Promise<void> {
    // Collections whose declarations could not be fetched are read when a screen asks for them.
    await this.#parts.writes.all().catch(() => {})
    await Promise.all([...this.#byName().keys()].map((name) => this.refresh(name)))
  }

  /** Repeats the reads that failed, now that the server responds again. */
  async readFailed(): Promise<void> {
    await Promise.all([...this.#failed.keys()].map((name) => this.refresh(name)))
  }

  /**
   * Cancels a read in progress, which may have started too early to include recent writes, and reads again. Resolves with false
   * if that failed.
   */
  async refresh(name: string): Promise<boolean> {
    const collection = await this.#find(name)
    if (!collection || this.#ended) return true
    const { queryClient } = this.#parts
    const query = this.query(collection)
    await queryClient.cancelQueries({ queryKey: query.queryKey })
    // Do not go by the response's time: if this device's clock was set back, an old response would still seem fresh.
    await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
    return queryClient.fetchQuery({ ...query, staleTime: 0 }).then(
      () => true,
      () => false,
    )
  }

  /** Fetches the code that these responses need. Without it, they are read anew. */
  async prepare(stored: readonly NewerResponse[]): Promise<void> {
    if (stored.some(({ answer, changes }) => answer === undefined || changes?.length))
      await this.#fetchChanges()
  }

  async #fetchChanges(): Promise<typeof Changes | undefined> {
    this.#changes ??= await import('./changed-rows.ts').catch(() => undefined)
    return this.#changes
  }

  /**
   * Takes over a stored response. While the page starts, it comes from an earlier page and is read again; later, another tab has
   * just read it.
   */
  adopt(newer: NewerResponse): void {
    const { list: name } = newer
    const stored = this.#changes?.joined(this.#unread.get(name)?.stored, newer) ?? newer
    this.#unread.set(name, { stored, updatedAt: this.#loaded ? Date.now() : 0 })
    const collection = this.#asked.get(name)
    if (collection) this.#ask(collection)
  }

  /** Stops all reads until `resume`. */
  async end(): Promise<void> {
    this.#ended = true
    await this.#parts.queryClient.cancelQueries({ queryKey: this.#keyOf() })
  }

  /** Allows reads again, and reads the collections that were requested before or during the stop. */
  async resume(): Promise<void> {
    this.#ended = false
    await this.rereadRequested()
  }

  /** Reads again every collection that this page has requested or the device has stored. */
  async rereadRequested(): Promise<void> {
    const requested = new Set([...this.#asked.keys(), ...this.#unread.keys()])
    const isKnown = (name: string) =>
      this.#unread.has(name) || this.#parts.queryClient.getQueryState(this.#keyOf(name))
    await Promise.all([...requested].filter(isKnown).map((name) => this.refresh(name)))
  }

  forget(): void {
    this.#parts.queryClient.removeQueries({ queryKey: this.#keyOf() })
    this.#unread.clear()
  }

  #byName(): ReadonlyMap<string, Collection<unknown>> {
    const declared = [...this.#parts.writes.byName.values()].map(({ collection }) => collection)
    return new Map([...declared.map((each) => [each.name, each] as const), ...this.#asked])
  }

  /** Finds a collection by name; undefined if this build does not know it, or if the declarations can't be fetched now. */
  async #find(name: string): Promise<Collection<unknown> | undefined> {
    const known = this.#byName().get(name)
    if (known || this.#parts.writes.areAllKnown) return known
    await this.#parts.writes.all().catch(() => {})
    return this.#byName().get(name)
  }

  /** Marks the collection as used and puts its stored rows, if any, into the query cache. */
  #ask<Row, Totals>(collection: Collection<Row, Totals>): void {
    const { name } = collection
    this.#asked.set(name, collection)
    const unread = this.#unread.get(name)
    if (!unread) return
    this.#unread.delete(name)
    const { stored, updatedAt } = unread
    try {
      const { answer, tick, since: tag } = stored
      const snapshot =
        this.#changes?.storedSnapshot(collection, stored, this.#snapshotOf(name)) ??
        snapshotOf(collection, answer, { tick, tag })
      this.#parts.queryClient.setQueryData(this.#keyOf(name), snapshot, { updatedAt })
    } catch (error) {
      console.warn(`Another version kept ${name} in another shape; it is read anew`, error)
    }
  }

  /** `refused`: the rows that a change must not be asked for again. */
  async #read<Row, Totals>(
    collection: Collection<Row, Totals>,
    signal: AbortSignal,
    refused?: ServerSnapshot<Row, Totals>,
  ): Promise<ServerSnapshot<Row, Totals>> {
    const { replica, queryClient, sendRequest, onSignedOut, onRead } = this.#parts
    // A screen that is still mounted may try to read again, although nobody is signed in on the server any more.
    if (this.#ended) throw new Error('The account was left on this device')
    const { name, headers, order } = collection
    const path = readPathOf(collection)
    // Ticks order reads. The page sent its early request without a tick, so the response counts as older than any stored one.
    const early = isReadEarly(path, replica.account)
    const tick = early ? 0 : await replica.startRead(name)
    const current = this.#snapshotOf<Row, Totals>(name)
    const failures = this.#failed.get(name) ?? 0
    // A proxy may fail because of the tag, so some attempts ask for the full response.
    const asked = early || current === refused || failures % 3 === 2 ? undefined : current
    const since = order && asked?.tag?.slice(1, -1)
    const result = await sendRequest(
      {
        method: 'GET',
        path: since ? `${path}${path.includes('?') ? '&' : '?'}since=${since}` : path,
        headers,
        cached: asked && { body: asked, tag: asked.tag },
        early,
      },
      signal,
    )
    signal.throwIfAborted()
    if (result.kind === 'signed-out') onSignedOut()
    if (result.kind !== 'done') {
      this.#failed.set(name, failures + (result.kind === 'none' && !result.by ? 1 : 2))
      const failure = new ReadFailure(result)
      console.warn(`Could not read ${name}: ${failure.message}`)
      throw failure
    }
    this.#failed.delete(name)
    const { body } = result
    const read = { tick, tag: result.tag?.replace('W/', '') }
    const show = (snapshot: ServerSnapshot<Row, Totals>) =>
      queryClient.setQueryData(this.#keyOf(name), snapshot)
    if (asked && (body === asked || 'since' in body)) {
      const changes = await this.#fetchChanges()
      signal.throwIfAborted()
      const taken = await changes?.takeChange({ collection, replica, asked, body, read, show })
      const later = taken ?? this.#snapshotOf<Row, Totals>(name)
      if (!later || later === asked || later.tick < tick) return this.#read(collection, signal, asked)
      onRead()
      return later
    }
    let snapshot: ServerSnapshot<Row, Totals>
    let kept = body
    // The first screen waits for an early response, so that is read at once. So is a long one if a newer build has replaced the
    // code for it.
    const long =
      !early && Number(rowCount(collection, kept)) > 500
        ? await import('./long-responses.ts').catch(() => undefined)
        : undefined
    signal.throwIfAborted()
    if (long) ({ snapshot, stored: kept } = await long.readInSlices(collection, kept, read, signal))
    else snapshot = snapshotOf(collection, kept, read)
    // `storeRead` and the read report their own failures.
    if (early) this.#storeEarly(collection, kept, read).catch(() => {})
    else await this.#store(name, kept, read, () => show(snapshot))
    onRead()
    return snapshot
  }

  /**
   * Stores a response that was shown before the local store was open. If the store has a later response, another tab may have
   * sent changes since, so the collection is read again.
   */
  async #storeEarly({ name }: Collection<unknown>, response: object, read: ReadState): Promise<void> {
    const { replica } = this.#parts
    await replica.ready
    if (this.#ended) return
    if (replica.hasRead(name)) await this.refresh(name)
    else await this.#store(name, response, read, () => {})
  }

  #store(name: string, response: object, read: ReadState, adopt: () => void): Promise<unknown> {
    return this.#parts.replica.storeRead(
      name,
      read,
      (store, account, incarnation) =>
        store.storeResponse(account, incarnation, name, response, read.tick, read.tag),
      adopt,
    )
  }

  /** The rows that this tab has of a collection. */
  #snapshotOf<Row, Totals = unknown>(name: string): ServerSnapshot<Row, Totals> | undefined {
    return this.#parts.queryClient.getQueryData(this.#keyOf(name))
  }

  #keyOf(collection?: string) {
    return collectionKey(this.#parts.replica.account, collection)
  }
}

/** The number of rows in a response that may be long; undefined for other collections. */
function rowCount({ long }: Collection<unknown>, response: object): number | undefined {
  return Object(long && Reflect.get(response, long.array)).length
}
