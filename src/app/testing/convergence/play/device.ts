import { deleteDB } from 'idb'
import type { Instant } from '#platform/calendar/day.ts'
import type { AccountSync } from '#platform/sync/account/account-sync.ts'
import { openEvents } from '#platform/sync/live/open-events.ts'
import { openIndexedDbStore } from '#platform/sync/local-store/indexed-db-store.ts'
import type { LocalStore } from '#platform/sync/local-store/local-store.ts'
import { createMemoryStore } from '#platform/sync/local-store/memory-store.ts'
import type { QueuedWrite } from '#platform/sync/local-store/queued-write.ts'
import { sendRequest } from '#platform/sync/network/request.ts'
import type { Network } from '../network/network.ts'
import { type PlayedTime, turns } from '../network/played-time.ts'
import { numberOf } from '../people/one-change.ts'
import type { LateChange } from '../rules/late-rule.ts'
import type { ReportedChange } from '../rules/rule.ts'
import { openTab, type Tab } from './tab.ts'

/**
 * Milliseconds. A clock is never further ahead, so that a day which has begun for the device has begun somewhere on Earth.
 */
const mostAhead = 13 * 3_600_000
const mostBehind = 96 * 3_600_000

export interface PlayedDeviceParts {
  user: string
  /** The index of the device among all devices. */
  place: number
  tabs: number
  /** Milliseconds that the device's clock is ahead when the schedule begins. */
  ahead: number
  /** Whether the device's app knows only `completed` and `due_day` of repeating to-dos. */
  older?: boolean
  /** Whether somebody looks at its pages, which then hear of changes at once. */
  live?: boolean
  /** Whether the browser may clear its storage. The device then uses a real store, which is slow. */
  clearable?: boolean
  network: Network
  time: PlayedTime
  onOpen?(device: PlayedDevice, tab: Tab): void
  onRender(device: PlayedDevice, tab: Tab): void
}

/** One of a person's browsers, with a store, a clock and a connection that all of its tabs share. */
export class PlayedDevice {
  readonly place: number
  readonly network: Network
  /** The numbers of the changes in the device's store. */
  readonly stored = new Set<number>()
  /** The numbers of the changes that a tab was told are stored. */
  readonly confirmed = new Set<number>()
  /** When the stored changes were made, as sent to the server. */
  readonly timestamps = new Map<number, Instant>()
  /** The changes reported to the person as not saved. */
  readonly reported: ReportedChange[] = []
  /** The changes reported to the person as too late, until they sign out on the device. */
  readonly late: LateChange[] = []
  /** The changes reported as too late before a sign-out. */
  readonly lateBefore: LateChange[] = []
  /** The changes that the person gave up by signing out on the device. */
  readonly givenUp: ReportedChange[] = []
  /** Data of the person that was left after they had signed out; expected to be empty. */
  readonly leftBehind: unknown[] = []
  /** Whether the clock was set, or the device slept, and its pages may not have noticed yet. */
  isShifted = false
  /** The open tabs; empty while nobody is signed in. */
  tabs: Tab[] = []
  #parts: PlayedDeviceParts
  /** Milliseconds that the clock is ahead. */
  #ahead: number
  /** Milliseconds that the device has slept in all. The steady clocks of its pages stood still during that time. */
  #slept = 0
  /** Changes from before the clock was set. Only the pages know how that affects their instants. */
  #undatedWhenSet = new Set<number>()
  /** The indexes of the tabs that have had a response from the server. */
  #heard = new Set<number>()
  /** The store of a browser that never clears its storage. */
  #memory: LocalStore
  /** The number of store calls in progress. */
  #pendingCalls = 0
  /** The name of the real store. */
  #storeName: string

  constructor(parts: PlayedDeviceParts) {
    this.#parts = parts
    this.#ahead = parts.ahead
    this.place = parts.place
    this.network = parts.network
    this.#memory = this.#watched(createMemoryStore())
    this.#storeName = crypto.randomUUID()
    this.#openAll()
  }

  get now(): Instant {
    return this.#parts.time.now + this.#ahead
  }

