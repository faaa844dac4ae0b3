import { type Instant, instantFromWire } from '#platform/calendar/day.ts'
import { editedValues } from '#platform/wire/synced-row.ts'
import type { Todo } from '../todo/todo.ts'
import { todoRow } from '../todo/todo-row.ts'

/** The fields that a copy takes over from a to-do. A reminder in the past is dropped, as it would never fire. */
export function copiedTodo(todo: Todo, now: Instant) {
  const { reminder, remind_at, ...fields } = editedValues(todoRow, todo)
  const isAhead = remind_at !== null && instantFromWire(remind_at) > now
  const when = reminder ? { reminder } : { remind_at: isAhead ? remind_at : null }
  return { ...fields, ...when, tags: todo.tags }
}
