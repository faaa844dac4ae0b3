import { type Day, daySchema, type Instant } from '#platform/calendar/day.ts'
import type { Reminder } from './reminder.ts'

// A week and a day, since today's may be over, and what a zone can leave out or has been reminded of already.
const longestSearch = 20

/**
 * The first instant after `after` at which the clocks of `zone` come to the reminder's time on one of its weekdays, and the
 * day on the wall calendar that it is. A time that the clocks skip is where they jump to, one that comes twice is the
 * first of the two, and a day that a zone leaves out altogether has none. A day that was reminded of already, in whatever
 * zone, and those before it are passed over.
 */
export function nextReminder(
  { time, weekdays }: Reminder,
  after: Instant,
  zone: string,
  remindedOn: Day | null = null,
): { at: Instant; day: Day } {
  const today = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone).toPlainDate()
  // A clock that was wrong by years must not silence it for years.
  const passed = remindedOn !== null && remindedOn <= today.add({ days: 2 }).toString() ? remindedOn : ''
  // From the day before: what the clocks skip at its end may still be to come.
  let date = today.subtract({ days: 1 })
  for (let days = 0; days < longestSearch; days += 1, date = date.add({ days: 1 })) {
    const day = daySchema.parse(date.toString())
    if (!weekdays.some((weekday) => weekday === date.dayOfWeek)) continue
    if (day <= passed) continue
    const at = instantOn(date, time, zone)
    if (at !== undefined && at > after) return { at, day }
  }
  throw new Error('There is no such weekday')
}

/** When a day begins for somebody: where their zone left it out, the next one. */
export function beginningOf(day: Day, zone: string, dayStart: number): Instant {
  for (let date = Temporal.PlainDate.from(day); ; date = date.add({ days: 1 })) {
    const at = instantOn(date, dayStart, zone)
    if (at !== undefined) return at
  }
}

function instantOn(date: Temporal.PlainDate, time: number, zone: string): Instant | undefined {
  // Where a zone moved over the date line, a day is missing.
  if (!date.toZonedDateTime(zone).toPlainDate().equals(date)) return undefined
  const wallClock = date.toPlainDateTime().add({ minutes: time })
  const first = wallClock.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (first.toPlainDateTime().equals(wallClock)) return first.epochMilliseconds
  return first.getTimeZoneTransition('next')?.epochMilliseconds
}
