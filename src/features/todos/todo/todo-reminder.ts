import * as z from 'zod/mini'
import { addDays, type Day, dayNumber, type Instant, instantFromWire } from '#platform/calendar/day.ts'
import { instantOfWallTime, type WallTime, wallTimeOf } from '#platform/calendar/wall-time.ts'

// A reminder of a due to-do: a time on the person's own clock, some days before the due day. It moves with the due day, and comes
// for every occurrence of a repeating to-do. A reminder without a due day, or after it, is an instant (`remind_at`).

/** The most days before the due day on which a reminder may come. */
const mostDaysBefore = 366

const daysProblem = `Expected whole days, 0 to ${mostDaysBefore}`
const timeProblem = 'Expected minutes after midnight, 0 to 1439'

export const todoReminderSchema = z.strictObject({
  days_before: z.int(daysProblem).check(z.minimum(0, daysProblem), z.maximum(mostDaysBefore, daysProblem)),
  time: z.int(timeProblem).check(z.minimum(0, timeProblem), z.maximum(1439, timeProblem)),
})
export type TodoReminder = z.infer<typeof todoReminderSchema>

interface Reminded {
  due_day: Day | null
  remind_at: string | null
  reminder: TodoReminder | null
}

/** When the reminder comes, as day and time in a zone; undefined if there is none. */
export function reminderTime({ due_day, remind_at, reminder }: Reminded, zone: string): WallTime | undefined {
  if (reminder) return due_day === null ? undefined : wallTimeBefore(due_day, reminder)
  return remind_at === null ? undefined : wallTimeOf(instantFromWire(remind_at), zone)
}

/** The instant at which the reminder comes; undefined if there is none. */
export function reminderInstant(todo: Reminded, zone: string): Instant | undefined {
  const { due_day, remind_at, reminder } = todo
  if (!reminder) return remind_at === null ? undefined : instantFromWire(remind_at)
  return due_day === null ? undefined : instantBefore(due_day, reminder, zone)
}

/** The reminder tied to `due` that comes at that time; undefined if the time is after the due day or too long before it. */
export function reminderAt({ day, time }: WallTime, due: Day): TodoReminder | undefined {
  const days_before = dayNumber(due) - dayNumber(day)
  return days_before < 0 || days_before > mostDaysBefore ? undefined : { days_before, time }
}

/**
 * Like `reminderAt`, for an instant. Also undefined if the time on the person's clock cannot be converted back to the exact
 * instant, unless `rounded` to the minute. Repeating to-dos are rounded, because a reminder at a fixed instant would come for the
 * first occurrence only.
 */
export function reminderOfInstant(
  instant: Instant,
  due: Day,
  { zone, rounded }: { zone: string; rounded: boolean },
): TodoReminder | undefined {
  const wallTime = wallTimeOf(instant, zone)
  if (!rounded && instantOfWallTime(wallTime, zone) !== instant) return undefined
  return reminderAt(wallTime, due)
}

/** The instant of the reminder for something due on a day. */
export function instantBefore(due: Day, reminder: TodoReminder, zone: string): Instant {
  return instantOfWallTime(wallTimeBefore(due, reminder), zone)
}

function wallTimeBefore(due: Day, { days_before, time }: TodoReminder): WallTime {
  return { day: addDays(due, -days_before), time }
}

/**
 * The fields to store when a reminder changes. A reminder tied to the due day replaces one at a fixed instant, and vice versa. An
 * instant is turned into a reminder tied to `due` if possible.
 */
export function reminderToStore(
  {
    reminder,
    remind_at,
  }: { reminder?: TodoReminder | null | undefined; remind_at?: string | null | undefined },
  due: Day | null,
  options: { zone: string; rounded: boolean },
): { reminder?: TodoReminder | null; remind_at?: string | null } {
  if (reminder === undefined && remind_at === undefined) return {}
  if (reminder) return { reminder, remind_at: null }
  if (remind_at == null) return { reminder: null, remind_at: null }
  const withDue = due === null ? undefined : reminderOfInstant(instantFromWire(remind_at), due, options)
  return withDue ? { reminder: withDue, remind_at: null } : { reminder: null, remind_at }
}

/** The fields to send so that a to-do gets this reminder back. */
export function reminderToRestore({
  reminder,
  remind_at,
}: {
  reminder: TodoReminder | null
  remind_at: string | null
}): { reminder: TodoReminder } | { remind_at: string | null } {
  return reminder ? { reminder } : { remind_at }
}
