import type { Instant } from '#platform/calendar/day.ts'
import { timestampsInOrder } from '../outbox/change-timestamp.ts'
import {
  type FailedWrite,
  failedWriteOf,
  type NewQueuedWrite,
  type QueuedWrite,
  type StoredResponse,
  seenBy,
  unsentOf,
  withFollowers,
} from '../outbox/queued-write.ts'
import { type LocalStore, latestTick } from './local-store.ts'
import { randomId } from './random-id.ts'

interface Account {
  incarnation: string
  tick: number
  writes: QueuedWrite[]
  failedWrites: FailedWrite[]
  responses: Map<string, StoredResponse>
  values: Map<string, unknown>
  at: Instant | undefined
}

/** For browsers without storage: the same store, for as long as this tab lives. */
export function createMemoryStore(): LocalStore {
  const accounts = new Map<string, Account>()
  const ended = new Set<string>()

  function living(account: string, incarnation: string): Account | undefined {
    const found = accounts.get(account)
    return found?.incarnation === incarnation ? found : undefined
  }

  function appendWrites(found: Account, writes: readonly NewQueuedWrite[]): QueuedWrite[] {
    const stamped = timestampsInOrder(found.at, writes)
    found.at = stamped.last
    const added = stamped.writes.map((write) => ({ ...write, seq: ++found.tick }))
    found.writes = [...found.writes, ...added]
    return added
  }

  function without(writes: readonly QueuedWrite[], removed: readonly QueuedWrite[]): QueuedWrite[] {
    const seqs = new Set(removed.map((write) => write.seq))
    return writes.filter((write) => !seqs.has(write.seq))
  }

  return {
    durable: false,
    outdated: new Promise(() => {}),
    onClosed() {},

    async open(account) {
      const found = accounts.get(account) ?? {
        incarnation: randomId(),
        tick: 0,
        writes: [],
        failedWrites: [],
        responses: new Map(),
        values: new Map(),
        at: undefined,
      }
      accounts.set(account, found)
      return { ...found, responses: [...found.responses.values()], values: new Map(found.values) }
    },

    async countUnsent(account) {
      const found = accounts.get(account)
      return found ? unsentOf(found.writes).length + found.failedWrites.length : 0
    },

    /** Continues in memory when the browser no longer provides storage. */
    async revive(account, incarnation, remembered) {
      if (ended.has(incarnation)) return undefined
      const found = accounts.get(account) ?? {
        incarnation: randomId(),
        tick: latestTick(remembered),
        writes: [...remembered.writes],
        failedWrites: [...remembered.failedWrites],
        responses: new Map(),
        values: new Map(remembered.values),
        at: undefined,
      }
      accounts.set(account, found)
      const unsent = unsentOf(found.writes).length
      return { ...found, responses: [...found.responses.values()], values: new Map(found.values), unsent }
    },

    async reread(account, incarnation, since) {
      const found = living(account, incarnation)
      if (!found) return undefined
      const responses = [...found.responses.values()].filter(
        ({ list, tick }) => tick > (since.get(list) ?? 0),
      )
      return {
        writes: found.writes,
        failedWrites: found.failedWrites,
        responses,
        values: new Map(found.values),
      }
    },

    async add(account, incarnation, writes, retried) {
      const found = living(account, incarnation)
      if (!found) return undefined
      const added = appendWrites(found, writes)
      found.failedWrites = found.failedWrites.filter(({ id }) => id !== retried)
      return added
    },

    async changeValue(account, incarnation, name, step, collection) {
      const found = living(account, incarnation)
      if (!found) return undefined
      const current = collection !== undefined && found.writes.every((write) => write.list !== collection)
      const response = current ? found.responses.get(collection)?.answer : undefined
      const { value, writes } = step(found.values.get(name), response)
      found.values.set(name, value)
      return { value, added: appendWrites(found, writes) }
    },

    async addTimestamps(account, incarnation, stamp) {
      const found = living(account, incarnation)
      if (!found) return undefined
      const { added, writes, last } = stamp(found.at, found.writes)
      if (added === 0) return 0
      found.writes = writes
      found.at = last
      return added
    },

    async acknowledge(account, incarnation, seqs) {
      const found = living(account, incarnation)
      if (!found) return undefined
      const acknowledged = ++found.tick
      const done = new Set(seqs)
      found.writes = found.writes.map((write) => (done.has(write.seq) ? { ...write, acknowledged } : write))
      return acknowledged
    },

    async remove(account, incarnation, write, failure) {
      const found = living(account, incarnation)
      if (!found) return undefined
      const removed = withFollowers(found.writes, write, failure?.last)
      found.writes = without(found.writes, removed)
      const withoutId = failure && failedWriteOf(removed, failure)
      const failedWrite = withoutId && { ...withoutId, id: ++found.tick }
      if (failedWrite) found.failedWrites = [...found.failedWrites, failedWrite]
      return { removed, failedWrite }
    },

    async report(account, incarnation, writes, failure) {
      const found = living(account, incarnation)
      if (!found) return undefined
      const failed = failedWriteOf(writes, failure)
      const reported = failed ? [{ ...failed, id: ++found.tick }] : []
      found.failedWrites = [...found.failedWrites, ...reported]
      return reported
    },

    async startRead(account, incarnation) {
      const found = living(account, incarnation)
      return found && ++found.tick
    },

    async storeResponse(account, incarnation, collection, response, tick) {
      const found = living(account, incarnation)
      if (!found) return undefined
      const current = found.responses.get(collection)
      if (current && current.tick > tick) return current
      const stored = { account, list: collection, answer: response, tick }
      found.responses.set(collection, stored)
      found.writes = without(found.writes, seenBy(found.writes, collection, tick))
      return stored
    },

    async dismiss(account, failedWriteId) {
      const found = accounts.get(account)
      if (found) found.failedWrites = found.failedWrites.filter(({ id }) => id !== failedWriteId)
    },

    async wipe(account) {
      const found = accounts.get(account)
      if (found) ended.add(found.incarnation)
      accounts.delete(account)
    },

    async claimLeadership() {
      return true
    },
  }
}
