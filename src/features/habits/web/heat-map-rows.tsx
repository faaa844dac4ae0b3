import { memo } from 'react'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { longDay, longWeekday, shortWeekday } from '#platform/format/format-day.ts'
import { type weekdayRows, yearHeaderLook, yearRowLook } from '#platform/ui/charts/year-grid.tsx'
import { cn } from '#platform/ui/class-names.ts'

interface WeekdayRowProps {
  row: (typeof weekdayRows)[number]
  weeks: readonly Day[]
  done: ReadonlySet<Day>
  startDay: Day
  /** Today, if it can still be done. */
  openDay: Day | undefined
  /** The one day in the Tab order. */
  stop: Day
  today: Day
}

/** One weekday through the year. */
export function WeekdayRow({ row, weeks, done, startDay, openDay, stop, today }: WeekdayRowProps) {
  const days = weeks.map((week) => addDays(week, row)).filter((day) => day <= today)
  const weekday = weeks[0] && addDays(weeks[0], row)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of a grid whose cells are pressed, not of a table
    // biome-ignore lint/a11y/useFocusableInteractive: its cells hold the buttons
    <div role="row" className={yearRowLook}>
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
      {days.map((day) => (
        <Cell
          key={day}
          day={day}
          done={done.has(day)}
          look={done.has(day) ? 'done' : day === openDay ? 'open' : day < startDay ? 'dot' : 'missed'}
          stop={day === stop}
          today={today}
        />
      ))}
    </div>
  )
}

interface CellProps {
  day: Day
  done: boolean
  look: keyof typeof looks
  stop: boolean
  today: Day
}

const Cell = memo(function Cell({ day, done, look, stop, today }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: the button inside takes the focus
    <div role="gridcell" className="h-[11px]">
      <button
        type="button"
        data-day={day}
        data-stop={stop || undefined}
        aria-label={`${longDay(day, today)}, ${done ? 'done' : 'not done'}`}
        aria-pressed={done}
        aria-current={day === today ? 'date' : undefined}
        tabIndex={stop ? 0 : -1}
        className={cn(cellLook, looks[look])}
      />
    </div>
  )
})

// The gaps between cells belong to the cells, so that a press never falls between two days. On touch the chosen day has
// the ring that elsewhere shows keyboard focus.
const cellLook = cn(
  'relative block size-full rounded-cell transition-colors duration-[120ms] after:absolute after:-inset-px',
  'hover:shadow-[0_0_0_1px_var(--accent)] focus-visible:z-1 focus-visible:outline-offset-1',
  'pointer-coarse:data-stop:outline-2 pointer-coarse:data-stop:outline-offset-1 pointer-coarse:data-stop:outline-accent',
)

const looks = {
  done: 'bg-heat-4 forced-colors:bg-[Highlight]',
  missed: 'bg-heat-0 forced-colors:border',
  open: 'shadow-[inset_0_0_0_1.5px_var(--accent)] forced-colors:border-2',
  // Before the habit began.
  dot: 'before:absolute before:inset-0 before:m-auto before:size-0.5 before:rounded-full before:bg-edge',
} as const
