import type { Instant } from '#platform/calendar/day.ts'
import { type Device, latestTick } from './device.ts'
import {
  type Entry,
  type KeptList,
  type NewEntry,
  type Notice,
  noticeOf,
  seenBy,
  withFollowers,
} from './entry.ts'
import { datedAfter, datedLate, isUndated } from './made-at.ts'
import { randomId } from './random-id.ts'

interface Account {
  life: string
  tick: number
  entries: Entry[]
  notices: Notice[]
  lists: Map<string, KeptList>
  values: Map<string, unknown>
  at: Instant | undefined
}

/** Where the browser gives no storage: the same, for as long as this tab lives. */
export function createMemoryDevice(): Device {
  const accounts = new Map<string, Account>()
  const ended = new Set<string>()

  function living(account: string, life: string): Account | undefined {
    const found = accounts.get(account)
    return found?.life === life ? found : undefined
  }

  function place(found: Account, entries: readonly NewEntry[]): Entry[] {
    const dated = datedAfter(found.at, entries)
    found.at = dated.last
    const placed = dated.entries.map((entry) => ({ ...entry, seq: ++found.tick }))
    found.entries = [...found.entries, ...placed]
    return placed
  }

  function without(entries: readonly Entry[], gone: readonly Entry[]): Entry[] {
    const seqs = new Set(gone.map((entry) => entry.seq))
    return entries.filter((entry) => !seqs.has(entry.seq))
  }

  return {
    durable: false,
    outdated: new Promise(() => {}),
    whenClosed() {},

    async open(account) {
      const found = accounts.get(account) ?? {
        life: randomId(),
        tick: 0,
        entries: [],
        notices: [],
        lists: new Map(),
        values: new Map(),
        at: undefined,
      }
      accounts.set(account, found)
      return { ...found, lists: [...found.lists.values()], values: new Map(found.values) }
    },

    /** Goes on in memory where the browser gives no storage any more. */
    async revive(account, life, remembered) {
      if (ended.has(life)) return undefined
      const found = accounts.get(account) ?? {
        life: randomId(),
        tick: latestTick(remembered),
        entries: [...remembered.entries],
        notices: [...remembered.notices],
        lists: new Map(),
        values: new Map(remembered.values),
        at: undefined,
      }
      accounts.set(account, found)
      const unsent = found.entries.filter(({ acknowledged }) => acknowledged === undefined).length
      return { ...found, lists: [...found.lists.values()], values: new Map(found.values), unsent }
    },

    async reread(account, life, since) {
      const found = living(account, life)
      if (!found) return undefined
      const lists = [...found.lists.values()].filter(({ list, tick }) => tick > (since.get(list) ?? 0))
      return { entries: found.entries, notices: found.notices, lists, values: new Map(found.values) }
    },

    async add(account, life, entries, instead) {
      const found = living(account, life)
      if (!found) return undefined
      const placed = place(found, entries)
      found.notices = found.notices.filter(({ id }) => id !== instead)
      return placed
    },

    async change(account, life, name, step, list) {
      const found = living(account, life)
      if (!found) return undefined
      const whole = list !== undefined && found.entries.every((entry) => entry.list !== list)
      const answer = whole ? found.lists.get(list)?.answer : undefined
      const { value, entries } = step(found.values.get(name), answer)
      found.values.set(name, value)
      return { value, placed: place(found, entries) }
    },

    async date(account, life, ahead) {
      const found = living(account, life)
      if (!found) return undefined
      const undated = found.entries.filter(isUndated).length
      const dated = datedLate(found.at, found.entries, ahead)
      if (undated === 0) return 0
      found.entries = dated.entries
      found.at = dated.last
      return undated
    },

    async acknowledge(account, life, seqs) {
      const found = living(account, life)
      if (!found) return undefined
      const acknowledged = ++found.tick
      const done = new Set(seqs)
      found.entries = found.entries.map((entry) => (done.has(entry.seq) ? { ...entry, acknowledged } : entry))
      return acknowledged
    },

    async takeOut(account, life, entry, told) {
      const found = living(account, life)
      if (!found) return undefined
      const gone = withFollowers(found.entries, entry)
      found.entries = without(found.entries, gone)
      const words = told && noticeOf(gone, told.reason, told.retriable)
      const notice = words && { ...words, id: ++found.tick }
      if (notice) found.notices = [...found.notices, notice]
      return { gone, notice }
    },

    async startRead(account, life) {
      const found = living(account, life)
      return found && ++found.tick
    },

    async keepRead(account, life, list, answer, tick) {
      const found = living(account, life)
      if (!found) return undefined
      const known = found.lists.get(list)
      if (known && known.tick > tick) return known
      const kept = { account, list, answer, tick }
      found.lists.set(list, kept)
      found.entries = without(found.entries, seenBy(found.entries, list, tick))
      return kept
    },

    async dismiss(account, notice) {
      const found = accounts.get(account)
      if (found) found.notices = found.notices.filter(({ id }) => id !== notice)
    },

    async wipe(account) {
      const found = accounts.get(account)
      if (found) ended.add(found.life)
      accounts.delete(account)
    },

    async takeTurn() {
      return true
    },
  }
}
