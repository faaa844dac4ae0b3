import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Answer, ask, type Known, type Request } from './answer.ts'
import { type Base, listDefaults, listKey, ReadFailure } from './base.ts'
import { type Device, randomId } from './device.ts'
import type { Entry, KeptList, NewWrite, Notice } from './entry.ts'
import { firstRow, type Kept, type TakeKeptStep } from './kept.ts'
import type { List } from './list.ts'
import { Outbox } from './outbox.ts'
import { pause } from './pause.ts'
import { Sender, type SenderState } from './sender.ts'
import type { AnyWrite, Write } from './write.ts'

export interface SyncState {
  /** Writes that have not reached the server yet. */
  waiting: number
  sending: boolean
  online: boolean
  /** False where the browser gives no storage: unsent writes are then lost with the tab, and a screen should say so. */
  durable: boolean
}

export interface AccountSyncParts {
  account: string
  writes: readonly AnyWrite[]
  queryClient: QueryClient
  device: Promise<Device>
  // From the outside so that a test needs neither a server nor time.
  ask?: typeof ask
  pause?: typeof pause
  visible?: () => boolean
}

export interface AccountEvents {
  onSignedOut(): void
  /** Another tab forgot the account: nothing of it may stay on this screen. */
  onWiped(): void
  /** A newer build in another tab has taken over what the device keeps: this page can only be loaded again. */
  onOutdated(): void
}

/** Something that only this device knows and that leaving would lose. */
export interface Unfinished {
  isUnfinished(): boolean
  /** Makes a write of it. */
  finish(): Promise<void>
}

/** Through which the tabs tell each other to read the device again. */
export function openChannel(account: string): BroadcastChannel {
  return new BroadcastChannel(`daymark-sync-${account}`)
}

/** Everything of one account in this tab: its outbox, its sender, its reads, and the word to its other tabs. */
export class AccountSync {
  readonly account: string
  readonly outbox: Outbox
  readonly writes: ReadonlyMap<string, AnyWrite>
  #queryClient: QueryClient
  #sender: Sender
  #channel: BroadcastChannel
  #ask: (request: Request, signal: AbortSignal) => Promise<Answer>
  #lists: Map<string, List<unknown>>
  /** What the server last said of each list to this tab, so that it can say that it still does. */
  #known = new Map<string, Known>()
  #events: AccountEvents = nobody
  #loaded = false
  /** Whether the last request reached the server; undefined where that says nothing about the connection of now. */
  #reached: boolean | undefined
  #over = false
  #unfinished = new Set<Unfinished>()
  #state: SyncState = { waiting: 0, sending: false, online: true, durable: true }
  #listeners = new Set<() => void>()

