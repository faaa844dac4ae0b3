import type { Todo } from '#features/todos/todo/todo.ts'
import { reminderAt, reminderTime } from '#features/todos/todo/todo-reminder.ts'
import { remindAtSchema } from '#features/todos/todo/todo-row.ts'
import type { TodoFields } from '#features/todos/todo/web/todo-queries.ts'
import { type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { instantOfWallTime, type WallTime } from '#platform/calendar/wall-time.ts'

type Dates = Pick<Todo, 'due_day' | 'remind_at' | 'reminder'>

/** When a to-do is due: its day and, if it has a reminder on that day, the time of that. */
export function pickedDue(todo: Dates, zone: string): { day: Day; time: number | null } | null {
  const { due_day } = todo
  if (due_day === null) return null
  const reminder = reminderTime(todo, zone)
  return { day: due_day, time: reminder?.day === due_day ? reminder.time : null }
}

/** A reminder that is not on the due day. */
export function reminderElsewhere(todo: Dates, zone: string): WallTime | undefined {
  const reminder = reminderTime(todo, zone)
  return reminder?.day === todo.due_day ? undefined : reminder
}

/**
 * What changes if this is chosen. A reminder on the due day or before it moves along; one at an instant stays. Without a due day it
 * keeps its time.
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

/** On the due day it goes with that; on another day it is set to the time at which it would have come. */
function withoutDue(todo: Dates, zone: string): Partial<TodoFields> {
  if (pickedDue(todo, zone)?.time != null) return { reminder: null }
  const elsewhere = reminderElsewhere(todo, zone)
  return todo.reminder && elsewhere ? { remind_at: remindAt(elsewhere, zone) } : {}
}

/** What changes if the reminder is set to this time, whenever the to-do is due. Up to its due day it moves with that. */
export function reminderChanges(todo: Dates, chosen: WallTime | null, zone: string): Partial<TodoFields> {
  const before = reminderTime(todo, zone)
  // Unchanged, it keeps its seconds, which nobody sees.
  if (before?.day === chosen?.day && before?.time === chosen?.time) return {}
  const reminder = chosen && todo.due_day !== null ? reminderAt(chosen, todo.due_day) : undefined
  if (reminder || chosen === null) return { reminder: reminder ?? null }
  return { remind_at: remindAt(chosen, zone) }
}

/** Null before 2000, when nobody can be reminded. */
function remindAt(chosen: WallTime, zone: string): string | null {
  return remindAtSchema.safeParse(instantToWire(instantOfWallTime(chosen, zone))).data ?? null
}

/** Whether nobody will be reminded at that time, because it is over. */
export function hasPassed(chosen: WallTime, zone: string, now: Instant): boolean {
  return instantOfWallTime(chosen, zone) <= now
}
