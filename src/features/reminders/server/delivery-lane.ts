import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { claimDeliveries, type Delivery, type LaneKind, releaseDeliveries } from './delivery-store.ts'

// Pushes and mail go in lanes of their own, so that neither waits for the other. In a lane nobody has more than two under
// way: whoever has browsers that never answer holds up themselves.

const mostOfOne = 2
/** Milliseconds after which it is looked again for what came due while others are under way. */
const lookAgain = 2_000

export interface LaneWishes {
  kind: LaneKind
  /** That many are under way at the same time. */
  slots: number
  /** The longest that one takes, in milliseconds. */
  patience: number
}

/**
 * What is to be sent of one kind. `send` says nothing when it is done, and throws where its outcome could not be recorded:
 * then this begins no more, and throws that when what is under way has ended.
 */
export function openLane(
  database: Database,
  clock: () => Instant,
  { kind, slots, patience }: LaneWishes,
  closing: AbortSignal,
  send: (delivery: Delivery) => Promise<void>,
): { sendAll(): Promise<void> } {
  // Nobody begins to send what could end after the claim: two would say it.
  const claimed = 2 * patience
  const spare = patience + 1_000
  /** Claimed, and not begun: their people have two under way. */
  let waiting: Delivery[] = []
  const underWay = new Map<Delivery, Promise<void>>()

  async function claim(): Promise<void> {
    const now = clock()
    const claims = new Set([...underWay.keys(), ...waiting].map((delivery) => delivery.claim))
    const taken = await claimDeliveries(
      database,
      { kind, now, until: now + claimed, claim: randomUUID(), most: 2 * slots },
      // Also what takes longer than its claim, against all expectation, is begun once by this process.
      { claims: [...claims].filter((each) => each !== null), users: busyUsers() },
    )
    waiting.push(...taken)
  }

  function busyUsers(): string[] {
    const counts = new Map<string, number>()
    for (const { user_id } of underWay.keys()) counts.set(user_id, (counts.get(user_id) ?? 0) + 1)
    return [...counts].flatMap(([user, count]) => (count >= mostOfOne ? [user] : []))
  }

  function takeNext(): Delivery | undefined {
    const busy = busyUsers()
    const place = waiting.findIndex(({ user_id }) => !busy.includes(user_id))
    return place < 0 ? undefined : waiting.splice(place, 1)[0]
  }

  /** What has waited too long to be begun within its claim is anybody's. */
  async function giveBack(which: (delivery: Delivery) => boolean): Promise<void> {
    const given = waiting.filter(which)
    if (given.length === 0) return
    waiting = waiting.filter((delivery) => !given.includes(delivery))
    await releaseDeliveries(database, given, clock())
  }

  const isLate = (delivery: Delivery) => clock() > delivery.send_at - spare

  return {
    async sendAll() {
      let failure: unknown
      while (!closing.aborted && failure === undefined) {
        await giveBack(isLate)
        if (underWay.size < slots) {
          let next = takeNext()
          if (!next) {
            await claim()
            next = takeNext()
          }
          if (next) {
            const begun = next
            const sending = send(begun)
              .catch((error) => {
                failure ??= error
              })
              .finally(() => underWay.delete(begun))
            underWay.set(begun, sending)
            continue
          }
          if (underWay.size === 0) break
        }
        await anyEnds()
      }
      await Promise.all(underWay.values())
      await giveBack(() => true)
      if (failure !== undefined) throw failure
    },
  }

  async function anyEnds(): Promise<void> {
    const over = new AbortController()
    const looking = pause(lookAgain, undefined, { signal: over.signal, ref: false }).catch(() => {})
    await Promise.race([...underWay.values(), looking])
    over.abort()
  }
}
