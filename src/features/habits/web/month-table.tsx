import type { Day } from '#platform/calendar/day.ts'
import { monthsOf } from '#platform/calendar/year-of-days.ts'
import { monthAndYear } from '#platform/format/format-day.ts'
import { HiddenTable } from '#platform/ui/charts/hidden-table.tsx'
import type { HabitFacts } from '../counted-habit.ts'
import { countPeriods } from '../streak.ts'

interface MonthTableProps {
  habit: HabitFacts
  days: readonly Day[]
  weeks: readonly Day[]
  today: Day
}

/** The year with a row for each month, for people who would otherwise have to step through its days one by one. */
export function MonthTable({ habit, days, weeks, today }: MonthTableProps) {
  const daily = habit.frequency === 'daily'
  const months = monthsOf(weeks, today).filter(({ to }) => to >= habit.start_date)
  const rows = months.map(({ month, ...range }) => {
    const inDays = { frequency: 'daily', weekStart: 1 } as const
    const { done, due } = countPeriods(days, range, habit.start_date, today, inDays)
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
