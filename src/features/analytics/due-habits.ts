import type { HabitsDue } from '#features/habits/habit.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { HabitDay } from './insights.ts'

export interface DueHabit extends HabitDay {
  frequency: 'daily' | 'weekly'
}

/**
 * Each habit on each day on which it was due: the days in order, and on each the habits in the order of their list. Of many
 * habits an answer holds some days alone, so it is asked until there are no more; what they are called is said once, unless
 * one comes or goes meanwhile.
 */
export async function allDue(
  from: Day,
  readFrom: (first: Day, list: string | undefined) => Promise<HabitsDue>,
): Promise<DueHabit[]> {
  const due: DueHabit[] = []
  let list: string | undefined
  let named: NonNullable<HabitsDue['habits']> = []
  for (let next: Day | null = from; next !== null; ) {
    const page: HabitsDue = await readFrom(next, list)
    list = page.list
    named = page.habits ?? named
    for (const row of dueOf(named, page.days)) due.push(row)
    next = page.next
  }
  return due
}

function dueOf(habits: NonNullable<HabitsDue['habits']>, days: HabitsDue['days']): DueHabit[] {
  return days.flatMap(({ day, completed, missed }) => {
    const done = new Set(completed)
    return [...completed, ...missed]
      .toSorted((a, b) => a - b)
      .flatMap((place) => {
        const habit = habits[place]
        return habit ? [{ day, ...habit, completed: done.has(place) }] : []
      })
  })
}
