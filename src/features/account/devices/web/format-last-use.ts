import { addDays, type Instant } from '#platform/calendar/day.ts'
import { dayAndMonth, longWeekday } from '#platform/format/format-day.ts'
import { formatPast, type Reader } from '#platform/format/format-past.ts'

/**
 * Says when a device was last used, in the reader's local time. The server records a use at most once an hour, so recent minutes
 * are never shown.
 */
export function formatLastUse(lastUse: Instant, reader: Reader): string {
  if (reader.now - lastUse < 3_600_000) return 'Last used less than an hour ago'
  const { day, today, dayWord, time } = formatPast(lastUse, reader)
  if (dayWord) return `Last used ${dayWord}, around ${time}`
  if (day > addDays(today, -7)) return `Last used ${longWeekday(day)}, around ${time}`
  return `Last used ${dayAndMonth(day, today)}`
}
