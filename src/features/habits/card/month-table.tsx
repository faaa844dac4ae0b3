import type { Day } from '#platform/calendar/day.ts'
import { dayFromNumber } from '#platform/calendar/day.ts'
import { monthsOf } from '#platform/calendar/year-of-days.ts'
import { monthAndYear } from '#platform/format/format-day.ts'
import { HiddenTable } from '#platform/ui/charts/hidden-table.tsx'
import { statesOf } from '../rhythm/day-state.ts'
import type { HabitTrack } from '../rhythm/habit-track.ts'

interface MonthTableProps {
  name: string
  track: HabitTrack
  weeks: readonly Day[]
  today: Day
}

/** The year with one row per month, for screen reader users, who would otherwise have to step through every day. */
export function MonthTable({ name, track, weeks, today }: MonthTableProps) {
  const start = dayFromNumber(track.start)
  const rows = monthsOf(weeks, today)
    .filter(({ to }) => to >= start)
    .map(({ month, ...range }) => {
      const states = Map.groupBy(statesOf(track, range, today), ({ state }) => state)
      const count = (state: 'done' | 'missed' | 'skipped' | 'paused') => states.get(state)?.length ?? 0
      return {
        about: monthAndYear(month),
        cells: [count('done'), count('missed'), count('skipped'), count('paused')],
      }
    })
  return (
    <HiddenTable
      caption={`${name}, past year by month`}
      head={['Month', 'Days done', 'Days missed', 'Days skipped', 'Days paused']}
      rows={rows}
    />
  )
}
