import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import { todoSchema } from '../todo/todo.ts'

/**
 * `todos`: the newest 50 of the range, or the 50 next older ones than `before`. `days`: every day of the range, or of all days
 * those of `todos`. `day`: which occurrence of a to-do that repeats was completed; null for others.
 */
export const completedTodosSchema = z.object({
  count: z.number(),
  days: z.array(z.object({ day: z.string(), count: z.number() })),
  todos: z.array(z.extend(todoSchema, { completed_on: daySchema, day: z.nullable(daySchema) })),
})
export type CompletedTodos = z.infer<typeof completedTodosSchema>

/** By what a completion is known: a to-do that repeats has many. `day`: that of the occurrence. */
export function completionKey({ id, day }: { id: string; day: string | null }): string {
  return day === null ? id : `${id}:${day}`
}