  constructor({ account, writes, queryClient, device, ...parts }: AccountSyncParts) {
    this.account = account
    this.writes = new Map(writes.map((write) => [write.name, write]))
    this.#lists = new Map(writes.map(({ list }) => [list.name, list]))
    this.#queryClient = queryClient
    queryClient.setQueryDefaults(listKey(account), listDefaults)
    const askAs = parts.ask ?? ask
    this.#ask = async (request, signal) => {
      const answer = await askAs(request, account, signal)
      if (signal.aborted) return answer
      this.#reached = answer.kind !== 'none' || answer.retryAfter !== undefined
      this.#changed()
      return answer
    }
    // A message means no more than 're-read the device': what it says could be late or lost.
    this.#channel = openChannel(account)
    this.#channel.onmessage = () => this.#hear()
    this.outbox = new Outbox(account, device, {
      adopt: (kept) => this.#adopt(kept),
      changed: () => this.#channel.postMessage('re-read'),
      wiped: () => this.#wiped(),
    })
    const loaded = () => {
      this.#loaded = true
    }
    this.outbox.ready.then(loaded)
    this.outbox.subscribe(() => this.#changed())
    device.then(
      ({ outdated }) => outdated.then(() => this.#outdated()),
      () => {},
    )
    const holder = randomId()
    this.#sender = new Sender({
      outbox: this.outbox,
      writes: this.writes,
      turn: () => ({
        // Tabs without storage share no queue: each has to send its own.
        name: `daymark-sender-${account}${this.outbox.durable ? '' : `-${holder}`}`,
        take: (now, until) => this.outbox.takeTurn(holder, now, until),
      }),
      ask: this.#ask,
      refresh: (list) => this.#refresh(list),
      onSignedOut: () => this.#events.onSignedOut(),
      onState: () => this.#changed(),
      pause: parts.pause ?? pause,
      visible: parts.visible ?? (() => document.visibilityState === 'visible'),
    })
  }

  start(events: AccountEvents): void {
    this.#events = events
    void this.#hear()
    if (!this.#over) this.#sender.start()
  }

  stop(): void {
    this.#events = nobody
    this.#sender.stop()
  }

  /** The connection may be back, or the person: try now, whichever tab has the turn. */
  wake(): void {
    this.#changed()
    this.#sender.wake()
    if (this.outbox.waiting > 0 || this.outbox.unseen.size > 0) this.#channel.postMessage('re-read')
  }

  connectionChanged = (): void => {
    this.#reached = undefined
    this.wake()
  }

  /** Shown at once; true once it is durable on the device. False: it was not kept, and that was told. */
  async write<Row, Vars>(write: Write<Row, Vars>, vars: Vars): Promise<boolean> {
    const kept = await this.outbox.queue(described(write, vars))
    this.#sender.wake()
    return kept
  }

  /** Changes what this device keeps, by what it is at that moment. Rejects when the device could not. */
  async change<Value, Row>(kept: Kept<Value, Row>, step: TakeKeptStep<Value, Row>): Promise<void> {
    const { name, list } = kept
    await this.outbox.change(
      name,
      (stored, answer) => {
        const { value, queue = [] } = step(kept.parse(stored), list && firstRow(list, answer))
        return { value, writes: queue.map(({ write, vars }) => described(write, vars)) }
      },
      list?.name,
    )
    this.#sender.wake()
  }

  async tryAgain(notice: Notice): Promise<void> {
    await this.outbox.tryAgain(notice)
    this.#sender.wake()
  }

  /** Gives up a write that is held, and those that build on it. */
  async discard(entry: Entry): Promise<void> {
    await this.outbox.takeOut(entry)
    this.#sender.wake()
  }

  query<Row>(list: List<Row>) {
    this.#lists.set(list.name, list)
    return queryOptions<Base<Row>>({
      queryKey: listKey(this.account, list.name),
      queryFn: ({ signal }) => this.#read(list, signal),
    })
  }

  /** Answers the way back. */
  beforeLeaving(unfinished: Unfinished): () => void {
    this.#unfinished.add(unfinished)
    return () => this.#unfinished.delete(unfinished)
  }

  /** What would be lost by leaving now: writes that have not reached the server, and what only this device knows. */
  get unsent(): number {
    return this.outbox.waiting + this.#begun().length
  }

  /**
   * Sends what is queued, then what only this device knows, before the person leaves. False when it cannot now, or not
   * within `patience` milliseconds; what is unfinished is left as it is where there is no connection.
   */
  async drain(patience: number): Promise<boolean> {
    if (!(await this.sendQueued(patience))) return false
    const begun = this.#begun()
    if (begun.length === 0) return true
    if (!this.#state.online) return false
    await Promise.all(begun.map(({ finish }) => finish()))
    return this.sendQueued(patience)
  }

  #begun(): Unfinished[] {
    return [...this.#unfinished].filter(({ isUnfinished }) => isUnfinished())
  }

  /** Sends what is queued. False when it cannot now, or not within `patience` milliseconds. */
  async sendQueued(patience: number): Promise<boolean> {
    await this.outbox.ready
    if (this.outbox.waiting === 0) return true
    if (this.#sender.state === 'put-off') return false
    // From a screen that does not send, such as the landing page.
    if (!this.#sender.running) this.#sender.start()
    this.wake()
    const hopeless: readonly SenderState[] = ['blocked', 'put-off', 'signed-out', 'stuck']
    let last: SenderState = this.#sender.state
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(false), patience)
      const stopListening = this.subscribe(() => {
        const { state } = this.#sender
        if (this.outbox.waiting === 0) end(true)
        else if (state !== last && hopeless.includes(state)) end(false)
        last = state
      })
      function end(sent: boolean) {
        clearTimeout(timer)
        stopListening()
        resolve(sent)
      }
    })
  }

  /** Reads every list anew: the server has changed them by another way than a write. */
  async reread(): Promise<void> {
    await Promise.all([...this.#lists.keys()].map((name) => this.#refresh(name)))
  }

  /** Forgets the account on this device, unsent writes included; its other tabs find that out. */
  async wipe(): Promise<void> {
    this.#over = true
    this.#sender.stop()
    await this.#queryClient.cancelQueries({ queryKey: listKey(this.account) })
    await this.outbox.wipe()
    this.#queryClient.removeQueries({ queryKey: listKey(this.account) })
    this.#known.clear()
    this.#channel.close()
  }

  /** The same object until it changes. */
  get state(): SyncState {
    return this.#state
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #read<Row>(list: List<Row>, signal: AbortSignal): Promise<Base<Row>> {
    // A screen that is still there asks anew for what it showed, of a server that knows nobody any more.
    if (this.#over) throw new Error('The account was left on this device')
    const tick = await this.outbox.startRead(list.name)
    const known = this.#known.get(list.name)
    const answer = await this.#ask({ method: 'GET', path: list.path, known }, signal)
    signal.throwIfAborted()
    if (answer.kind === 'signed-out') this.#events.onSignedOut()
    if (answer.kind !== 'done') {
      // Whatever stands in between and answers for what is known, it is asked for whole the next time.
      this.#known.delete(list.name)
      const failure = new ReadFailure(answer)
      console.warn(`Could not read ${list.name}: ${failure.message}`)
      throw failure
    }
    this.#known.set(list.name, answer)
    let base = { rows: list.rows(answer.body), tick }
    await this.outbox.keepRead(list.name, answer.body, tick, (kept) => {
      if (kept.tick !== tick) base = { rows: list.rows(kept.answer), tick: kept.tick }
      this.#queryClient.setQueryData(listKey(this.account, list.name), base)
    })
    // It was let in as this account, so what waited for that can go.
    if (this.#sender.state === 'signed-out') this.#sender.wake()
    return base
  }

  /** A read that is under way may have started too early to have seen what was written since. */
  async #refresh(name: string): Promise<void> {
    const list = this.#lists.get(name)
    if (!list || this.#over) return
    const query = this.query(list)
    await this.#queryClient.cancelQueries({ queryKey: query.queryKey })
    await this.#queryClient.prefetchQuery({ ...query, staleTime: 0 })
  }

  /** An answer that the device keeps: another tab's, or at the start the last known one, which is to be asked anew. */
  #adopt(kept: KeptList): void {
    const list = this.#lists.get(kept.list)
    if (!list) return
    try {
      const base = { rows: list.rows(kept.answer), tick: kept.tick }
      const updatedAt = this.#loaded ? Date.now() : 0
      this.#queryClient.setQueryData(listKey(this.account, kept.list), base, { updatedAt })
    } catch (error) {
      console.warn(`An older build kept ${kept.list} in another shape; it is read anew`, error)
    }
  }

  async #hear(): Promise<void> {
    if (this.#over) return
    await this.outbox.reread()
    this.#sender.wake()
  }

  /** What it would hold on to is the turn to send, which the newer build needs. */
  #outdated(): void {
    if (this.#over) return
    this.#over = true
    this.#sender.stop()
    this.#events.onOutdated()
  }

  #wiped(): void {
    if (this.#over) return
    this.#over = true
    this.#sender.stop()
    this.#events.onWiped()
  }

  #changed(): void {
    const { waiting, durable } = this.outbox
    // A server on this very machine answers without a connection, so its word counts more than the browser's.
    const online = this.#reached ?? navigator.onLine !== false
    const sending = waiting > 0 && online && ['elsewhere', 'idle', 'sending'].includes(this.#sender.state)
    const { state } = this
    const same =
      state.waiting === waiting &&
      state.durable === durable &&
      state.online === online &&
      state.sending === sending
    if (!same) this.#state = { waiting, sending, online, durable }
    for (const listener of this.#listeners) listener()
  }
}

function described<Row, Vars>(write: Write<Row, Vars>, vars: Vars): NewWrite {
  return {
    list: write.list.name,
    write: write.name,
    version: write.version,
    vars,
    subject: write.subject(vars),
    refusal: write.refusal,
    text: write.text(vars),
  }
}

const nobody: AccountEvents = { onSignedOut() {}, onWiped() {}, onOutdated() {} }
