import * as z from 'zod/mini'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { type ErrorResponse, notFound } from '#platform/http/error-response.ts'
import { refuseTooManyRows } from '#platform/http/too-many-rows.ts'
import { type Habit, habitSchema } from '../habit.ts'

export const oneHabitSchema = z.object({ habit: habitSchema })

/** The answer to a write: the habit as it is then. */
export function answerHabit(
  habit: Habit | undefined | TooManyRows,
): { status: 200; body: { habit: Habit } } | ErrorResponse {
  if (habit instanceof TooManyRows) return refuseTooManyRows(habit)
  return habit ? { status: 200, body: { habit } } : notFound
}
