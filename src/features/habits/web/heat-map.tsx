import { type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { weeksOfYear } from '#platform/calendar/year-of-days.ts'
import { byTouch } from '#platform/ui/by-touch.ts'
import { cn } from '#platform/ui/class-names.ts'
import { DayTip } from '#platform/ui/day-tip.tsx'
import { cellAt, MonthNames, useYearGrid, weekdayRows } from '#platform/ui/year-grid.tsx'
import type { HabitFacts } from '../counted-habit.ts'
import { DayLine } from './day-line.tsx'
import { WeekdayRow } from './heat-map-rows.tsx'
import { MonthTable } from './month-table.tsx'

interface HeatMapProps {
  habit: HabitFacts
  /** Every day on which it was completed; undefined while they are on their way. */
  days: readonly Day[] | undefined
  /** Whether the current period is. */
  completed: boolean
  today: Day
  weekStart: WeekStart
  onSet(day: Day, completed: boolean): void
}

/**
 * The year up to today, every day of it a button. A finger is too large for the cells, so a touch only chooses a day, and
 * the line underneath sets it.
 */
export function HeatMap({ habit, days, completed, today, weekStart, onSet }: HeatMapProps) {
  const weeks = useMemo(() => weeksOfYear(today, weekStart), [today, weekStart])
  const done = useMemo(() => new Set(days), [days])
  const { first, stop, choose, pointed, leave, pressKey, watched } = useYearGrid(weeks, today)

  // The newest days are what one comes for; the older ones are there to be scrolled to.
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ left: scroller.current.scrollWidth })
  }, [])

  const press = (event: MouseEvent) => {
    const { day } = cellAt(event.target)
    if (day === undefined || days === undefined) return
    if (byTouch(event)) choose(day)
    else onSet(day, !done.has(day))
  }

  return (
    <div data-map="" className="relative">
      <div ref={scroller} className="@container -m-1 overflow-x-auto p-1 [scrollbar-width:thin]">
        {/* biome-ignore lint/a11y/useSemanticElements: cells that are pressed make a grid, not a table */}
        <div
          role="grid"
          aria-label={`${habit.name}, past year`}
          aria-busy={days === undefined}
          onKeyDown={pressKey}
          onClick={press}
          {...watched}
          className={cn(
            'grid w-max min-w-full gap-[2px]',
            // Where not all weeks have room, the weekdays take what is left beside whole weeks: no sliver of one stands there.
            'grid-cols-[minmax(calc(2rem_+_mod(100cqi_-_2rem,13px)),1fr)_repeat(54,11px)]',
          )}
        >
          <MonthNames weeks={weeks} />
          {weekdayRows.map((row) => (
            <WeekdayRow
              key={row}
              row={row}
              weeks={weeks}
              done={done}
              startDay={habit.start_date}
              openDay={completed ? undefined : today}
              stop={stop}
              today={today}
            />
          ))}
        </div>
      </div>
      <DayTip cell={pointed} onClose={leave} />
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
