import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import { todoSchema } from '../todo/todo.ts'

/**
 * `todos`: the latest 50 tasks completed in the range, or the 50 before the one that the request names in `before`. `days`:
 * how many were completed on each day of the range; with the range 'all', only the days of these `todos`. `day`: the completed
 * occurrence of a repeating to-do; null for other to-dos.
 */
export const completedTodosSchema = z.object({
  count: z.number(),
  days: z.array(z.object({ day: z.string(), count: z.number() })),
  todos: z.array(z.extend(todoSchema, { completed_on: daySchema, day: z.nullable(daySchema) })),
})
export type CompletedTodos = z.infer<typeof completedTodosSchema>

/**
 * Identifies a completed task. The id alone is not enough, because a repeating to-do is completed many times. `day`: the
 * completed occurrence; null if the to-do does not repeat.
 */
export function completedTaskKey({ id, day }: { id: string; day: string | null }): string {
  return day === null ? id : `${id}:${day}`
}
