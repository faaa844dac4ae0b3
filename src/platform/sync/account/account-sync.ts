import type { QueryClient } from '@tanstack/react-query'
import { duringActivity } from '#platform/browser/activity.ts'
import { DeviceClock, deviceClock } from '#platform/browser/clock/device-clock.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { AccountCollections } from '../collections/account-collections.ts'
import type { Collection } from '../collections/collection.ts'
import { DeclaredWrites, type FetchWrites } from '../collections/declared-writes.ts'
import { type ChangeOfDeviceValue, type DeviceValue, firstRow } from '../collections/device-value.ts'
import { EditedRows, hasId } from '../collections/edited-rows.ts'
import { createOverlay } from '../collections/overlay.ts'
import { type AnyWrite, describeWrite, type Write } from '../collections/write.ts'
import { LateLiveUpdates } from '../live/late-live-updates.ts'
import type { OpenEvents } from '../live/open-events.ts'
import { DeviceValues } from '../local-store/device-values.ts'
import { forgetDrafts } from '../local-store/kept-drafts.ts'
import type { LocalStore } from '../local-store/local-store.ts'
import { type NewQueuedWrite, newQueuedWrite, type WriteDescription } from '../local-store/queued-write.ts'
import { randomId } from '../local-store/random-id.ts'
import { TabReplica } from '../local-store/tab-replica.ts'
import { Connection } from '../network/connection.ts'
import { pause } from '../network/pause.ts'
import { type ApiRequest, type RequestResult, sendRequest } from '../network/request.ts'
import { ServerClock } from '../network/server-clock.ts'
import { LateSender } from '../outbox/late-sender.ts'
import { Outbox } from '../outbox/outbox.ts'
import type { SenderState } from '../outbox/sender.ts'
import { findUnstoredWrites, forgetUnstoredWrites, saveUnstoredWrites } from '../outbox/unstored-writes.ts'
import { ChangeHistory } from '../undo/change-history.ts'

export interface SyncState {
  /** How many writes have not reached the server yet. */
  waiting: number
  sending: boolean
  /** 'silent': the device has a connection, but our server does not respond. */
  connection: 'up' | 'offline' | 'silent'
  /** False if the browser provides no storage. Unsent writes are then lost with the tab, and a screen should say so. */
  durable: boolean
  /** Why the server cannot store the waiting writes, in the server's own words. */
  storageProblem: string | undefined
}

export interface AccountSyncParts {
  account: string
  /** The declarations of the writes that the first screen can make. */
  writes: readonly AnyWrite[]
  /** Fetches the declarations of all other writes that may be queued on this device, from any screen. */
  otherWrites?: FetchWrites
  queryClient: QueryClient
  store: Promise<LocalStore>
  /** Identifies this page in leader election. */
  tabId: string
  /** Opens the stream that announces changes made on other devices. If left out, such changes do not arrive live. */
  openEvents?: OpenEvents
  // Injected so that tests need neither a server nor real time.
  sendRequest?: typeof sendRequest
  pause?: typeof pause
  visible?: () => boolean
  now?: () => Instant
  /** A clock in milliseconds that nobody can set. Defaults to `now` if only `now` is given. */
  steady?: () => number
}

export interface AccountEvents {
  onSignedOut(): void
  /** Another tab erased the account: this screen must stop showing any of its data. */
  onWiped(): void
  /** The browser cleared the account's storage. `unsent`: how many unsent changes this tab restored. */
  onCleared(unsent: number): void
  /** A newer build in another tab has upgraded the local store. This page can no longer use the store until it is reloaded. */
  onOutdated(): void
}

/** The channel on which tabs tell each other to re-read the local store. */
export function openChannel(account: string): BroadcastChannel {
  return new BroadcastChannel(`daymark-sync-${account}`)
}

