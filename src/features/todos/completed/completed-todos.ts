import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import { todoSchema } from '../todo/todo.ts'

/**
 * `todos`: the newest 50 of the range, or the next 50 before `before`. `days`: every day of the range, or with the range 'all'
 * the days of those `todos`. `day`: the occurrence of a repeating to-do that was completed; null for other to-dos.
 */
export const completedTodosSchema = z.object({
  count: z.number(),
  days: z.array(z.object({ day: z.string(), count: z.number() })),
  todos: z.array(z.extend(todoSchema, { completed_on: daySchema, day: z.nullable(daySchema) })),
})
export type CompletedTodos = z.infer<typeof completedTodosSchema>

/** Identifies a completion, because a repeating to-do has many. `day`: the occurrence. */
export function completionKey({ id, day }: { id: string; day: string | null }): string {
  return day === null ? id : `${id}:${day}`
}
