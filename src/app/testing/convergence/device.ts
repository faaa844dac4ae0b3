import type { Instant } from '#platform/calendar/day.ts'
import type { AccountSync } from '#platform/sync/account-sync.ts'
import { ask } from '#platform/sync/answer.ts'
import type { Device } from '#platform/sync/device.ts'
import type { Entry } from '#platform/sync/entry.ts'
import { createMemoryDevice } from '#platform/sync/memory-device.ts'
import type { Network } from './network.ts'
import { numberOf } from './one-change.ts'
import type { PlayedTime } from './played-time.ts'
import type { Told } from './rule.ts'
import { openTab, type Tab } from './tab.ts'

export interface PlayedDeviceParts {
  user: string
  /** Its place among the devices. */
  place: number
  tabs: number
  /** By how many milliseconds its clock runs ahead. */
  ahead: number
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
  readonly tabs: Tab[] = []
  #parts: PlayedDeviceParts
  #store: Device

  constructor(parts: PlayedDeviceParts) {
    this.#parts = parts
    this.place = parts.place
    this.network = parts.network
    this.#store = this.#watched(createMemoryDevice())
    for (let place = 0; place < parts.tabs; place++) this.#open(place)
  }

  get now(): Instant {
    return this.#parts.time.now + this.#parts.ahead
  }

  get atRest(): boolean {
    return this.network.underWay.size === 0 && this.tabs.every(({ sync }) => isAtRest(sync))
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

  #open(place: number): void {
    const { user, time, look } = this.#parts
    this.tabs[place] = openTab({
      // In one process the devices of a person would share channels and locks: each has a name of its own for the account,
      account: `${user} on device ${this.place}`,
      // which the server never hears.
      ask: (request, _account, signal) =>
        ask({ ...request, path: `http://${addressOf(this.#parts)}${request.path}` }, user, signal),
      device: this.#store,
      pause: time.pause,
      now: () => this.now,
      look: (tab) => look(this, tab),
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
