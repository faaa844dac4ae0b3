import { useMemo } from 'react'
import { usePauses } from '#features/habits/pauses/web/use-pauses.ts'
import { isLeftToDo } from '#features/habits/rhythm/day-state.ts'
import { isDue } from '#features/habits/rhythm/periods.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { dayNumber } from '#platform/calendar/day.ts'
import type { RequestProblem } from '#platform/sync/network/request-problem.ts'
import { type CountedHabit, countHabit } from '../counted-habit.ts'
import type { HabitFacts } from '../habit-facts.ts'
import { useHabits } from './use-habits.ts'

export interface DueHabit {
  habit: HabitFacts
  count: CountedHabit
}

interface HabitsDue {
  /** The due habits in their order, including those that are done; undefined until they are known. */
  due: readonly DueHabit[] | undefined
  problem: RequestProblem | undefined
}

/** The habits due today: habits left to do, and habits that were done or have an entry today. */
export function useHabitsDue(): HabitsDue {
  const { rows, problem } = useHabits()
  const pauses = usePauses()
  const today = useToday()
  const calendar = useUserCalendar()
  const due = useMemo(
    () =>
      pauses &&
      rows?.flatMap((habit): DueHabit[] => {
        const count = countHabit(habit, { today, calendar, pauses })
        const { track, target } = count
        const day = dayNumber(today)
        const hasEntry = target === 'yes' ? track.done.has(day) : track.amounts.has(day)
        const isOfToday = isLeftToDo(track, today) || (hasEntry && isDue(track, day))
        return isOfToday ? [{ habit, count }] : []
      }),
    [rows, pauses, today, calendar],
  )
  return { due, problem }
}
