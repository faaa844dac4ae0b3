import { addDays, type Instant } from '#platform/calendar/day.ts'
import { dayAndMonth, longWeekday } from '#platform/ui/day-words.ts'
import { pastInWords, type Reader } from '#platform/ui/past-in-words.ts'

/**
 * When a device was last used, by the clock on the wall of whoever reads it. The server notes a use at most once an hour,
 * so it is never told to the minute.
 */
export function lastUseInWords(lastUse: Instant, reader: Reader): string {
  if (reader.now - lastUse < 3_600_000) return 'Last used less than an hour ago'
  const { day, today, dayWord, time } = pastInWords(lastUse, reader)
  if (dayWord) return `Last used ${dayWord}, around ${time}`
  if (day > addDays(today, -7)) return `Last used ${longWeekday(day)}, around ${time}`
  return `Last used ${dayAndMonth(day, today)}`
}
