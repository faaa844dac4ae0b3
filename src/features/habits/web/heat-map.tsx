import { type MouseEvent, useMemo } from 'react'
import { isTouch } from '#platform/browser/by-touch.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { weeksOfYear } from '#platform/calendar/year-of-days.ts'
import { longDay } from '#platform/format/format-day.ts'
import { useYearGrid } from '#platform/ui/charts/year-grid.tsx'
import { YearOfButtons } from '#platform/ui/charts/year-of-buttons.tsx'
import type { HabitFacts } from '../counted-habit.ts'
import { DayLine } from './day-line.tsx'
import { MonthTable } from './month-table.tsx'

interface HeatMapProps {
  habit: HabitFacts
  /** Every day on which it was completed; undefined while they are loading. */
  days: readonly Day[] | undefined
  /** Whether the current period is completed. */
  completed: boolean
  today: Day
  weekStart: WeekStart
  onSet(day: Day, completed: boolean): void
}

/**
 * The year up to today, with a button for every day. A finger is too large for the cells, so a touch only selects a
 * day, and the line below sets it.
 */
export function HeatMap({ habit, days, completed, today, weekStart, onSet }: HeatMapProps) {
  const weeks = useMemo(() => weeksOfYear(today, weekStart), [today, weekStart])
  const done = useMemo(() => new Set(days), [days])
  const grid = useYearGrid(weeks, today)
  const { first, stop, choose } = grid

  const press = (day: Day, event: MouseEvent) => {
    if (days === undefined) return
    if (isTouch(event)) choose(day)
    else onSet(day, !done.has(day))
  }
  const dayOf = (day: Day) => {
    if (done.has(day)) return { look: 'done', words: 'done', pressed: true } as const
    // Before the habit began nothing was missed.
    const look = day === today && !completed ? 'open' : day < habit.start_date ? 'dot' : 'blank'
    return { look, words: 'not done', pressed: false } as const
  }

  return (
    <div data-map="" className="relative">
      <YearOfButtons
        label={`${habit.name}, past year`}
        busy={days === undefined}
        weeks={weeks}
        last={today}
        today={today}
        grid={grid}
        dayOf={dayOf}
        nameOf={longDay}
        onPress={press}
      />
      {days && (
        <>
          <DayLine
            day={stop}
            done={done.has(stop)}
            first={first}
            today={today}
            onMove={choose}
            onSet={onSet}
          />
          <MonthTable habit={habit} days={days} weeks={weeks} today={today} />
        </>
      )}
    </div>
  )
}
