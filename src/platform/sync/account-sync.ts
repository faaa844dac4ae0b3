import type { QueryClient } from '@tanstack/react-query'
import type { Instant } from '#platform/calendar/day.ts'
import { AccountLists } from './account-lists.ts'
import { type Answer, ask, type Request } from './answer.ts'
import { Connection } from './connection.ts'
import type { Device } from './device.ts'
import type { Entry, Notice } from './entry.ts'
import { firstRow, type Kept, type TakeKeptStep } from './kept.ts'
import { KeptValues } from './kept-values.ts'
import { Leaving } from './leaving.ts'
import { findLeftWrites, forgetLeftWrites, leaveWrites } from './left-writes.ts'
import type { List } from './list.ts'
import type { Live } from './live.ts'
import { liveOf } from './live-of-account.ts'
import { Mirror } from './mirror.ts'
import type { OpenEvents } from './open-events.ts'
import { Outbox } from './outbox.ts'
import { pause } from './pause.ts'
import { Sender } from './sender.ts'
import { ServerClock } from './server-clock.ts'
import { type AnyWrite, described, type Write } from './write.ts'

export interface SyncState {
  /** Writes that have not reached the server yet. */
  waiting: number
  sending: boolean
  /** 'silent': there is a connection, and our server answers nothing. */
  connection: 'up' | 'offline' | 'silent'
  /** False where the browser gives no storage: unsent writes are then lost with the tab, and a screen should say so. */
  durable: boolean
  /** Why the server cannot store what waits, in its words. */
  trouble: string | undefined
}

export interface AccountSyncParts {
  account: string
  writes: readonly AnyWrite[]
  queryClient: QueryClient
  device: Promise<Device>
  /** Names this page among those that take turns. */
  holder: string
  /** Without it, nobody says what other devices change. */
  openEvents?: OpenEvents
  // From the outside so that a test needs neither a server nor time.
  ask?: typeof ask
  pause?: typeof pause
  visible?: () => boolean
  now?: () => Instant
}

export interface AccountEvents {
  onSignedOut(): void
  /** Another tab forgot the account: nothing of it may stay on this screen. */
  onWiped(): void
  /** The browser took away what it kept of the account; so many unsent changes were put back from this tab. */
  onCleared(unsent: number): void
  /** A newer build in another tab has taken over what the device keeps: this page can only be loaded again. */
  onOutdated(): void
}

/** Through which the tabs tell each other to read the device again. */
export function openChannel(account: string): BroadcastChannel {
  return new BroadcastChannel(`daymark-sync-${account}`)
}

