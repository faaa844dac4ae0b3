import { type Day, daySchema, type Instant } from '#platform/calendar/day.ts'
import type { Reminder } from './reminder.ts'

// How many days are searched: a week and a day, since today's reminder may be over, plus days that a zone may skip or that
// already had their reminder.
const maxDays = 20

/**
 * The first instant after `after` at which clocks in `zone` show the reminder's time on one of its weekdays, and its calendar
 * day. If the clocks skip that time, it is the moment when they jump. If the time occurs twice, it is the first. A day that the
 * zone skips has no reminder. Days up to `remindedOn` already had their reminder, in whatever zone, and are left out.
 */
export function nextReminder(
  { time, weekdays }: Reminder,
  after: Instant,
  zone: string,
  remindedOn: Day | null = null,
): { at: Instant; day: Day } {
  const today = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone).toPlainDate()
  // If a clock was wrong by years, `remindedOn` must not silence the reminder for years.
  const passed = remindedOn !== null && remindedOn <= today.add({ days: 2 }).toString() ? remindedOn : ''
  // Starts with the day before: if its reminder time was skipped by the clocks, the reminder may still be to come.
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

/** When a day begins for a person. If their zone skipped that day, when the next day begins. */
export function startOfDay(day: Day, zone: string, dayStart: number): Instant {
  for (let date = Temporal.PlainDate.from(day); ; date = date.add({ days: 1 })) {
    const at = instantOn(date, dayStart, zone)
    if (at !== undefined) return at
  }
}

function instantOn(date: Temporal.PlainDate, time: number, zone: string): Instant | undefined {
  // A zone that moved across the date line skips a day.
  if (!date.toZonedDateTime(zone).toPlainDate().equals(date)) return undefined
  const wallClock = date.toPlainDateTime().add({ minutes: time })
  const first = wallClock.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (first.toPlainDateTime().equals(wallClock)) return first.epochMilliseconds
  return first.getTimeZoneTransition('next')?.epochMilliseconds
}
