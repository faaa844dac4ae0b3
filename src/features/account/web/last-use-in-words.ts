import { addDays, dayOf, type Instant } from '#platform/calendar/day.ts'

interface Reader {
  now: Instant
  /** IANA name. */
  timeZone: string
  /** The browser's own unless told. */
  locale?: string
}

/**
 * When a device was last used, by the clock on the wall of whoever reads it. The server notes a use at most once an hour,
 * so it is never told to the minute.
 */
export function lastUseInWords(lastUse: Instant, { now, timeZone, locale }: Reader): string {
  if (now - lastUse < 3_600_000) return 'Last used within the last hour'
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(lastUse)
  const time = written({ hour: 'numeric', minute: '2-digit' })
  const day = dayOf(lastUse, timeZone, 0)
  const today = dayOf(now, timeZone, 0)
  if (day === today) return `Last used today, around ${time}`
  if (day === addDays(today, -1)) return `Last used yesterday, around ${time}`
  if (day > addDays(today, -7)) return `Last used ${written({ weekday: 'long' })}, around ${time}`
  const sameYear = day.slice(0, 4) === today.slice(0, 4)
  return `Last used ${written({ day: 'numeric', month: 'long', ...(sameYear ? {} : { year: 'numeric' }) })}`
}