/** Everything of one account in this tab: its outbox, its sender, its lists, and the word to its other tabs. */
export class AccountSync {
  readonly account: string
  readonly outbox: Outbox
  readonly kept: KeptValues
  readonly leaving: Leaving
  readonly writes: ReadonlyMap<string, AnyWrite>
  readonly live: Live | undefined
  #mirror: Mirror
  #lists: AccountLists
  #sender: Sender
  #clock = new ServerClock()
  #channel: BroadcastChannel
  #events: AccountEvents = nobody
  #connection: Connection
  #trouble: string | undefined
  #over = false
  #state: SyncState = {
    waiting: 0,
    sending: false,
    connection: 'up',
    durable: true,
    trouble: undefined,
  }
  #listeners = new Set<() => void>()

  constructor({ account, writes, queryClient, device, holder, ...parts }: AccountSyncParts) {
    this.account = account
    this.writes = new Map(writes.map((write) => [write.name, write]))
    const askAs = parts.ask ?? ask
    const now = parts.now ?? Date.now
    const askAndNote = async (request: Request, signal: AbortSignal, begun?: () => void): Promise<Answer> => {
      const sent = now()
      const answer = await askAs(request, account, signal, begun)
      if (answer.kind !== 'none') this.#clock.learn(answer.date, answer.askedAt ?? sent, now())
      if (signal.aborted) return answer
      // That something can be read says nothing of whether anything can be stored.
      if (answer.kind === 'none' && answer.trouble !== undefined) this.#trouble = answer.trouble
      this.#changed()
      return answer
    }
    const pauseFor = parts.pause ?? pause
    const visible = parts.visible ?? (() => document.visibilityState === 'visible')
    const connection = new Connection({
      ask: askAndNote,
      watched: () => visible() && navigator.onLine !== false,
      onChange: () => this.#changed(),
      onBack: () => this.#isBack(),
      pause: pauseFor,
    })
    this.#connection = connection
    const askOverConnection = (request: Request, signal: AbortSignal) => connection.ask(request, signal)
    // A message means no more than 're-read the device': what it says could be late or lost.
    this.#channel = openChannel(account)
    this.#channel.onmessage = () => this.#hear()
    this.#mirror = new Mirror(account, device, {
      adopt: (kept) => this.#lists.adopt(kept),
      changed: () => this.#channel.postMessage('re-read'),
      wiped: () => this.#wiped(),
      revived: (unsent) => this.#revived(unsent),
    })
    this.outbox = new Outbox(this.#mirror, findLeftWrites(account))
    this.kept = new KeptValues(this.#mirror)
    this.#lists = new AccountLists({
      mirror: this.#mirror,
      lists: writes.map(({ list }) => list),
      queryClient,
      ask: askOverConnection,
      onSignedOut: () => this.#events.onSignedOut(),
      onRead: () => {
        // It was let in as this account, so what waited for that can go.
        if (this.#sender.state === 'signed-out') this.#sender.wake()
      },
    })
    this.outbox.subscribe(() => this.#changed())
    device.then(
      ({ outdated, whenClosed }) => {
        // At once, and not with the next change: the tab that remembers what was not sent may be closed by then.
        whenClosed(() => void this.#hear())
        return outdated.then(() => this.#outdated())
      },
      () => {},
    )
    this.live =
      parts.openEvents &&
      liveOf({
        account,
        open: parts.openEvents,
        holder,
        mirror: this.#mirror,
        outbox: this.outbox,
        lists: this.#lists,
        queryClient,
        onSignedOut: () => this.#events.onSignedOut(),
        visible,
        now,
        pause: pauseFor,
      })
    this.#sender = new Sender({
      mirror: this.#mirror,
      outbox: this.outbox,
      clock: this.#clock,
      writes: this.writes,
      turn: () => ({
        // Tabs without storage share no queue: each has to send its own.
        name: `daymark-sender-${account}${this.#mirror.durable ? '' : `-${holder}`}`,
        take: (now, until) => this.#mirror.takeTurn('send', holder, now, until),
      }),
      ask: askOverConnection,
      probe: () => connection.probe(),
      refresh: (list) => this.#lists.refresh(list),
      onSignedOut: () => this.#events.onSignedOut(),
      onTrouble: (trouble) => {
        this.#trouble = trouble
        this.#changed()
      },
      onState: () => this.#changed(),
      remind: () => this.#channel.postMessage('re-read'),
      pause: pauseFor,
      visible,
    })
    this.leaving = new Leaving({
      outbox: this.outbox,
      sender: this.#sender,
      wake: () => this.wake(),
      subscribe: this.subscribe,
    })
  }

  start(events: AccountEvents): void {
    this.#events = events
    void this.#hear()
    if (this.#over) return
    this.#sender.start()
    this.live?.start()
  }

  stop(): void {
    this.#events = nobody
    this.#rest()
  }

  /** The connection may be back, or the person: try now, whichever tab has the turn. */
  wake(): void {
    this.#changed()
    this.#connection.wake()
    this.#sender.tryNow()
    this.live?.wake()
    if (this.outbox.waiting > 0 || this.outbox.unseen.size > 0) this.#channel.postMessage('re-read')
  }

  /** The page goes: what the device does not have yet is taken over by the next one. */
  leavePage = (): void => {
    if (!this.#over) leaveWrites(this.account, this.outbox.unstored)
  }

  connectionChanged = (): void => {
    this.#connection.forget()
    this.live?.connectionChanged()
    this.wake()
  }

  /** Shown at once; true once it is durable on the device. False: it was not kept, and that was told. */
  async write<Row, Vars>(write: Write<Row, Vars>, vars: Vars): Promise<boolean> {
    const kept = await this.outbox.queue(described(write, vars, this.#clock.ahead))
    this.#sender.wake()
    return kept
  }

  /** Changes what this device keeps, by what it is at that moment. Rejects when the device could not. */
  async change<Value, Row>(kept: Kept<Value, Row>, step: TakeKeptStep<Value, Row>): Promise<void> {
    const { name, list } = kept
    await this.kept.change(
      name,
      (stored, answer) => {
        const { value, queue = [] } = step(kept.parse(stored), list && firstRow(list, answer))
        const { ahead } = this.#clock
        return { value, writes: queue.map(({ write, vars }) => described(write, vars, ahead)) }
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
    return this.#lists.query(list)
  }

  /** Reads every list anew: the server has changed them by another way than a write. */
  reread(): Promise<void> {
    return this.#lists.reread()
  }

  /** Neither reads nor hears anything of the server until the way back is taken that it answers. */
  stopReading(): () => void {
    this.live?.stop()
    void this.#lists.end()
    return () => {
      this.live?.start()
      void this.#lists.goOn()
    }
  }

  /** Forgets the account on this device, unsent writes included; its other tabs find that out. */
  async wipe(): Promise<void> {
    this.#over = true
    this.#rest()
    await this.#lists.end()
    // Before the writes that are laid over it: what the server said before them is not to be seen, nor acted upon, again.
    this.#lists.forget()
    await this.#mirror.wipe()
    forgetLeftWrites(this.account)
    this.#channel.close()
  }

  /** How far the server's clock is ahead of this device's, in milliseconds; undefined until the server has answered. */
  get ahead(): number | undefined {
    return this.#clock.ahead
  }

  /** The same object until it changes. */
  get state(): SyncState {
    return this.#state
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #isBack(): void {
    // Of a connection that broke without a word the stream would never find out.
    this.live?.connectionChanged()
    this.wake()
    void this.#lists.readFailed()
  }

  #rest(): void {
    this.#connection.stop()
    this.#sender.stop()
    this.live?.stop()
  }

  async #hear(): Promise<void> {
    if (this.#over) return
    this.#connection.wake()
    await this.#mirror.reread()
    this.#sender.wake()
  }

  /** What it would hold on to is the turn to send, which the newer build needs. */
  #outdated(): void {
    if (this.#over) return
    this.#over = true
    this.#rest()
    this.#events.onOutdated()
  }

  /** The answers of the server went along: they are read and kept anew. */
  #revived(unsent: number): void {
    if (this.#over) return
    void this.#lists.readAgain()
    this.#sender.wake()
    this.#events.onCleared(unsent)
  }

  #wiped(): void {
    if (this.#over) return
    this.#over = true
    this.#rest()
    this.#events.onWiped()
  }

  #changed(): void {
    const { waiting } = this.outbox
    const { durable } = this.#mirror
    // A server on this very machine answers without a connection, so its word counts more than the browser's.
    const hasConnection = navigator.onLine !== false
    const up = this.#connection.answers ?? hasConnection
    const connection = up ? 'up' : hasConnection ? 'silent' : 'offline'
    // Of another tab it is not known here whether its requests get through.
    const trouble = waiting > 0 ? this.#trouble : undefined
    const moves = ['idle', 'sending'].includes(this.#sender.state)
    const sending = waiting > 0 && up && moves && trouble === undefined
    const { state } = this
    const same =
      state.waiting === waiting &&
      state.durable === durable &&
      state.connection === connection &&
      state.sending === sending &&
      state.trouble === trouble
    if (!same) this.#state = { waiting, sending, connection, durable, trouble }
    for (const listener of this.#listeners) listener()
  }
}

const nobody: AccountEvents = { onSignedOut() {}, onWiped() {}, onCleared() {}, onOutdated() {} }
