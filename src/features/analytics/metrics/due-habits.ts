import type { Habit } from '#features/habits/habit/habit.ts'
import type { HabitsDue } from '#features/habits/past/habits-due.ts'
import { isDueByDay } from '#features/habits/rhythm/rhythm.ts'
import type { Day } from '#platform/calendar/day.ts'

export interface HabitDay {
  day: Day
  id: string
  name: string
  completed: boolean
}

export interface DueHabit extends HabitDay {
  frequency: 'daily' | 'weekly'
}

/**
 * Reads every time that a habit was due, days in order and, within a day, habits in the order of their list. With many habits, a
 * response covers only some of the days, so this requests pages until there are no more. The habits' names come only once, unless
 * a habit is added or removed in the meantime.
 */
export async function readAllDue(
  from: Day,
  readPage: (first: Day, list: string | undefined) => Promise<HabitsDue>,
): Promise<DueHabit[]> {
  const due: DueHabit[] = []
  let list: string | undefined
  let habits: NonNullable<HabitsDue['habits']> = []
  for (let next: Day | null = from; next !== null; ) {
    const page: HabitsDue = await readPage(next, list)
    list = page.list
    habits = page.habits ?? habits
    for (const row of dueOf(habits, page.days)) due.push(row)
    next = page.next
  }
  return due
}

function dueOf(habits: NonNullable<HabitsDue['habits']>, days: HabitsDue['days']): DueHabit[] {
  return days.flatMap(({ day, completed, missed }) =>
    [
      ...completed.map((place) => ({ place, completed: true })),
      ...missed.map((place) => ({ place, completed: false })),
    ]
      .toSorted((a, b) => a.place - b.place)
      .flatMap(({ place, completed }) => {
        const habit = habits[place]
        return habit ? [{ day, ...habit, completed }] : []
      }),
  )
}

/**
 * Only the habits that were due on a particular day. A habit that is due some time in a week counts as missed on the week's last
 * day, which says nothing about that day.
 */
export function dueOnTheDay<Due extends HabitDay>(
  due: readonly Due[],
  habits: readonly Pick<Habit, 'id' | 'rhythms'>[],
): Due[] {
  const rhythmsOf = new Map(habits.map(({ id, rhythms }) => [id, rhythms]))
  return due.filter(({ id, day }) => {
    const rhythms = rhythmsOf.get(id)
    return rhythms !== undefined && isDueByDay(rhythms, day)
  })
}