/** Everything of one account in this tab: outbox, sender, collections and the channel to the account's other tabs. */
export class AccountSync {
  readonly account: string
  readonly outbox: Outbox
  readonly deviceValues: DeviceValues
  /** What the person did in this tab, for undo. */
  readonly changes = new ChangeHistory()
  /** The rows that are open in an editor in this tab. */
  readonly edited = new EditedRows((heldBack) => {
    const failure = { reason: "It wasn't saved.", retriable: true, gone: 'earlier' } as const
    void this.outbox.setAside(heldBack, failure)
  })
  readonly declared: DeclaredWrites
  readonly live: LateLiveUpdates | undefined
  #replica: TabReplica
  #collections: AccountCollections
  #sender: LateSender
  readonly #page = randomId()
  #device: DeviceClock
  #clock: ServerClock
  #stopWatchingClock = () => {}
  #channel: BroadcastChannel
  #events: AccountEvents = noEvents
  #connection: Connection
  #storageProblem: string | undefined
  #ended = false
  #erased = false
  #isChannelOpen = true
  #isPageLeft = false
  #wiping: Promise<void> | undefined
  #readingStopped = false
  #wipedElsewhere = false
  #state: SyncState = {
    waiting: 0,
    sending: false,
    connection: 'up',
    durable: true,
    storageProblem: undefined,
  }
  #listeners = new Set<() => void>()

  constructor({ account, writes, otherWrites, queryClient, store, tabId, ...parts }: AccountSyncParts) {
    this.account = account
    this.declared = new DeclaredWrites(writes, otherWrites)
    const sendAs = parts.sendRequest ?? sendRequest
    this.#device = parts.now ? new DeviceClock(parts.now, parts.steady ?? parts.now) : deviceClock
    this.#clock = new ServerClock(this.#device)
    const now = () => this.#device.now()
    const sendAndObserve = async (
      request: ApiRequest,
      signal: AbortSignal,
      onResponseStart?: () => void,
    ): Promise<RequestResult> => {
      const sentAt = now()
      const { era } = this.#device
      const result = await sendAs(request, account, signal, onResponseStart)
      const receivedAt = now()
      if (result.kind !== 'none') this.#clock.learn(result.date, result.askedAt ?? sentAt, receivedAt, era)
      if (signal.aborted) return result
      // A successful read does not show that the server can store data again, so only sent writes clear the storage problem.
      if (result.kind === 'none' && result.storageProblem !== undefined)
        this.#storageProblem = result.storageProblem
      this.#changed()
      return result
    }
    const pauseFor = parts.pause ?? pause
    const visible = parts.visible ?? (() => document.visibilityState === 'visible')
    const connection = new Connection({
      send: sendAndObserve,
      watched: () => visible() && navigator.onLine !== false,
      onChange: () => this.#changed(),
      onBack: () => this.#serverIsBack(),
      pause: pauseFor,
    })
    this.#connection = connection
    const sendOverConnection = (request: ApiRequest, signal: AbortSignal) => connection.send(request, signal)
    // A message only ever means 're-read the store': any content could be late or lost.
    this.#channel = openChannel(account)
    this.#channel.onmessage = () => this.#rereadStore()
    this.#replica = new TabReplica(account, store, {
      prepare: (stored) => this.#collections.prepare(stored),
      adopt: (stored) => {
        // Adopting a response that was read before the account was erased would bring its rows back.
        if (!this.#ended) this.#collections.adopt(stored)
      },
      changed: () => this.#tellOtherTabs(),
      wiped: () => this.#wiped(),
      revived: (unsent) => this.#revived(unsent),
    })
    this.outbox = new Outbox(this.#replica, findUnstoredWrites(account))
    this.deviceValues = new DeviceValues(this.#replica)
    this.#collections = new AccountCollections({
      replica: this.#replica,
      writes: this.declared,
      queryClient,
      sendRequest: sendOverConnection,
      onSignedOut: () => this.#events.onSignedOut(),
      onRead: () => {
        // The server accepted this account, so writes that waited for a sign-in can be sent.
        if (this.#sender.state === 'signed-out') this.#sender.wake()
      },
    })
    this.outbox.subscribe(() => this.#changed())
    this.declared.subscribe(() => this.#changed())
    store.then(
      ({ outdated, onClosed: whenClosed }) => {
        // The browser may have deleted the data. Re-read at once: this tab, which remembers the unsent writes, may soon be
        // closed.
        whenClosed(() => void this.#rereadStore())
        return outdated.then(() => this.#outdated())
      },
      () => {},
    )
    const { openEvents } = parts
    this.live =
      openEvents &&
      new LateLiveUpdates(async () => {
        const [{ accountLiveUpdates }] = await duringActivity(
          Promise.all([import('../live/account-live-updates.ts'), this.declared.all()]),
        )
        return accountLiveUpdates({
          account,
          open: openEvents,
          tabId,
          replica: this.#replica,
          outbox: this.outbox,
          collections: this.#collections,
          queryClient,
          onSignedOut: () => this.#events.onSignedOut(),
          visible,
          now,
          pause: pauseFor,
        })
      })
    this.#sender = new LateSender(async () => {
      const [{ Sender }, writes] = await duringActivity(
        // The sender's calls of the local store need the last of them.
        Promise.all([
          import('../outbox/sender.ts'),
          this.declared.all(),
          import('../local-store/late-store.ts'),
        ]),
      )
      const sender = new Sender({
        replica: this.#replica,
        outbox: this.outbox,
        clock: this.#clock,
        writes,
        leadership: () => ({
          // Tabs without storage share no queue, so each tab sends its own writes.
          lockName: `daymark-sender-${account}${this.#replica.durable ? '' : `-${tabId}`}`,
          claimLease: (now, until) => this.#replica.claimLeadership('send', tabId, now, until),
        }),
        sendRequest: sendOverConnection,
        probe: () => connection.probe(),
        refresh: (collection) => this.#collections.refresh(collection),
        onSignedOut: () => this.#events.onSignedOut(),
        onStorageProblem: (storageProblem) => {
          this.#storageProblem = storageProblem
          this.#changed()
        },
        onState: () => this.#changed(),
        nudgeLeader: () => this.#tellOtherTabs(),
        pause: pauseFor,
        visible,
      })
      // Doubts about the device's clock are settled by code that comes with the sender, so ask for the server's time now.
      void this.#askForTime()
      return sender
    })
  }

  start(events: AccountEvents): void {
    this.#events = events
    // A screen that mounts after the account ended was not notified, so notify it now.
    if (this.#wiping) return void this.#wiping.catch(() => {}).then(() => this.#events.onWiped())
    if (this.#erased) return void events.onWiped()
    if (this.#ended) return void events.onOutdated()
    this.#connection.wake()
    void this.#replica.reread()
    this.#sender.start()
    this.live?.start()
    this.#stopWatchingClock = this.#device.subscribe(() => {
      this.#changed()
      void this.#askForTime()
    })
    void this.#askForTime()
  }

  stop(): void {
    this.#events = noEvents
    this.#stopWatchingClock()
    // Clear the undo history: the next person to sign in must not be able to undo this person's changes.
    this.changes.clear()
    this.#stopNetwork()
    if (this.#erased) this.#leaveNothing()
  }

  /** Call it when the connection or the person may be back: tries to send now, whichever tab is the leader. */
  wake(): void {
    this.#changed()
    this.#connection.wake()
    this.#sender.tryNow()
    this.live?.wake()
    if (this.outbox.waiting > 0 || this.outbox.unread.size > 0) this.#tellOtherTabs()
  }

  /**
   * Call it when the page is left: saves the writes that the local store does not have yet, for the next page. Until the page is
   * shown again, each further write is saved as soon as it is made, such as a tick that waited for its paint.
   */
  leavePage = (): void => {
    this.#isPageLeft = true
    // The timers of a page that is left run only if it is shown again.
    setTimeout(() => {
      this.#isPageLeft = false
    })
    if (!this.#ended) saveUnstoredWrites(this.account, this.#page, this.outbox.unstored)
  }

  /** Sends what waits, also on a screen where the sender does not run otherwise, such as the landing page. */
  sendNow(): void {
    if (!this.#sender.running) this.#sender.start()
    this.wake()
  }

  get senderState(): SenderState {
    return this.#sender.state
  }

  connectionChanged = (): void => {
    this.#connection.reset()
    this.live?.connectionChanged()
    this.#sender.connectionChanged()
    this.wake()
  }

  /**
   * Queues a change that the person made, shows it at once and records it for undo. Resolves with true once it is durable on the
   * device, or with false if that failed and was reported.
   */
  write<Row, Vars>(write: Write<Row, Vars>, vars: Vars): Promise<boolean> {
    const { collection, restores, fineWhenGone } = write
    const subject = write.subject(vars)
    const isEdited = this.edited.of(collection.name).some(({ id }) => id === subject)
    const mayBeGone = restores !== undefined || fineWhenGone
    if (!isEdited || mayBeGone || this.rowsOf(collection).some((row) => hasId(row, subject)))
      return this.#write(write, vars)
    this.edited.holdBack(this.describe(write, vars))
    return Promise.resolve(true)
  }

  #write<Row, Vars>(write: Write<Row, Vars>, vars: Vars): Promise<boolean> {
    const { name } = write.collection
    const recorded = {
      write,
      vars,
      base: this.#collections.rowsOf(write.collection),
      queued: this.outbox.writesTo(name),
      made: newQueuedWrite(this.account, this.describe(write, vars)),
    }
    const stored = this.queueMade(recorded.made)
    this.changes.record(recorded, stored)
    return stored
  }

  /** Like `write`, for a change that the person did not make and cannot undo. */
  queue<Row, Vars>(write: Write<Row, Vars>, vars: Vars): Promise<boolean> {
    return this.queueMade(newQueuedWrite(this.account, this.describe(write, vars)))
  }

  /** Like `queue`, for a write that is already described and has an id. */
  async queueMade(made: NewQueuedWrite): Promise<boolean> {
    const stored = this.outbox.queue(made)
    if (this.#isPageLeft) this.leavePage()
    await stored
    this.#sender.wake()
    return stored
  }

  /** The rows of a collection as the server has them; empty until the collection has been read. */
  serverRowsOf<Row>(collection: Collection<Row>): readonly Row[] {
    return this.#collections.rowsOf(collection)
  }

  /** The declared writes that have been fetched so far, by name. */
  get writes(): ReadonlyMap<string, AnyWrite> {
    return this.declared.byName
  }

  /** Describes a write that is made now, ready to be queued. */
  describe<Row, Vars>(write: Write<Row, Vars>, vars: Vars): WriteDescription {
    this.declared.learn(write)
    const seen = lastChangeOf(this.#collections.rowsOf(write.collection), write.subject(vars))
    const { ahead, guess, doubtfulSince: since } = this.#clock
    return describeWrite(write, vars, {
      ahead,
      guess: { ahead: guess, since, page: this.#page },
      after: this.#clock.notBefore(seen),
    })
  }

  /** The rows of a collection as they are shown; empty until the collection has been read. */
  rowsOf<Row>(collection: Collection<Row>): readonly Row[] {
    const { name } = collection
    return createOverlay(collection, this.writes)(
      this.#collections.rowsOf(collection),
      this.outbox.writesTo(name),
    )
  }

  /** Changes a device value, starting from what is stored at that moment. Rejects if the change could not be stored. */
  async change<Value, Row>(
    deviceValue: DeviceValue<Value, Row>,
    step: ChangeOfDeviceValue<Value, Row>,
  ): Promise<void> {
    const { name, collection } = deviceValue
    await this.deviceValues.change(
      name,
      (stored, response) => {
        const fromServer = collection && firstRow(collection, response)
        const { value, queue = [] } = step(
          deviceValue.parse(stored ?? this.deviceValues.get(deviceValue)),
          fromServer,
        )
        const writes = queue.map(({ write, vars }) => this.describe(write, vars))
        return { value, writes }
      },
      collection?.name,
    )
    this.#sender.wake()
  }

  query<Row, Totals>(collection: Collection<Row, Totals>) {
    return this.#collections.query(collection)
  }

  /** Reads a collection that a screen is about to show, unless it was read a moment ago. */
  readAhead(name: string): Promise<void> {
    return this.#collections.readAhead(name)
  }

  /**
   * Resolves once these collections can be shown. Their rows come from the local store or, for the first screen, from requests
   * that the page sent before its scripts ran. Does not request any other collection.
   */
  async firstRows(names: readonly string[]): Promise<void> {
    const early = names.filter((name) => this.#collections.isReadEarly(name))
    await Promise.all(early.length > 0 ? early.map((name) => this.readAhead(name)) : [this.outbox.ready])
  }

  /** Reads every collection again, after something other than a write changed them on the server. */
  reread(): Promise<void> {
    return this.#collections.reread()
  }

  /**
   * Runs `work`, which changes many rows on the server in steps, without live updates. All changes, other devices' included, are
   * read when `work` ends: re-reading thousands of rows after each step would make the page unusable.
   */
  async withoutLiveUpdates<Done>(work: () => Promise<Done>): Promise<Done> {
    this.live?.stop()
    try {
      return await work()
    } finally {
      const isStopped = this.#ended || this.#readingStopped || this.#events === noEvents
      if (!isStopped) this.live?.start()
    }
  }

  /**
   * Stops reads and live updates while the person signs out. Returns a function that resumes them. If another tab erases the
   * account meanwhile, `onWiped` is called only when they resume.
   */
  stopReading(): () => void {
    this.#readingStopped = true
    this.live?.stop()
    void this.#collections.end()
    return () => {
      this.#readingStopped = false
      if (this.#wipedElsewhere) return this.#events.onWiped()
      this.live?.start()
      void this.#collections.resume()
    }
  }

  /** Erases the account on this device, unsent writes included. The account's other tabs notice by themselves. */
  wipe(): Promise<void> {
    this.#wiping ??= this.#erase()
    return this.#wiping
  }

  async #erase(): Promise<void> {
    this.#ended = true
    this.#stopNetwork()
    await this.#collections.end()
    // Forget the rows before the queued writes: otherwise screens would show the rows without these writes, and act on them.
    this.#collections.forget()
    await this.#replica.wipe().finally(() => {
      this.#erased = true
      forgetUnstoredWrites(this.account)
      forgetDrafts(this.account)
      this.#leaveNothing()
    })
  }

  /** Removes the account's data from memory: the page may stay open, and the next person must find nothing of the account. */
  #leaveNothing(): void {
    this.#collections.forget()
    this.#replica.forget()
    this.#channel.close()
    this.#isChannelOpen = false
  }

  /** True once this tab or another one erased the account. The sync then never works again: the next sign-in needs a new one. */
  get isErased(): boolean {
    return this.#erased
  }

  /** How far the server's clock is ahead of this device's, in milliseconds; undefined while only a new response can tell. */
  get ahead(): number | undefined {
    return this.#clock.ahead
  }

  /** The best estimate of `ahead` that is possible without a new response, in milliseconds. */
  get guessedAhead(): number {
    return this.#clock.guess
  }

  /** The current state. Stays the same object until something changes. */
  get state(): SyncState {
    return this.#state
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tellOtherTabs(): void {
    // Work that is still in progress when the account ends may get here after the channel was closed.
    if (this.#isChannelOpen) this.#channel.postMessage('re-read')
  }

  #serverIsBack(): void {
    // A stream may never notice that its connection broke silently, so reconnect it.
    this.live?.connectionChanged()
    this.wake()
    void this.#collections.readFailed()
  }

  /**
   * Asks the server for the time after this device's clock was set. A response that was already on its way may be too old to
   * tell.
   */
  async #askForTime(): Promise<void> {
    for (let tries = 0; tries < 3 && this.#device.isUnsure && navigator.onLine !== false; tries++) {
      if (!(await this.#connection.probe())) return
    }
  }

  #stopNetwork(): void {
    this.#connection.stop()
    this.#sender.stop()
    this.live?.stop()
  }

  async #rereadStore(): Promise<void> {
    if (this.#ended) return
    this.#connection.wake()
    await this.#replica.reread()
    this.#sender.wake()
  }

  /** Stops sending, so that a tab with the newer build can take over the role of the tab that sends. */
  #outdated(): void {
    if (this.#ended) return
    this.#ended = true
    this.#stopNetwork()
    this.#events.onOutdated()
  }

  /** The browser cleared the local store, stored responses included, so read the collections again. */
  #revived(unsent: number): void {
    if (this.#ended) return
    void this.#collections.rereadRequested()
    this.#sender.wake()
    this.#events.onCleared(unsent)
  }

  #wiped(): void {
    if (this.#ended) return
    this.#ended = true
    this.#erased = true
    this.#stopNetwork()
    if (this.#events === noEvents) this.#leaveNothing()
    if (this.#readingStopped) this.#wipedElsewhere = true
    else this.#events.onWiped()
  }

  #changed(): void {
    const { waiting } = this.outbox
    const { durable } = this.#replica
    // A server on this very machine responds without a connection, so its responses count for more than `navigator.onLine`.
    const hasConnection = navigator.onLine !== false
    const up = this.#connection.isServerUp ?? hasConnection
    const connection = up ? 'up' : hasConnection ? 'silent' : 'offline'
    // While no write waits, report no storage problem: another tab's writes may have got through without this tab knowing.
    const storageProblem = waiting > 0 ? this.#storageProblem : undefined
    const canSend = ['idle', 'sending'].includes(this.#sender.state)
    const sending = waiting > 0 && up && canSend && storageProblem === undefined
    const { state } = this
    const same =
      state.waiting === waiting &&
      state.durable === durable &&
      state.connection === connection &&
      state.sending === sending &&
      state.storageProblem === storageProblem
    if (!same) this.#state = { waiting, sending, connection, durable, storageProblem }
    for (const listener of this.#listeners) listener()
  }
}

const noEvents: AccountEvents = { onSignedOut() {}, onWiped() {}, onCleared() {}, onOutdated() {} }

/** When the row with this id was last changed, by its `updated_at`; undefined if there is no such row or field. */
function lastChangeOf(rows: readonly unknown[], id: string): Instant | undefined {
  const row = rows.find((each) => hasId(each, id))
  if (typeof row !== 'object' || row === null || !('updated_at' in row)) return undefined
  const at = Date.parse(String(row.updated_at))
  return Number.isNaN(at) ? undefined : at
}
