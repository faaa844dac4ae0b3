import type { Day } from '#platform/calendar/day.ts'
import { monthsOf } from '#platform/calendar/year-of-days.ts'
import { monthAndYear } from '#platform/ui/day-words.ts'
import type { HabitFacts } from '../counted-habit.ts'
import { keptBetween } from '../streak.ts'

interface MonthTableProps {
  habit: HabitFacts
  days: readonly Day[]
  weeks: readonly Day[]
  today: Day
}

/** The year in a line for each month, for those who would have to walk through its days one by one. */
export function MonthTable({ habit, days, weeks, today }: MonthTableProps) {
  const daily = habit.frequency === 'daily'
  const months = monthsOf(weeks, today).filter(({ to }) => to >= habit.start_date)
  return (
    <table className="sr-only">
      <caption>{`${habit.name}, the year by month`}</caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Days done</th>
          {daily && <th scope="col">Days due</th>}
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, ...range }) => {
          const inDays = { frequency: 'daily', weekStart: 1 } as const
          const { done, due } = keptBetween(days, range, habit.start_date, today, inDays)
          return (
            <tr key={month}>
              <th scope="row">{monthAndYear(month)}</th>
              <td>{done}</td>
              {daily && <td>{due}</td>}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
