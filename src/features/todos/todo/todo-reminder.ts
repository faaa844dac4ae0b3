import * as z from 'zod/mini'
import { addDays, type Day, dayNumber, type Instant, instantFromWire } from '#platform/calendar/day.ts'
import { instantOfWallTime, type WallTime, wallTimeOf } from '#platform/calendar/wall-time.ts'

// When to remind somebody of a to-do that is due: at a time on their own clock, so many days before. It moves with the due day, and
// of a to-do that repeats it comes every time. A reminder that belongs to no due day, or comes after it, is an instant (`remind_at`).

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

/** When the reminder comes, as calendar and clock show it in a zone; undefined if there is none. */
export function reminderTime({ due_day, remind_at, reminder }: Reminded, zone: string): WallTime | undefined {
  if (reminder) return due_day === null ? undefined : wallTimeBefore(due_day, reminder)
  return remind_at === null ? undefined : wallTimeOf(instantFromWire(remind_at), zone)
}

/** When the reminder comes; undefined if there is none. */
export function reminderInstant(todo: Reminded, zone: string): Instant | undefined {
  const { due_day, remind_at, reminder } = todo
  if (!reminder) return remind_at === null ? undefined : instantFromWire(remind_at)
  return due_day === null ? undefined : instantBefore(due_day, reminder, zone)
}

/** The reminder that comes at that time, if that is neither after the due day nor too long before it. */
export function reminderAt({ day, time }: WallTime, due: Day): TodoReminder | undefined {
  const days_before = dayNumber(due) - dayNumber(day)
  return days_before < 0 || days_before > mostDaysBefore ? undefined : { days_before, time }
}

/**
 * The same for an instant. Undefined, too, if the clocks do not say it to the second, unless it is `rounded` to the minute: of a
 * to-do that repeats an instant would come only once.
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

/** When the reminder of what is due on a day comes. */
export function instantBefore(due: Day, reminder: TodoReminder, zone: string): Instant {
  return instantOfWallTime(wallTimeBefore(due, reminder), zone)
}

function wallTimeBefore(due: Day, { days_before, time }: TodoReminder): WallTime {
  return { day: addDays(due, -days_before), time }
}

/** What is stored of a change to a reminder. One form takes the place of the other, and an instant is turned into the one that goes with `due`. */
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

/** What gives a to-do back the reminder that it has. */
export function reminderToRestore({
  reminder,
  remind_at,
}: {
  reminder: TodoReminder | null
  remind_at: string | null
}): { reminder: TodoReminder } | { remind_at: string | null } {
  return reminder ? { reminder } : { remind_at }
}
