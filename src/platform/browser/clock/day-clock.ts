import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import { dayValidUntil } from '#platform/calendar/next-day.ts'
import { watchWallClock } from './wall-clock.ts'

/** Tells what day it is, and notifies when the day changes. */
export interface DayClock {
  today(): Day
  subscribe(onDayChange: () => void): () => void
}

/**
 * Creates a day clock; `dayStart` is in minutes after midnight. It reads the wall clock at each call, so a sleep never
 * leaves it on an old day.
 */
export function dayClock(timeZone: string, dayStart: number): DayClock {
  let cached: { day: Day; from: Instant; until: Instant } | undefined
  const listeners = new Set<() => void>()
  let stopWatching = () => {}

  const read = () => {
    const now = Date.now()
    if (!cached || now < cached.from || now >= cached.until) {
      cached = {
        day: dayOf(now, timeZone, dayStart),
        from: now,
        until: dayValidUntil(now, timeZone, dayStart),
      }
    }
    return cached
  }

  return {
    today: () => read().day,
    subscribe(onDayChange) {
      if (listeners.size === 0) {
        let lastDay = read().day
        const check = () => {
          if (read().day === lastDay) return
          lastDay = read().day
          for (const listener of [...listeners]) listener()
        }
        stopWatching = watchWallClock(check, () => read().until)
      }
      listeners.add(onDayChange)
      return () => {
        listeners.delete(onDayChange)
        if (listeners.size === 0) stopWatching()
      }
    },
  }
}
