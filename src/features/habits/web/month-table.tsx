import type { Day } from '#platform/calendar/day.ts'
import { monthsOf } from '#platform/calendar/year-of-days.ts'
import { monthAndYear } from '#platform/ui/day-words.ts'
import { HiddenTable } from '#platform/ui/hidden-table.tsx'
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
  const rows = months.map(({ month, ...range }) => {
    const inDays = { frequency: 'daily', weekStart: 1 } as const
    const { done, due } = keptBetween(days, range, habit.start_date, today, inDays)
    return { about: monthAndYear(month), cells: daily ? [done, due] : [done] }
  })
  return (
    <HiddenTable
      caption={`${habit.name}, past year by month`}
      head={daily ? ['Month', 'Days done', 'Days due'] : ['Month', 'Days done']}
      rows={rows}
    />
  )
}
