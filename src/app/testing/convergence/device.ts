import { deleteDB } from 'idb'
import type { Instant } from '#platform/calendar/day.ts'
import type { AccountSync } from '#platform/sync/account-sync.ts'
import { ask } from '#platform/sync/answer.ts'
import type { Device } from '#platform/sync/device.ts'
import type { Entry } from '#platform/sync/entry.ts'
import { openIndexedDevice } from '#platform/sync/indexed-device.ts'
import { createMemoryDevice } from '#platform/sync/memory-device.ts'
import type { Network } from './network.ts'
import { numberOf } from './one-change.ts'
import { type PlayedTime, turns } from './played-time.ts'
import type { Told } from './rule.ts'
import { openTab, type Tab } from './tab.ts'

export interface PlayedDeviceParts {
  user: string
  /** Its place among the devices. */
  place: number
  tabs: number
  /** By how many milliseconds its clock runs ahead. */
  ahead: number
  /** Whether its browser may clear its storage: it is a real one then, which takes its time. */
  clearable?: boolean
  network: Network
  time: PlayedTime
  look(device: PlayedDevice, tab: Tab): void
}

/** A browser of somebody: a store, a clock and a connection of its own, which all of its tabs share. */
export class PlayedDevice {
  readonly place: number
  readonly network: Network
  /** The changes that its store has taken. */
  readonly kept = new Set<number>()
  /** When these were made, as the server is told. */
  readonly dated = new Map<number, Instant>()
  /** Those that its person was told of as not saved. */
  readonly told: Told[] = []
  /** Those that its person gave up when they signed out on it. */
  readonly givenUp: Told[] = []
  /** What was there of its person after they had signed out. */
  readonly leftBehind: unknown[] = []
  /** None while nobody is signed in on it. */
  tabs: Tab[] = []
  #parts: PlayedDeviceParts
  /** The store of a browser that is not cleared. */
  #memory: Device
  /** How many calls of its store are under way. */
  #storing = 0
  /** The name of its store. */
  #stored: string

  constructor(parts: PlayedDeviceParts) {
    this.#parts = parts
    this.place = parts.place
    this.network = parts.network
    this.#memory = this.#watched(createMemoryDevice())
    this.#stored = crypto.randomUUID()
    this.#openAll()
  }

  get now(): Instant {
    return this.#parts.time.now + this.#parts.ahead
  }

  get isStoring(): boolean {
    return this.#storing > 0
  }

  get atRest(): boolean {
    return (
      !this.isStoring && this.network.underWay.size === 0 && this.tabs.every(({ sync }) => isAtRest(sync))
    )
  }

  async signIn(cookie: string): Promise<void> {
    const { entries, notices, lists, values } = await (await this.#openStore()).open(this.#account)
    this.leftBehind.push(...entries, ...notices, ...lists, ...values)
    this.network.cookie = cookie
    this.#openAll()
  }

  /** Everything of its person goes from it, sent or not. `ask` has the server sign out whom the cookie names. */
  async signOut(ask: (cookie: string) => Promise<void>): Promise<void> {
    const { cookie } = this.network
    const [leaving, ...others] = this.tabs
    if (cookie === undefined || !leaving) return
    leaving.sync.stopReading()
    this.network.cookie = undefined
    await ask(cookie)
    const { entries } = await (await this.#openStore()).open(this.#account)
    for (const { vars, text, acknowledged } of entries) {
      if (acknowledged === undefined) this.givenUp.push({ change: numberOf(vars), failed: true, text })
    }
    await leaving.sync.wipe()
    for (const tab of [leaving, ...others]) tab.close()
    this.tabs = []
    // What they were told of goes, too.
    this.givenUp.push(...this.told.splice(0))
  }

  get isSignedIn(): boolean {
    return this.tabs.length > 0
  }

  tab(which: number): Tab {
    const tab = this.tabs[which % this.tabs.length]
    if (!tab) throw new Error('A device has a tab')
    return tab
  }

  /** The tab is gone from one moment to the next, and another one is opened in its place. */
  crash(which: number): void {
    const tab = this.tab(which)
    tab.close()
    this.#open(this.tabs.indexOf(tab))
  }

  /** The browser takes away all that it stores for this app. The tabs that are open put it back. */
  async clear(): Promise<void> {
    await Promise.all(this.tabs.map(({ sync }) => sync.outbox.ready))
    // What only the store of a tab that is gone has known is lost with the store.
    await this.stored()
    await deleteDB(this.#stored)
    await this.stored()
  }

  /** Its store has taken all that was done in its tabs, and the tabs have heard of it. */
  async stored(): Promise<void> {
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
   * In one process the devices of a person would share channels and locks: each has a name of its own for the account,
   * which the server never hears.
   */
  get #account(): string {
    return `${this.#parts.user} on device ${this.place}`
  }

  #openAll(): void {
    for (let place = 0; place < this.#parts.tabs; place++) this.#open(place)
  }

  #open(place: number): void {
    const { user, time, look } = this.#parts
    this.tabs[place] = openTab({
      account: this.#account,
      ask: (request, _account, signal) =>
        ask({ ...request, path: `http://${addressOf(this.#parts)}${request.path}` }, user, signal),
      device: this.#openStore(),
      answered: () => turns(this.#parts.clearable ? 0 : 1),
      pause: time.pause,
      now: () => this.now,
      look: (tab) => look(this, tab),
    })
  }

  /** In memory all tabs share it; each of them opens a real one for itself. */
  async #openStore(): Promise<Device> {
    if (!this.#parts.clearable) return this.#memory
    return this.#watched(this.#counted(await openIndexedDevice(this.#stored)))
  }

  #counted(store: Device): Device {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return async (...asked: unknown[]) => {
          this.#storing += 1
          try {
            return await value.apply(target, asked)
          } finally {
            this.#storing -= 1
          }
        }
      },
    })
  }

  /** What the store takes in, and what it gives up, with the notice that its person reads. */
  #watched(store: Device): Device {
    return {
      ...store,
      durable: true,
      add: async (account, life, entries, ...rest) => {
        const placed = await store.add(account, life, entries, ...rest)
        for (const entry of placed ?? []) this.#keep(entry)
        return placed
      },
      date: async (account, life, ahead) => {
        const dated = await store.date(account, life, ahead)
        const known = await store.reread(account, life, new Map())
        for (const entry of known?.entries ?? []) this.#keep(entry)
        return dated
      },
      takeOut: async (account, life, entry, told) => {
        const taken = await store.takeOut(account, life, entry, told)
        for (const { vars, text } of taken?.gone ?? []) {
          if (!taken?.notice?.texts.includes(text)) continue
          this.told.push({ change: numberOf(vars), failed: told?.retriable ?? false, text })
        }
        return taken
      },
    }
  }

  #keep({ vars, at }: Entry): void {
    const number = numberOf(vars)
    this.kept.add(number)
    if (at !== undefined) this.dated.set(number, at)
  }
}

/** By which a device's requests are known: one process has one `fetch`. */
export function addressOf({ user, place }: Pick<PlayedDeviceParts, 'user' | 'place'>): string {
  return `${user}.device-${place}.localhost`
}

function isAtRest({ outbox }: AccountSync): boolean {
  return outbox.waiting === 0 && outbox.unseen.size === 0
}
