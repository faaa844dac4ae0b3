import * as z from 'zod/mini'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import { changedResponse } from '#platform/http/row-calls/row-calls.ts'
import { type Habit, habitSchema } from '../habit.ts'

export const oneHabitSchema = z.object({ habit: habitSchema })

/** The response to a write: the habit as it is afterwards. */
export function habitResponse(habit: Habit | undefined | TooManyRows) {
  return changedResponse(habit, (habit) => ({ habit }))
}
