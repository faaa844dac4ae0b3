import { addDays, type Day, dayOf, type Instant } from '#platform/calendar/day.ts'

/** The reader of a past moment, and the current time. */
export interface Reader {
  now: Instant
  /** The IANA name of the reader's time zone. */
  timeZone: string
  /** The locale for the time of day; the browser's own by default. */
  locale?: string
}

interface Past {
  day: Day
  today: Day
  /** Undefined if the day is neither today nor yesterday. */
  dayWord: 'today' | 'yesterday' | undefined
  /** The time of day, such as '9:05 AM' or '9:05'. */
  time: string
}

/** Formats a past moment by the reader's wall clock. */
export function formatPast(at: Instant, { now, timeZone, locale }: Reader): Past {
  const day = dayOf(at, timeZone, 0)
  const today = dayOf(now, timeZone, 0)
  const dayWord = day === today ? 'today' : day === addDays(today, -1) ? 'yesterday' : undefined
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone })
  return { day, today, dayWord, time: clock.format(at) }
}
