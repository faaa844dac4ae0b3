import { type Day, type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import { instantOfWallTime, type WallTime, wallTimeOf } from '#platform/calendar/wall-time.ts'
import type { Todo } from '../todo.ts'
import { remindAtSchema } from '../todo-row.ts'
import type { TodoFields } from './todo-queries.ts'

type Dates = Pick<Todo, 'due_day' | 'remind_at'>

/** When a to-do is due: its day and, if it has a reminder on that day, the time of that. */
export function pickedDue(
  { due_day, remind_at }: Dates,
  zone: string,
): { day: Day; time: number | null } | null {
  if (due_day === null) return null
  const reminder = remind_at === null ? undefined : wallTimeOf(instantFromWire(remind_at), zone)
  return { day: due_day, time: reminder?.day === due_day ? reminder.time : null }
}

/** A reminder that is not on the due day. */
export function reminderElsewhere(dates: Dates, zone: string): WallTime | undefined {
  if (dates.remind_at === null) return undefined
  const reminder = wallTimeOf(instantFromWire(dates.remind_at), zone)
  return reminder.day === dates.due_day ? undefined : reminder
}

/** What changes if this is chosen. The reminder on the due day moves with it; one on another day stays. */
export function dueChanges(
  todo: Dates,
  chosen: { day: Day; time: number | null } | null,
  zone: string,
): Partial<TodoFields> {
  const before = pickedDue(todo, zone)
  const due_day = chosen?.day ?? null
  const time = chosen?.time ?? null
  const sameDay = due_day === todo.due_day
  const timeStays = time === (before?.time ?? null) && (sameDay || time === null)
  return {
    ...(sameDay ? {} : { due_day }),
    ...(timeStays
      ? {}
      : { remind_at: due_day === null || time === null ? null : remindAt({ day: due_day, time }, zone) }),
  }
}

/** What changes if the reminder is set to this time, whenever the to-do is due. */
export function reminderChanges(
  { remind_at }: Dates,
  chosen: WallTime | null,
  zone: string,
): Partial<TodoFields> {
  const before = remind_at === null ? null : wallTimeOf(instantFromWire(remind_at), zone)
  // Unchanged, it keeps its seconds, which nobody sees.
  if (before?.day === chosen?.day && before?.time === chosen?.time) return {}
  return { remind_at: chosen && remindAt(chosen, zone) }
}

/** Null before 2000, when nobody can be reminded. */
function remindAt(chosen: WallTime, zone: string): string | null {
  return remindAtSchema.safeParse(instantToWire(instantOfWallTime(chosen, zone))).data ?? null
}

/** Whether nobody will be reminded at that time, because it is over. */
export function hasPassed(chosen: WallTime, zone: string, now: Instant): boolean {
  return instantOfWallTime(chosen, zone) <= now
}
