import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { dayByKey, weeksOfYear } from '#platform/calendar/year-of-days.ts'
import { DayTip } from '#platform/ui/day-tip.tsx'
import type { HabitFacts } from '../counted-habit.ts'
import { DayLine } from './day-line.tsx'
import { cellAt, MonthNames, WeekdayRow, weekdayRows } from './heat-map-rows.tsx'
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
 * The year up to today, weeks as columns, every day of it a button. One stop of the Tab key: arrow keys lead from day to
 * day, Home and End along a row, Page Up and Page Down by a month. A finger is too large for the cells, so a touch only
 * chooses a day, and the line underneath sets it.
 */
export function HeatMap({ habit, days, completed, today, weekStart, onSet }: HeatMapProps) {
  const weeks = useMemo(() => weeksOfYear(today, weekStart), [today, weekStart])
  const done = useMemo(() => new Set(days), [days])
  const [chosen, setChosen] = useState<Day>()
  const [pointed, setPointed] = useState<HTMLElement>()
  const first = weeks[0] ?? today
  const stop = chosen !== undefined && chosen >= first && chosen <= today ? chosen : today

  // The newest days are what one comes for; the older ones are there to be scrolled to.
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ left: scroller.current.scrollWidth })
  }, [])

  const pressKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey) return
    const to = dayByKey(event.key, stop, weeks, today, event.ctrlKey || event.metaKey)
    if (to === undefined) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus()
  }
  const press = (event: MouseEvent) => {
    const { day } = cellAt(event.target)
    if (day === undefined || days === undefined) return
    const native: Event = event.nativeEvent
    if ('pointerType' in native && native.pointerType === 'touch') setChosen(day)
    else onSet(day, !done.has(day))
  }
  const focus = (event: FocusEvent) => {
    const { cell, day } = cellAt(event.target)
    setChosen(day)
    if (cell?.matches(':focus-visible')) setPointed(cell)
  }

  return (
    <div data-map="" className="relative">
      <div ref={scroller} className="-m-1 overflow-x-auto p-1 [scrollbar-width:thin]">
        {/* biome-ignore lint/a11y/useSemanticElements: cells that are pressed make a grid, not a table */}
        <div
          role="grid"
          aria-label={`${habit.name}, the year`}
          aria-busy={days === undefined}
          onKeyDown={pressKey}
          onClick={press}
          onFocus={focus}
          onBlur={() => setPointed(undefined)}
          onPointerOver={(event) =>
            setPointed(event.pointerType === 'mouse' ? cellAt(event.target).cell : undefined)
          }
          onPointerLeave={() => setPointed(undefined)}
          className="grid w-max min-w-full grid-cols-[minmax(2rem,1fr)_repeat(54,11px)] gap-[2px]"
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
      <DayTip cell={pointed} onClose={() => setPointed(undefined)} />
      {days && (
        <>
          <DayLine
            day={stop}
            done={done.has(stop)}
            first={first}
            today={today}
            onMove={setChosen}
            onSet={onSet}
          />
          <MonthTable habit={habit} days={days} weeks={weeks} today={today} />
        </>
      )}
    </div>
  )
}
