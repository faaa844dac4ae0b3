import { type Day, daySchema, type Instant } from '#platform/calendar/day.ts'
import type { Reminder } from './reminder.ts'

// A week and a day, since today's may be over, plus days that a zone can leave out or that have had their reminder.
const maxDays = 20

/**
 * The first instant after `after` at which the clocks of `zone` reach the reminder's time on one of its weekdays, and its
 * day on the wall calendar. If the clocks skip the time, it is the moment when they jump; if the time comes twice, it is
 * the first; a day that the zone leaves out has none. Days that have had their reminder, in whatever zone, and earlier ones
 * are skipped.
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
  // Starts with the day before: what the clocks skip at its end may still be to come.
  let date = today.subtract({ days: 1 })
  for (let days = 0; days < maxDays; days += 1, date = date.add({ days: 1 })) {
    const day = daySchema.parse(date.toString())
    if (!weekdays.some((weekday) => weekday === date.dayOfWeek)) continue
    if (day <= passed) continue
    const at = instantOn(date, time, zone)
    if (at !== undefined && at > after) return { at, day }
  }
  throw new Error('There is no such weekday')
}

/** When a day begins for somebody; if their zone left it out, when the next one does. */
export function startOfDay(day: Day, zone: string, dayStart: number): Instant {
  for (let date = Temporal.PlainDate.from(day); ; date = date.add({ days: 1 })) {
    const at = instantOn(date, dayStart, zone)
    if (at !== undefined) return at
  }
}

function instantOn(date: Temporal.PlainDate, time: number, zone: string): Instant | undefined {
  // If a zone moved across the date line, a day is missing.
  if (!date.toZonedDateTime(zone).toPlainDate().equals(date)) return undefined
  const wallClock = date.toPlainDateTime().add({ minutes: time })
  const first = wallClock.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (first.toPlainDateTime().equals(wallClock)) return first.epochMilliseconds
  return first.getTimeZoneTransition('next')?.epochMilliseconds
}
