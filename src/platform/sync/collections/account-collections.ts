import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { duringActivity } from '#platform/browser/activity.ts'
import type { TabReplica } from '../local-store/tab-replica.ts'
import { isReadEarly } from '../network/early-reads.ts'
import type { ApiRequest, CachedResponse, RequestResult } from '../network/request.ts'
import type { StoredResponse } from '../outbox/queued-write.ts'
import { type Collection, readPathOf } from './collection.ts'
import {
  collectionKey,
  collectionQueryDefaults,
  ReadFailure,
  type ServerSnapshot,
  snapshotOf,
} from './server-snapshot.ts'

interface AccountCollectionsParts {
  replica: TabReplica
  collections: readonly Collection<unknown>[]
  queryClient: QueryClient
  sendRequest(request: ApiRequest, signal: AbortSignal): Promise<RequestResult>
  onSignedOut(): void
  /** The server responded to this account. */
  onRead(): void
}

/** The collections of an account as the server has them: read, stored on this device and held in the query cache. */
export class AccountCollections {
  #parts: AccountCollectionsParts
  #collections: Map<string, Collection<unknown>>
  /** The last response of each collection to this tab, so that the server can answer 304. */
  #lastResponses = new Map<string, CachedResponse>()
  /** The collections whose last read got no response. */
  #failed = new Set<string>()
  #loaded = false
  #ended = false

  constructor(parts: AccountCollectionsParts) {
    this.#parts = parts
    this.#collections = new Map(parts.collections.map((collection) => [collection.name, collection]))
    parts.queryClient.setQueryDefaults(collectionKey(parts.replica.account), collectionQueryDefaults)
    parts.replica.ready.then(() => {
      this.#loaded = true
    })
  }

  all(): Iterable<Collection<unknown>> {
    return this.#collections.values()
  }

  /** The tag of the last response to this tab. */
  tagOf(name: string): string | undefined {
    return this.#lastResponses.get(name)?.tag
  }

  query<Row, Totals>(collection: Collection<Row, Totals>) {
    this.#collections.set(collection.name, collection)
    return queryOptions<ServerSnapshot<Row, Totals>>({
      queryKey: this.#keyOf(collection.name),
      queryFn: ({ signal }) => duringActivity(this.#read(collection, signal)),
    })
  }

  /** The server's rows as this page knows them; none while nothing is known. */
  rowsOf<Row>({ name }: Collection<Row>): readonly Row[] {
    return this.#parts.queryClient.getQueryData<ServerSnapshot<Row>>(this.#keyOf(name))?.rows ?? []
  }

  isReadEarly(name: string): boolean {
    const collection = this.#collections.get(name)
    return collection !== undefined && isReadEarly(readPathOf(collection), this.#parts.replica.account)
  }

  /** Resolves once it has been read or that has failed. */
  async readAhead(name: string): Promise<void> {
    const collection = this.#collections.get(name)
    if (collection && !this.#ended) await this.#parts.queryClient.prefetchQuery(this.query(collection))
  }

  /** Reads every collection again: something other than a write has changed them on the server. */
  async reread(): Promise<void> {
    await Promise.all([...this.#collections.keys()].map((name) => this.refresh(name)))
  }

  /** Reads again what could not be read, now that the server responds again. */
  async readFailed(): Promise<void> {
    await Promise.all([...this.#failed].map((name) => this.refresh(name)))
  }

  /**
   * Cancels a read in progress, which may have started too early to include recent writes, and reads again. Resolves with
   * false if that failed.
   */
  async refresh(name: string): Promise<boolean> {
    const collection = this.#collections.get(name)
    if (!collection || this.#ended) return true
    const { queryClient } = this.#parts
    const query = this.query(collection)
    await queryClient.cancelQueries({ queryKey: query.queryKey })
    // Judged by time alone, a response from before this device's clock was set back would still seem fresh.
    await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
    return queryClient.fetchQuery({ ...query, staleTime: 0 }).then(
      () => true,
      () => false,
    )
  }

  /** Takes over a stored response: another tab's, or at the start the last known one, which is then read again. */
  adopt(stored: StoredResponse): void {
    const collection = this.#collections.get(stored.list)
    if (!collection) return
    try {
      const snapshot = snapshotOf(collection, stored.answer, stored.tick)
      const updatedAt = this.#loaded ? Date.now() : 0
      this.#parts.queryClient.setQueryData(this.#keyOf(stored.list), snapshot, { updatedAt })
    } catch (error) {
      console.warn(`Another version kept ${stored.list} in another shape; it is read anew`, error)
    }
  }

  /** Stops all reads until `resume`. */
  async end(): Promise<void> {
    this.#ended = true
    await this.#parts.queryClient.cancelQueries({ queryKey: this.#keyOf() })
  }

  /** Reads what was requested before or during the stop. */
  async resume(): Promise<void> {
    this.#ended = false
    await this.rereadRequested()
  }

  /** Reads again every collection that this page has requested. */
  async rereadRequested(): Promise<void> {
    const requested = [...this.#collections.keys()].filter((name) =>
      this.#parts.queryClient.getQueryState(this.#keyOf(name)),
    )
    await Promise.all(requested.map((name) => this.refresh(name)))
  }

  forget(): void {
    this.#parts.queryClient.removeQueries({ queryKey: this.#keyOf() })
    this.#lastResponses.clear()
  }

  async #read<Row, Totals>(
    collection: Collection<Row, Totals>,
    signal: AbortSignal,
  ): Promise<ServerSnapshot<Row, Totals>> {
    const { replica, queryClient, sendRequest, onSignedOut, onRead } = this.#parts
    // A screen that is still mounted would read again, from a server where nobody is signed in any more.
    if (this.#ended) throw new Error('The account was left on this device')
    const path = readPathOf(collection)
    // The page asked before it could know a tick, so its response is older than all that this device has stored.
    const early = isReadEarly(path, replica.account)
    const tick = early ? 0 : await replica.startRead(collection.name)
    const cached = this.#lastResponses.get(collection.name)
    const { headers } = collection
    const result = await sendRequest({ method: 'GET', path, headers, cached, early }, signal)
    signal.throwIfAborted()
    if (result.kind === 'signed-out') onSignedOut()
    if (result.kind !== 'done') {
      // Something in between may have answered because of the tag, so the next read asks for the full response.
      this.#lastResponses.delete(collection.name)
      if (result.kind === 'none') this.#failed.add(collection.name)
      const failure = new ReadFailure(result)
      console.warn(`Could not read ${collection.name}: ${failure.message}`)
      throw failure
    }
    this.#lastResponses.set(collection.name, result)
    this.#failed.delete(collection.name)
    let snapshot = snapshotOf(collection, result.body, tick)
    if (early) {
      void this.#storeEarly(collection, result.body)
      onRead()
      return snapshot
    }
    await replica.storeResponse(collection.name, result.body, tick, (stored) => {
      if (stored.tick !== tick) snapshot = snapshotOf(collection, stored.answer, stored.tick)
      queryClient.setQueryData(this.#keyOf(collection.name), snapshot)
    })
    onRead()
    return snapshot
  }

  /** It is shown before the local store is open; if that has a later response, another tab may have sent changes since. */
  async #storeEarly(collection: Collection<unknown>, response: object): Promise<void> {
    const { replica } = this.#parts
    await replica.ready
    if (this.#ended) return
    if (replica.hasRead(collection.name)) return void (await this.refresh(collection.name))
    await replica.storeResponse(collection.name, response, 0, (stored) => this.adopt(stored))
  }

  #keyOf(collection?: string) {
    return collectionKey(this.#parts.replica.account, collection)
  }
}
