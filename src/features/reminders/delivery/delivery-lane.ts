import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import {
  claimDeliveries,
  type Delivery,
  type LaneKind,
  releaseDeliveries,
  usersWithDueDeliveries,
} from './delivery-store.ts'

// Pushes and mail have separate queues (lanes), so that neither waits for the other. Within a lane, people take turns, and nobody
// has more than two deliveries in flight, or more than one if it is slow. So a person whose browsers never respond, or who has
// thousands of reminders at once, only delays themselves. While a delivery is slow, another may start in its place.

const maxPerUser = 2
/** Milliseconds after which a delivery in flight counts as slow; also the longest wait between two checks for new deliveries. */
const slowAfter = 1_000

export interface LaneOptions {
  kind: LaneKind
  /** How many deliveries may be in flight at the same time. */
  slots: number
  /** How many more deliveries may be in flight while others are slow. */
  slowSlots: number
  /** The longest time that a delivery may take, in milliseconds. */
  timeout: number
}

interface InFlight {
  finished: Promise<void>
  /** In milliseconds, by a clock that only this process uses. */
  startedAt: number
}

/**
 * Sends the due deliveries of one kind. `send` resolves when it is done, and rejects if the outcome could not be recorded. In
 * that case nothing more is started, and `sendAll` rejects once everything in flight has finished.
 */
export function openLane(
  database: Database,
  clock: () => Instant,
  { kind, slots, slowSlots, timeout }: LaneOptions,
  closing: AbortSignal,
  send: (delivery: Delivery) => Promise<void>,
): { sendAll(): Promise<void> } {
  // A delivery is not started if it might finish after its claim ends: another process would send it again.
  const claimDuration = 2 * timeout
  const safetyMargin = timeout + 1_000
  /** Deliveries that are claimed, but not started. */
  let queue: Delivery[] = []
  const inFlight = new Map<Delivery, InFlight>()
  const dueUsers = usersWithDueDeliveries(database, kind)

  async function claim(): Promise<void> {
    const now = clock()
    const except = new Set([...busyUsers(), ...queue.map(({ user_id }) => user_id)])
    const users = await dueUsers.next(now, slots, except)
    // Look for due deliveries first: reading is cheap, but a write on SQLite blocks all other writes.
    if (users.length === 0) return
    const claims = new Set([...inFlight.keys(), ...queue].map((delivery) => delivery.claim))
    const taken = await claimDeliveries(database, {
      kind,
      users,
      maxPerUser: Math.floor((2 * slots) / users.length),
      now,
      until: now + claimDuration,
      claim: randomUUID(),
      // Even if a delivery takes longer than its claim, this process must not start it again.
      except: [...claims].filter((each) => each !== null),
    })
    queue.push(...taken)
  }

  const isSlow = ({ startedAt }: InFlight) => performance.now() - startedAt >= slowAfter

  function hasRoom(): boolean {
    const quick = [...inFlight.values()].filter((each) => !isSlow(each))
    return quick.length < slots && inFlight.size < slots + slowSlots
  }

  function busyUsers(): string[] {
    const counts = new Map<string, number>()
    for (const [{ user_id }, each] of inFlight) {
      counts.set(user_id, (counts.get(user_id) ?? 0) + (isSlow(each) ? maxPerUser : 1))
    }
    return [...counts].flatMap(([user, count]) => (count >= maxPerUser ? [user] : []))
  }

  function dequeue(): Delivery | undefined {
    const busy = busyUsers()
    const place = queue.findIndex(({ user_id }) => !busy.includes(user_id))
    return place < 0 ? undefined : queue.splice(place, 1)[0]
  }

  /** Releases queued deliveries, so that any process may claim them. */
  async function release(which: (delivery: Delivery) => boolean): Promise<void> {
    const released = queue.filter(which)
    if (released.length === 0) return
    queue = queue.filter((delivery) => !released.includes(delivery))
    await releaseDeliveries(database, released, clock())
  }

  const isLate = (delivery: Delivery) => clock() > delivery.send_at - safetyMargin

  return {
    async sendAll() {
      let failure: unknown
      while (!closing.aborted && failure === undefined) {
        await release(isLate)
        if (hasRoom()) {
          let next = dequeue()
          if (!next) {
            await claim()
            next = dequeue()
          }
          if (next) {
            const delivery = next
            const finished = send(delivery)
              .catch((error) => {
                failure ??= error
              })
              .finally(() => inFlight.delete(delivery))
            inFlight.set(delivery, { finished, startedAt: performance.now() })
            continue
          }
          if (inFlight.size === 0) break
        }
        await nextFinished()
      }
      await Promise.all([...inFlight.values()].map(({ finished }) => finished))
      await release(() => true)
      if (failure !== undefined) throw failure
    },
  }

  async function nextFinished(): Promise<void> {
    const settled = new AbortController()
    const timingOut = pause(slowAfter, undefined, { signal: settled.signal, ref: false }).catch(() => {})
    await Promise.race([...[...inFlight.values()].map(({ finished }) => finished), timingOut])
    settled.abort()
  }
}