  /** Milliseconds on a clock that nobody can set. */
  get #steady(): number {
    return this.#parts.time.now - this.#slept
  }

  get isStoring(): boolean {
    return this.#pendingCalls > 0
  }

  get isOlder(): boolean {
    return this.#parts.older ?? false
  }

  get atRest(): boolean {
    return (
      !this.isStoring && this.network.inFlight.size === 0 && this.tabs.every(({ sync }) => isAtRest(sync))
    )
  }

  async signIn(cookie: string): Promise<void> {
    const { writes, failedWrites, responses, values } = await (await this.#openStore()).open(this.#account)
    this.leftBehind.push(...writes, ...failedWrites, ...responses, ...values)
    this.network.cookie = cookie
    this.#openAll()
  }

  /** Erases all data of the person, sent or not. `requestSignOut` makes the server end the cookie's session. */
  async signOut(requestSignOut: (cookie: string) => Promise<void>): Promise<void> {
    const { cookie } = this.network
    const [leaving, ...others] = this.tabs
    if (cookie === undefined || !leaving) return
    leaving.sync.stopReading()
    this.network.cookie = undefined
    await requestSignOut(cookie)
    const { writes } = await (await this.#openStore()).open(this.#account)
    for (const { vars, text, acknowledged } of writes) {
      if (acknowledged === undefined) this.givenUp.push({ change: numberOf(vars), failed: true, text })
    }
    await leaving.sync.wipe()
    for (const tab of [leaving, ...others]) tab.close()
    this.tabs = []
    this.#undatedWhenSet.clear()
    this.lateBefore.push(...this.late.splice(0))
    // The sign-out erases the reported changes, too.
    this.givenUp.push(...this.reported.splice(0))
  }

  get isSignedIn(): boolean {
    return this.tabs.length > 0
  }

  tab(which: number): Tab {
    const tab = this.tabs[which % this.tabs.length]
    if (!tab) throw new Error('A device has a tab')
    return tab
  }

  /**
   * Sets the clock, but never so far ahead that a day begins which has begun nowhere on Earth: nobody could tick such a day.
   */
  setClock(by: number): void {
    const isTooFar = this.#ahead + by > mostAhead || this.#ahead + by < -mostBehind
    const moved = isTooFar ? -by : by
    if ((moved > 0 && this.#isUnknowable) || this.#isUntold) return
    for (const number of this.#undated) this.#undatedWhenSet.add(number)
    this.#ahead += moved
    this.isShifted = true
  }

  /**
   * Whether the device could not tell a sleep from a clock set forward. That is so while a change from before is waiting, and a
   * page that has never had a response does not know how wrong its clock was.
   */
  get #isUnknowable(): boolean {
    return this.#undated.length > 0 && this.#heard.size < this.tabs.length
  }

  /**
   * Whether a page does not know of a waiting change, because the page that made it died before telling the others. If the
   * clock were set now, it would be unknown later which came first.
   */
  get #isUntold(): boolean {
    const isKnownIn = ({ sync }: Tab, number: number) =>
      sync.outbox.queued.some(({ vars }) => numberOf(vars) === number)
    return this.#undated.some((number) => this.tabs.some((tab) => !isKnownIn(tab, number)))
  }

  get #undated(): number[] {
    return [...this.stored].filter((number) => !this.timestamps.has(number))
  }

  /** Puts the device to sleep: time passes while its pages stand still. */
  sleep(milliseconds: number): void {
    if (this.#isUnknowable || this.#isUntold) return
    this.#slept += milliseconds
    this.isShifted = true
    this.#parts.time.pass(milliseconds)
  }

  /**
   * Kills a tab and opens another one in its place. A new tab could not know that the clock was set after changes that still lack
   * a server instant, so a tab stays alive as long as such changes exist.
   */
  crash(which: number): void {
    if ([...this.#undatedWhenSet].some((number) => !this.timestamps.has(number))) return
    const tab = this.tab(which)
    tab.close()
    this.#open(this.tabs.indexOf(tab))
  }

  /** The browser clears the app's storage. The open tabs restore it. */
  async clear(): Promise<void> {
    await Promise.all(this.tabs.map(({ sync }) => sync.outbox.ready))
    // Changes that only the store knew, because their tab is gone, are lost with the store.
    await this.whenStored()
    await deleteDB(this.#storeName)
    await this.whenStored()
  }

  /** Resolves once the store has everything that was done in its tabs, and the tabs know. */
  async whenStored(): Promise<void> {
    do await turns(12)
    while (this.isStoring)
  }

  connect(online: boolean): void {
    this.network.online = online
    for (const { sync } of this.tabs) sync.connectionChanged()
  }

  wake(): void {
    for (const { sync } of this.tabs) sync.wake()
  }

  close(): void {
    for (const tab of this.tabs) tab.close()
  }

  /**
   * The account's name on this device, which the server never sees. In one process, the devices of a person would otherwise
   * share channels and locks.
   */
  get #account(): string {
    return `${this.#parts.user} on device ${this.place}`
  }

  #openAll(): void {
    for (let place = 0; place < this.#parts.tabs; place++) this.#open(place)
  }

  #open(place: number): void {
    const { user, time, onOpen, onRender } = this.#parts
    this.#heard.delete(place)
    const tab = openTab({
      account: this.#account,
      sendRequest: async (request, _account, signal) => {
        const path = `http://${addressOf(this.#parts)}${request.path}`
        const result = await sendRequest({ ...request, path }, user, signal)
        if (result.kind !== 'none') this.#heard.add(place)
        return result
      },
      openEvents: this.#parts.live
        ? (_, lastRevision, signal) => openEvents(addressOf(this.#parts), lastRevision, signal)
        : undefined,
      store: this.#openStore(),
      delivered: () => turns(this.#parts.clearable ? 0 : 1),
      pause: time.pause,
      now: () => this.now,
      steady: () => this.#steady,
      onStored: (number) => this.confirmed.add(number),
      onRender: (tab) => onRender(this, tab),
    })
    this.tabs[place] = tab
    onOpen?.(this, tab)
  }

  /** All tabs share the store in memory, but each opens the real store for itself. */
  async #openStore(): Promise<LocalStore> {
    if (!this.#parts.clearable) return this.#memory
    return this.#watched(this.#counted(await openIndexedDbStore(this.#storeName)))
  }

  #counted(store: LocalStore): LocalStore {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return async (...args: unknown[]) => {
          this.#pendingCalls += 1
          try {
            return await value.apply(target, args)
          } finally {
            this.#pendingCalls -= 1
          }
        }
      },
    })
  }

  /** Records which changes the store adds, and which it removes with a report to the person. */
  #watched(store: LocalStore): LocalStore {
    return {
      ...store,
      durable: true,
      add: async (account, incarnation, writes, ...rest) => {
        const added = await store.add(account, incarnation, writes, ...rest)
        for (const write of added ?? []) this.#recordStored(write)
        return added
      },
      addTimestamps: async (account, incarnation, stamp) => {
        const count = await store.addTimestamps(account, incarnation, stamp)
        const state = await store.reread(account, incarnation, new Map())
        for (const write of state?.writes ?? []) this.#recordStored(write)
        return count
      },
      remove: async (account, incarnation, write, failure) => {
        const removed = await store.remove(account, incarnation, write, failure)
        for (const { vars, text } of removed?.removed ?? []) {
          if (!removed?.failedWrite?.texts.includes(text)) continue
          this.reported.push({ change: numberOf(vars), failed: failure?.retriable ?? false, text })
        }
        return removed
      },
      report: async (account, incarnation, writes, failure) => {
        const reported = await store.report(account, incarnation, writes, failure)
        if (!reported || !failure.late) return reported
        for (const { vars, text } of writes) this.late.push({ change: numberOf(vars), text })
        return reported
      },
    }
  }

  #recordStored({ vars, at }: QueuedWrite): void {
    const number = numberOf(vars)
    this.stored.add(number)
    if (at !== undefined) this.timestamps.set(number, at)
  }
}

/** The host that identifies a device's requests, since all devices share the process's `fetch`. */
export function addressOf({ user, place }: Pick<PlayedDeviceParts, 'user' | 'place'>): string {
  return `${user}.device-${place}.localhost`
}

/** The user whose device has this address. */
export function userAt(address: string): string {
  return address.replace(/\.device-\d+\.localhost$/, '')
}

function isAtRest({ outbox }: AccountSync): boolean {
  return outbox.waiting === 0 && outbox.unread.size === 0
}
