import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import { dayHoldsUntil } from '#platform/calendar/next-day.ts'
import { watchWallClock } from './wall-clock.ts'

/** What day it is, and the word that it has become another. */
export interface DayClock {
  today(): Day
  subscribe(onTurn: () => void): () => void
}

/** `dayStart` in minutes after midnight. Asks the wall clock each time, so the answer is never a slept-through one. */
export function dayClock(timeZone: string, dayStart: number): DayClock {
  let known: { day: Day; from: Instant; until: Instant } | undefined
  const listeners = new Set<() => void>()
  let stopWatching = () => {}

  const read = () => {
    const now = Date.now()
    if (!known || now < known.from || now >= known.until) {
      known = {
        day: dayOf(now, timeZone, dayStart),
        from: now,
        until: dayHoldsUntil(now, timeZone, dayStart),
      }
    }
    return known
  }

  return {
    today: () => read().day,
    subscribe(onTurn) {
      if (listeners.size === 0) {
        let told = read().day
        const look = () => {
          if (read().day === told) return
          told = read().day
          for (const listener of [...listeners]) listener()
        }
        stopWatching = watchWallClock(look, () => read().until)
      }
      listeners.add(onTurn)
      return () => {
        listeners.delete(onTurn)
        if (listeners.size === 0) stopWatching()
      }
    },
  }
}
