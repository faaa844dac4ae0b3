import { memo } from 'react'
import { addDays, type Day, daySchema } from '#platform/calendar/day.ts'
import { monthNames } from '#platform/calendar/year-of-days.ts'
import { cn } from '#platform/ui/class-names.ts'
import { longDay, longWeekday, shortMonth, shortWeekday } from '#platform/ui/day-words.ts'

/** The rows of a week, the first of them whatever day weeks begin on. */
export const weekdayRows = [0, 1, 2, 3, 4, 5, 6] as const

const rowLook = 'col-span-full grid grid-cols-subgrid'
// It stays while the weeks scroll under it.
const headerLook = 'sticky -left-1 z-1 -ml-1 bg-raised pr-2 pl-1 text-small whitespace-nowrap text-ink-2'

/** For the eye: every day says its month in words. */
export function MonthNames({ weeks }: { weeks: readonly Day[] }) {
  return (
    <div aria-hidden="true" className={cn(rowLook, 'mb-0.5 text-small text-ink-2')}>
      <span className={headerLook} />
      {monthNames(weeks).map(({ week, month }) => (
        <span key={month} style={{ gridColumnStart: week + 2 }} className="row-start-1 w-0 whitespace-nowrap">
          {shortMonth(month)}
        </span>
      ))}
    </div>
  )
}

interface WeekdayRowProps {
  row: (typeof weekdayRows)[number]
  weeks: readonly Day[]
  done: ReadonlySet<Day>
  startDay: Day
  /** Today, where it can still be done. */
  openDay: Day | undefined
  /** The one day that the Tab key stops at. */
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
    <div role="row" className={rowLook}>
      {weekday !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <span
          role="rowheader"
          aria-label={longWeekday(weekday)}
          className={cn(headerLook, 'h-[11px] leading-[11px]')}
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

// The gap between two cells belongs to them, so that there is no place between days to miss. On touch the chosen one
// wears the ring that elsewhere is the keyboard's.
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

/** The day under a pointer or a focus. */
export function cellAt(target: EventTarget): { cell: HTMLElement | undefined; day: Day | undefined } {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-day]') : null
  return { cell: cell ?? undefined, day: daySchema.safeParse(cell?.dataset.day).data }
}
