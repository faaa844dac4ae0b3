import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Answer, Known, Request } from './answer.ts'
import { type Base, listDefaults, listKey, ReadFailure } from './base.ts'
import type { KeptList } from './entry.ts'
import type { List } from './list.ts'
import type { Mirror } from './mirror.ts'

interface AccountListsParts {
  mirror: Mirror
  lists: readonly List<unknown>[]
  queryClient: QueryClient
  ask(request: Request, signal: AbortSignal): Promise<Answer>
  onSignedOut(): void
  /** The server answered as this account. */
  onRead(): void
}

/** The lists of an account as the server says that they are: read, kept on the device, and held in the cache. */
export class AccountLists {
  #parts: AccountListsParts
  #lists: Map<string, List<unknown>>
  /** What the server last said of each list to this tab, so that it can say that it still does. */
  #known = new Map<string, Known>()
  /** Those whose last read got no answer. */
  #failed = new Set<string>()
  #loaded = false
  #over = false

  constructor(parts: AccountListsParts) {
    this.#parts = parts
    this.#lists = new Map(parts.lists.map((list) => [list.name, list]))
    parts.queryClient.setQueryDefaults(listKey(parts.mirror.account), listDefaults)
    parts.mirror.ready.then(() => {
      this.#loaded = true
    })
  }

  all(): Iterable<List<unknown>> {
    return this.#lists.values()
  }

  /** Of the last answer to this tab. */
  tagOf(name: string): string | undefined {
    return this.#known.get(name)?.tag
  }

  query<Row>(list: List<Row>) {
    this.#lists.set(list.name, list)
    return queryOptions<Base<Row>>({
      queryKey: this.#keyOf(list.name),
      queryFn: ({ signal }) => this.#read(list, signal),
    })
  }

  /** Reads every list anew: the server has changed them by another way than a write. */
  async reread(): Promise<void> {
    await Promise.all([...this.#lists.keys()].map((name) => this.refresh(name)))
  }

  /** Reads anew what could not be read: the server answers again. */
  async readFailed(): Promise<void> {
    await Promise.all([...this.#failed].map((name) => this.refresh(name)))
  }

  /** A read that is under way may have started too early to have seen what was written since. False where it failed. */
  async refresh(name: string): Promise<boolean> {
    const list = this.#lists.get(name)
    if (!list || this.#over) return true
    const { queryClient } = this.#parts
    const query = this.query(list)
    await queryClient.cancelQueries({ queryKey: query.queryKey })
    // By its time alone, an answer from before this device's clock was set back is not old enough to be asked for again.
    await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: 'none' })
    return queryClient.fetchQuery({ ...query, staleTime: 0 }).then(
      () => true,
      () => false,
    )
  }

  /** An answer that the device keeps: another tab's, or at the start the last known one, which is to be asked anew. */
  adopt(kept: KeptList): void {
    const list = this.#lists.get(kept.list)
    if (!list) return
    try {
      const base = { rows: list.rows(kept.answer), tick: kept.tick }
      const updatedAt = this.#loaded ? Date.now() : 0
      this.#parts.queryClient.setQueryData(this.#keyOf(kept.list), base, { updatedAt })
    } catch (error) {
      console.warn(`An older build kept ${kept.list} in another shape; it is read anew`, error)
    }
  }

  /** Nothing is read from here on, unless it goes on. */
  async end(): Promise<void> {
    this.#over = true
    await this.#parts.queryClient.cancelQueries({ queryKey: this.#keyOf() })
  }

  /** What was asked for before it had ended, or meanwhile, is read after all. */
  async goOn(): Promise<void> {
    this.#over = false
    await this.readAgain()
  }

  /** Whatever was asked for in this page. */
  async readAgain(): Promise<void> {
    const wanted = [...this.#lists.keys()].filter((name) =>
      this.#parts.queryClient.getQueryState(this.#keyOf(name)),
    )
    await Promise.all(wanted.map((name) => this.refresh(name)))
  }

  forget(): void {
    this.#parts.queryClient.removeQueries({ queryKey: this.#keyOf() })
    this.#known.clear()
  }

  async #read<Row>(list: List<Row>, signal: AbortSignal): Promise<Base<Row>> {
    const { mirror, queryClient, ask, onSignedOut, onRead } = this.#parts
    // A screen that is still there asks anew for what it showed, of a server that knows nobody any more.
    if (this.#over) throw new Error('The account was left on this device')
    const started = await mirror.startRead(list.name)
    const known = this.#known.get(list.name)
    const answer = await ask({ method: 'GET', path: list.path, known }, signal)
    signal.throwIfAborted()
    if (answer.kind === 'signed-out') onSignedOut()
    if (answer.kind !== 'done') {
      // Whatever stands in between and answers for what is known, it is asked for whole the next time.
      this.#known.delete(list.name)
      if (answer.kind === 'none') this.#failed.add(list.name)
      const failure = new ReadFailure(answer)
      console.warn(`Could not read ${list.name}: ${failure.message}`)
      throw failure
    }
    this.#known.set(list.name, answer)
    this.#failed.delete(list.name)
    // What was asked for before this device was read may have missed all that it keeps: it is older than any other read.
    const tick = answer.askedAt === undefined ? started : 0
    let base = { rows: list.rows(answer.body), tick }
    await mirror.keepRead(list.name, answer.body, tick, (kept) => {
      if (kept.tick !== tick) base = { rows: list.rows(kept.answer), tick: kept.tick }
      queryClient.setQueryData(this.#keyOf(list.name), base)
    })
    onRead()
    return base
  }

  #keyOf(list?: string) {
    return listKey(this.#parts.mirror.account, list)
  }
}
