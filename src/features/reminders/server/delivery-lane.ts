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

// Pushes and mail go in lanes of their own, so that neither waits for the other. In a lane people take turns, and nobody has
// more than two under way, or one that is slow: whoever has browsers that never answer, or thousands of reminders at once,
// holds up themselves. What is slow leaves its slot to others.

const mostOfOne = 2
/** Milliseconds after which what is under way is slow, and between two looks at what came due meanwhile. */
const slow = 1_000

export interface LaneWishes {
  kind: LaneKind
  /** That many are under way at the same time. */
  slots: number
  /** That many more may be, once they are slow. */
  aside: number
  /** The longest that one takes, in milliseconds. */
  patience: number
}

interface UnderWay {
  ended: Promise<void>
  /** By a clock that only this process knows. */
  begun: number
}

/**
 * What is to be sent of one kind. `send` says nothing when it is done, and throws where its outcome could not be recorded:
 * then this begins no more, and throws that when what is under way has ended.
 */
export function openLane(
  database: Database,
  clock: () => Instant,
  { kind, slots, aside, patience }: LaneWishes,
  closing: AbortSignal,
  send: (delivery: Delivery) => Promise<void>,
): { sendAll(): Promise<void> } {
  // Nobody begins to send what could end after the claim: two would say it.
  const claimed = 2 * patience
  const spare = patience + 1_000
  /** Claimed, and not begun. */
  let waiting: Delivery[] = []
  const underWay = new Map<Delivery, UnderWay>()
  const turns = usersWithDueDeliveries(database, kind)

  async function claim(): Promise<void> {
    const now = clock()
    const except = new Set([...busyUsers(), ...waiting.map(({ user_id }) => user_id)])
    const users = await turns.next(now, slots, except)
    // Reading is free; a write on SQLite is a turn of everybody's line.
    if (users.length === 0) return
    const claims = new Set([...underWay.keys(), ...waiting].map((delivery) => delivery.claim))
    const taken = await claimDeliveries(database, {
      ...{ kind, users, mostOfEach: Math.floor((2 * slots) / users.length) },
      ...{ now, until: now + claimed, claim: randomUUID() },
      // Also what takes longer than its claim, against all expectation, is begun once by this process.
      except: [...claims].filter((each) => each !== null),
    })
    waiting.push(...taken)
  }

  const isSlow = ({ begun }: UnderWay) => performance.now() - begun >= slow

  function hasRoom(): boolean {
    const quick = [...underWay.values()].filter((each) => !isSlow(each))
    return quick.length < slots && underWay.size < slots + aside
  }

  function busyUsers(): string[] {
    const counts = new Map<string, number>()
    for (const [{ user_id }, each] of underWay) {
      counts.set(user_id, (counts.get(user_id) ?? 0) + (isSlow(each) ? mostOfOne : 1))
    }
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
        if (hasRoom()) {
          let next = takeNext()
          if (!next) {
            await claim()
            next = takeNext()
          }
          if (next) {
            const begun = next
            const ended = send(begun)
              .catch((error) => {
                failure ??= error
              })
              .finally(() => underWay.delete(begun))
            underWay.set(begun, { ended, begun: performance.now() })
            continue
          }
          if (underWay.size === 0) break
        }
        await anyEnds()
      }
      await Promise.all([...underWay.values()].map(({ ended }) => ended))
      await giveBack(() => true)
      if (failure !== undefined) throw failure
    },
  }

  async function anyEnds(): Promise<void> {
    const over = new AbortController()
    const looking = pause(slow, undefined, { signal: over.signal, ref: false }).catch(() => {})
    await Promise.race([...[...underWay.values()].map(({ ended }) => ended), looking])
    over.abort()
  }
}
