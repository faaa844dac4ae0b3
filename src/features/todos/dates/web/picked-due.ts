import type { Todo } from '#features/todos/todo/todo.ts'
import { reminderAt, reminderTime } from '#features/todos/todo/todo-reminder.ts'
import { remindAtSchema } from '#features/todos/todo/todo-row.ts'
import type { TodoFields } from '#features/todos/todo/web/todo-queries.ts'
import { type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { instantOfWallTime, type WallTime } from '#platform/calendar/wall-time.ts'

type Dates = Pick<Todo, 'due_day' | 'remind_at' | 'reminder'>

/** A to-do's due day and, if its reminder is on that day, the reminder's time in minutes after midnight. */
export function pickedDue(todo: Dates, zone: string): { day: Day; time: number | null } | null {
  const { due_day } = todo
  if (due_day === null) return null
  const reminder = reminderTime(todo, zone)
  return { day: due_day, time: reminder?.day === due_day ? reminder.time : null }
}

/** The reminder, if it is not on the due day. */
export function reminderElsewhere(todo: Dates, zone: string): WallTime | undefined {
  const reminder = reminderTime(todo, zone)
  return reminder?.day === todo.due_day ? undefined : reminder
}

/**
 * The fields to change for the chosen due day and time. A reminder tied to the due day moves with it; a reminder at a fixed
 * instant stays. If the due day is removed, a reminder on another day keeps its time.
 */
export function dueChanges(
  todo: Dates,
  chosen: { day: Day; time: number | null } | null,
  zone: string,
): Partial<TodoFields> {
  const before = pickedDue(todo, zone)
  const due_day = chosen?.day ?? null
  const time = chosen?.time ?? null
  const dueChange = due_day === todo.due_day ? {} : { due_day }
  if (chosen === null) return { ...dueChange, ...withoutDue(todo, zone) }
  const timeStays = time === (before?.time ?? null)
  if (timeStays && (time === null || todo.reminder !== null || !('due_day' in dueChange))) return dueChange
  return { ...dueChange, reminder: time === null ? null : { days_before: 0, time } }
}

/**
 * The changes to the reminder when the due day is removed. A reminder on the due day is removed too. A reminder some days before
 * the due day becomes a reminder at a fixed instant, at the same time.
 */
function withoutDue(todo: Dates, zone: string): Partial<TodoFields> {
  if (pickedDue(todo, zone)?.time != null) return { reminder: null }
  const elsewhere = reminderElsewhere(todo, zone)
  return todo.reminder && elsewhere ? { remind_at: remindAt(elsewhere, zone) } : {}
}

/**
 * The fields to change for a new reminder. A reminder on or before the due day will move with the due day; any other reminder is
 * stored as a fixed instant.
 */
export function reminderChanges(todo: Dates, chosen: WallTime | null, zone: string): Partial<TodoFields> {
  const before = reminderTime(todo, zone)
  // An unchanged reminder keeps its seconds, which the screen does not show.
  if (before?.day === chosen?.day && before?.time === chosen?.time) return {}
  const reminder = chosen && todo.due_day !== null ? reminderAt(chosen, todo.due_day) : undefined
  if (reminder || chosen === null) return { reminder: reminder ?? null }
  return { remind_at: remindAt(chosen, zone) }
}

/** The instant as it is sent; null if it is out of range (before 2000). */
function remindAt(chosen: WallTime, zone: string): string | null {
  return remindAtSchema.safeParse(instantToWire(instantOfWallTime(chosen, zone))).data ?? null
}

/** Whether the chosen time has passed, so that no reminder would come. */
export function hasPassed(chosen: WallTime, zone: string, now: Instant): boolean {
  return instantOfWallTime(chosen, zone) <= now
}
