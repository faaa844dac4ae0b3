import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import { nonesOf, wireShape } from '#platform/wire/synced-row.ts'
import { occurrencesShape } from './occurrences.ts'
import { todoRow } from './todo-row.ts'

/** A task with a title, open or completed, as it is sent. Of one that repeats, `due_day` and `completed` are those of today. */
export const todoSchema = z.object({ ...wireShape(todoRow), ...occurrencesShape })
export type Todo = z.infer<typeof todoSchema>

/** What of a to-do reads as what, where a form is not known. */
export const todoNones = {
  ...nonesOf(todoRow),
  ...{ missed: undefined, settled: undefined, settled_from: undefined },
  ...{ done_before: undefined, missed_before: undefined, day: null },
}

/** How many are completed in all, and in each list that has any, by its id. */
export const completedTotalsSchema = z.object({
  total: z.number(),
  by_list: z.record(z.string(), z.number()),
})
export type CompletedTotals = z.infer<typeof completedTotalsSchema>

/** `completed` comes with `done=recent`, which leaves out what was completed more than 30 days ago. */
export const todoListSchema = z.object({
  todos: z.array(todoSchema),
  completed: z.optional(completedTotalsSchema),
})

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
