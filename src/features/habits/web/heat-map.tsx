import { type MouseEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { isTouch } from '#platform/browser/by-touch.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { weeksOfYear } from '#platform/calendar/year-of-days.ts'
import { cellAt, MonthNames, useYearGrid, weekdayRows } from '#platform/ui/charts/year-grid.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { DayTip } from '#platform/ui/overlays/day-tip.tsx'
import type { HabitFacts } from '../counted-habit.ts'
import { DayLine } from './day-line.tsx'
import { WeekdayRow } from './heat-map-rows.tsx'
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
  const { first, stop, choose, pointed, leave, pressKey, watched } = useYearGrid(weeks, today)

  // People come for the newest days, so those are in view first; the older ones can be scrolled to.
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ left: scroller.current.scrollWidth })
  }, [])

  const press = (event: MouseEvent) => {
    const { day } = cellAt(event.target)
    if (day === undefined || days === undefined) return
    if (isTouch(event)) choose(day)
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
            // If not all weeks fit, the weekday column takes what is left beside whole weeks, so that no week is cut
            // off.
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
