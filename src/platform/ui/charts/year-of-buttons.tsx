import {
  type ComponentProps,
  type CSSProperties,
  type MouseEvent,
  memo,
  useLayoutEffect,
  useRef,
} from 'react'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { longWeekday, shortWeekday } from '#platform/format/format-day.ts'
import { cn } from '../class-names.ts'
import { DayTip } from '../overlays/day-tip.tsx'
import {
  cellAt,
  MonthNames,
  type useYearGrid,
  weekdayRows,
  yearHeaderLook,
  yearRowLook,
} from './year-grid.tsx'

/** The look of a day and its description for screen readers. */
export interface YearDay {
  look: keyof typeof yearDayLooks
  /** The description, such as 'done'. */
  words: string
  /** Whether the day is pressed; undefined if it cannot be pressed. */
  pressed: boolean | undefined
}

interface YearOfButtonsProps {
  label: string
  busy: boolean
  /** The first day of each week, oldest first. */
  weeks: readonly Day[]
  /** The latest day that is shown. */
  last: Day
  today: Day
  grid: ReturnType<typeof useYearGrid>
  dayOf(day: Day): YearDay
  /** The name of a day, such as 'Monday 16 November'. Pass the same function on each render: cells are memoized. */
  nameOf(day: Day, today: Day): string
  onPress(day: Day, event: MouseEvent): void
  /** Replaces the grid's key handler, for keys that do more than move. */
  onKeyDown?: ComponentProps<'div'>['onKeyDown']
}

/** A year with a button for every day, whose columns are weeks. The caller decides what a press does. */
export function YearOfButtons(props: YearOfButtonsProps) {
  const { label, busy, weeks, last, today, grid, dayOf, nameOf, onPress, onKeyDown = grid.pressKey } = props
  // The newest days are in view first, since most visits are for them; older days can be scrolled to.
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    scroller.current?.scrollTo({ left: scroller.current.scrollWidth })
  }, [])
  const columns: CSSProperties & Record<'--weeks', number> = { '--weeks': weeks.length }
  return (
    <>
      <div ref={scroller} className="@container -m-1 overflow-x-auto p-1 [scrollbar-width:thin]">
        {/* biome-ignore lint/a11y/useSemanticElements: cells that are pressed make a grid, not a table */}
        <div
          role="grid"
          aria-label={label}
          aria-busy={busy}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            const { day } = cellAt(event.target)
            if (day !== undefined) onPress(day, event)
          }}
          {...grid.watched}
          style={columns}
          className={cn(
            'grid w-max min-w-full gap-[2px]',
            // If not all weeks fit, the weekday column takes the width left over beside whole weeks, so that no week is cut off.
            'grid-cols-[minmax(calc(2rem_+_mod(100cqi_-_2rem,13px)),1fr)_repeat(var(--weeks),11px)]',
          )}
        >
          <MonthNames weeks={weeks} />
          {weekdayRows.map((row) => {
            const weekday = weeks[0] && addDays(weeks[0], row)
            return (
              // biome-ignore lint/a11y/useSemanticElements: a row of a grid whose cells are pressed, not of a table
              // biome-ignore lint/a11y/useFocusableInteractive: its cells hold the buttons
              <div key={row} role="row" className={yearRowLook}>
                {weekday !== undefined && (
                  // biome-ignore lint/a11y/useSemanticElements: as above
                  // biome-ignore lint/a11y/useFocusableInteractive: as above
                  <span
                    role="rowheader"
                    aria-label={longWeekday(weekday)}
                    className={cn(yearHeaderLook, 'h-[11px] leading-[11px]')}
                  >
                    {row % 2 === 0 && row < 6 && shortWeekday(weekday)}
                  </span>
                )}
                {weeks
                  .map((week) => addDays(week, row))
                  .filter((day) => day <= last)
                  .map((day) => (
                    <Cell
                      key={day}
                      day={day}
                      {...dayOf(day)}
                      stop={day === grid.stop}
                      today={today}
                      nameOf={nameOf}
                    />
                  ))}
              </div>
            )
          })}
        </div>
      </div>
      <DayTip cell={grid.pointed} onClose={grid.leave} />
    </>
  )
}

interface CellProps extends YearDay {
  day: Day
  /** Whether this day is in the Tab order; only one day of the grid is. */
  stop: boolean
  today: Day
  nameOf(day: Day, today: Day): string
}

const Cell = memo(function Cell({ day, look, words, pressed, stop, today, nameOf }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: the button inside takes the focus
    <div role="gridcell" className="h-[11px]">
      <button
        type="button"
        data-day={day}
        data-stop={stop || undefined}
        aria-label={`${nameOf(day, today)}, ${words}`}
        aria-pressed={pressed}
        aria-disabled={pressed === undefined || undefined}
        aria-current={day === today ? 'date' : undefined}
        tabIndex={stop ? 0 : -1}
        className={cn(cellLook, yearDayLooks[look])}
      />
    </div>
  )
})

// The gaps between cells belong to the cells, so that a press never falls between two days. On touch, the chosen day shows
// the ring that marks keyboard focus elsewhere.
const cellLook = cn(
  'relative block size-full rounded-cell transition-colors duration-[120ms] after:absolute after:-inset-px',
  'not-aria-disabled:hover:shadow-[0_0_0_1px_var(--accent)] focus-visible:z-1 focus-visible:outline-offset-1',
  'pointer-coarse:data-stop:outline-2 pointer-coarse:data-stop:outline-offset-1 pointer-coarse:data-stop:outline-accent',
)

const mark = 'before:absolute before:inset-0 before:m-auto'

/** The looks of a day, which differ in shape as well as color. */
export const yearDayLooks = {
  done: 'bg-heat-4 forced-colors:bg-[Highlight]',
  /** A day on which a habit was not done. */
  blank: 'bg-heat-0 forced-colors:border',
  open: 'shadow-[inset_0_0_0_1.5px_var(--accent)] forced-colors:border-2',
  /** A day on which nothing was due. */
  dot: cn(mark, 'before:size-0.5 before:rounded-full before:bg-edge forced-colors:before:bg-[CanvasText]'),
  skipped: cn(
    mark,
    'bg-heat-0 before:h-[1.5px] before:w-[5px] before:bg-ink-2 forced-colors:before:bg-[CanvasText]',
  ),
  missed: 'shadow-[inset_0_0_0_1.5px_var(--edge)] forced-colors:border',
  /** A day on which only part of what was due was done. */
  part: cn(
    'shadow-[inset_0_0_0_1px_var(--edge)] before:absolute before:inset-x-[2px] before:bottom-[2px] before:h-[4px] before:rounded-[1px] before:bg-heat-3 forced-colors:border forced-colors:before:bg-[CanvasText]',
  ),
  paused: cn(
    mark,
    'before:h-[7px] before:w-[5px] before:border-x-[1.5px] before:border-edge forced-colors:before:border-[CanvasText]',
  ),
  unknown: 'border border-edge border-dashed',
  /** A day on which the habit could be done but was not due. */
  free: cn(
    mark,
    'before:size-[5px] before:rounded-full before:border before:border-edge forced-colors:before:border-[CanvasText]',
  ),
  due: cn(
    mark,
    'shadow-[inset_0_0_0_1.5px_var(--accent)] before:size-[5px] before:rounded-[1px] before:bg-accent forced-colors:border-2 forced-colors:before:bg-[CanvasText]',
  ),
  coming: cn(
    mark,
    'before:size-[5px] before:rounded-[1.5px] before:bg-edge forced-colors:before:bg-[CanvasText]',
  ),
} as const
