import { type KeyboardEvent, useState } from 'react'
import { isPressed } from '#platform/browser/shortcuts.ts'
import type { Day } from '#platform/calendar/day.ts'
import { dayOfMonth, longDay, weekdayLetter } from '#platform/format/format-day.ts'
import { cn } from '#platform/ui/class-names.ts'
import type { Frequency } from '../streak.ts'
import { stripDay, stripEnds } from './habit-shortcuts.ts'

// Seven cells at a fixed distance, however wide the row. In rows up to 40em wide the cells are larger, for a thumb.
const stripLook = 'flex items-center px-1.5 @max-[40em]:px-0'
const placeLook = 'flex min-w-0 items-center'
const cellSize = 'size-5 @max-[40em]:size-6'

/** The seven dates above the columns of the strips. Hidden from screen readers, since the cells announce them too. */
export function StripDates({ days, className }: { days: readonly Day[]; className?: string }) {
  const today = days.at(-1)
  return (
    <div aria-hidden="true" className={cn(stripLook, 'text-small text-ink-3', className)}>
      {days.map((day, index) => (
        <span key={day} className={cn(placeLook, 'justify-end', index > 0 && 'flex-1')}>
          <span
            className={cn(
              'flex w-5 flex-col items-center whitespace-nowrap tabular-nums @max-[40em]:w-6',
              day === today && 'font-semibold text-ink',
            )}
          >
            <span>{weekdayLetter(day)}</span>
            <span>{dayOfMonth(day)}</span>
          </span>
        </span>
      ))}
    </div>
  )
}

interface DayStripProps {
  name: string
  /** The last seven days, ending with today. */
  days: readonly Day[]
  done: readonly Day[]
  startDay: Day
  frequency: Frequency
  /** Whether the current period is completed. */
  completed: boolean
  onSet(day: Day, completed: boolean): void
  className?: string
}

/** The last seven days of a habit, each a button; a single Tab stop, with arrow keys inside. */
export function DayStrip({
  name,
  days,
  done,
  startDay,
  frequency,
  completed,
  onSet,
  className,
}: DayStripProps) {
  const today = days.at(-1)
  const [chosen, setChosen] = useState<Day>()
  const stop = chosen !== undefined && days.includes(chosen) ? chosen : today

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!isPressed(stripDay, event) && !isPressed(stripEnds, event)) return
    const at = stop === undefined ? -1 : days.indexOf(stop)
    const to = days[indexByKey(event.key, at, days.length)]
    if (to === undefined) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus()
  }

  return (
    <div
      role="toolbar"
      aria-label={`${name}, last seven days`}
      onKeyDown={move}
      className={cn(stripLook, className)}
    >
      {days.map((day, index) => {
        const isDone = done.includes(day)
        const joined = index > 0 && isDone && done.includes(days[index - 1] ?? day)
        const look = isDone
          ? 'done'
          : day === today && !completed
            ? 'open'
            : frequency === 'weekly' || day < startDay
              ? 'dot'
              : 'missed'
        return (
          <span key={day} className={cn(placeLook, index > 0 && 'flex-1')}>
            {index > 0 && (
              <span
                className={cn(
                  'h-1 flex-1 origin-left bg-heat-2 transition-transform duration-[160ms] ease-calm forced-colors:bg-[Highlight]',
                  !joined && 'scale-x-0',
                )}
              />
            )}
            <button
              type="button"
              data-day={day}
              aria-label={`${name}, ${longDay(day, today ?? day)}, ${isDone ? 'done' : 'not done'}`}
              aria-pressed={isDone}
              aria-current={day === today ? 'date' : undefined}
              tabIndex={day === stop ? 0 : -1}
              onFocus={() => setChosen(day)}
              onClick={() => onSet(day, !isDone)}
              className={cn(
                'group/day relative shrink-0 outline-none after:absolute after:-inset-1.5 @max-[40em]:after:-inset-2.5',
                cellSize,
              )}
            >
              <span className={cn(cellLook, looks[look])} />
            </button>
          </span>
        )
      })}
    </div>
  )
}

const cellLook = cn(
  'absolute inset-0 rounded-box transition-[background-color,box-shadow] duration-[120ms]',
  'group-focus-visible/day:outline-2 group-focus-visible/day:outline-offset-2 group-focus-visible/day:outline-accent',
)

const looks = {
  done: 'bg-accent group-hover/day:bg-accent-hover forced-colors:bg-[Highlight]',
  missed:
    'shadow-[inset_0_0_0_1.5px_var(--edge)] group-hover/day:shadow-[inset_0_0_0_1.5px_var(--accent)] forced-colors:border',
  open: 'bg-raised shadow-[inset_0_0_0_1.5px_var(--accent)] forced-colors:border-2',
  // Not done, but not missed: a day of a weekly habit, or one before the habit began.
  dot: cn(
    'before:absolute before:inset-0 before:m-auto before:size-1 before:rounded-full before:bg-edge forced-colors:before:bg-[CanvasText]',
    'group-hover/day:shadow-[inset_0_0_0_1.5px_var(--accent)]',
  ),
} as const

function indexByKey(key: string, at: number, count: number): number {
  if (key === 'ArrowLeft') return at - 1
  if (key === 'ArrowRight') return at + 1
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return -1
}
