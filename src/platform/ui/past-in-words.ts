import { addDays, type Day, dayOf, type Instant } from '#platform/calendar/day.ts'

/** Whoever is told of a moment, and when. */
export interface Reader {
  now: Instant
  /** IANA name. */
  timeZone: string
  /** Of their clock; the browser's own unless told. */
  locale?: string
}

interface Past {
  day: Day
  today: Day
  /** Where there is a word for the day. */
  dayWord: 'today' | 'yesterday' | undefined
  /** '9:05 AM' or '9:05' */
  time: string
}

/** A moment that is over, by the clock on the wall of whoever reads it. */
export function pastInWords(at: Instant, { now, timeZone, locale }: Reader): Past {
  const day = dayOf(at, timeZone, 0)
  const today = dayOf(now, timeZone, 0)
  const dayWord = day === today ? 'today' : day === addDays(today, -1) ? 'yesterday' : undefined
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone })
  return { day, today, dayWord, time: clock.format(at) }
}
