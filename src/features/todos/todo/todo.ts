import * as z from 'zod/mini'
import { nonesOf, wireShape } from '#platform/wire/synced-row.ts'
import { occurrencesShape } from '../repeat/rule/occurrences.ts'
import { todoRow } from './todo-row.ts'

/**
 * A task with a title, open or completed, as responses contain it. For a repeating to-do, `due_day` and `completed` are as of the
 * person's current day.
 */
export const todoSchema = z.object({ ...wireShape(todoRow), ...occurrencesShape })
export type Todo = z.infer<typeof todoSchema>

/** The value that each field of a to-do gets if this version cannot read the value that was sent. */
export const todoNones = {
  ...nonesOf(todoRow),
  missed: undefined,
  settled: undefined,
  settled_from: undefined,
  done_before: undefined,
  missed_before: undefined,
  day: null,
}

/** How many to-dos are completed in total, and in each list that has any, by its id. */
export const completedTotalsSchema = z.object({
  total: z.number(),
  by_list: z.record(z.string(), z.number()),
})
export type CompletedTotals = z.infer<typeof completedTotalsSchema>
