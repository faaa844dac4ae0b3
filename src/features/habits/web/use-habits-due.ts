import { useMemo } from 'react'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import type { RequestProblem } from '#platform/sync/network/request-problem.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { countHabit, type HabitFacts } from '../counted-habit.ts'
import { habitList } from './habit-queries.ts'

export interface HabitsDue {
  /** In their own order, also those that are done; undefined until they are known. */
  due: readonly { habit: HabitFacts; done: boolean }[] | undefined
  problem: RequestProblem | undefined
}

/** The habits of the person's day: the daily ones, and the weekly ones unless another day of the week has seen to them. */
export function useHabitsDue(): HabitsDue {
  const { rows, problem } = useCollection(habitList)
  const today = useToday()
  const { weekStart } = useUserCalendar()
  const due = useMemo(
    () =>
      rows?.flatMap((habit) => {
        const { completed, recent } = countHabit(habit, today, weekStart)
        const byAnotherDay = completed && !recent.includes(today)
        return byAnotherDay ? [] : [{ habit, done: completed }]
      }),
    [rows, today, weekStart],
  )
  return { due, problem }
}
