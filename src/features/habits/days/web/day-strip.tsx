import { type KeyboardEvent, useState } from 'react'
import type { ChosenState } from '#features/habits/habit/habit-facts.ts'
import {
  editHabitDay,
  skipHabitDay,
  stripDay,
  stripEnds,
} from '#features/habits/habit/web/habit-shortcuts.ts'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import type { Day } from '#platform/calendar/day.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import { dayOfMonth, longDay, weekdayLetter } from '#platform/format/format-day.ts'
import { cn } from '#platform/ui/class-names.ts'
import { type DayLook, isJoined } from './day-looks.ts'
import { PartFill, PauseSign } from './part-fill.tsx'
import { useHold } from './use-hold.ts'

// Seven cells at a fixed distance, however wide the row is. In rows up to 40em wide, the cells are larger, for a thumb.
const stripLook = 'flex items-center px-1.5 @max-[40em]:px-0'
const placeLook = 'flex min-w-0 items-center'
const cellSize = 'size-5 @max-[40em]:size-6'

/** The seven dates above the columns of the strips. Hidden from screen readers, since the cells announce their dates. */
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
  /** The last seven days, ending with today, each with how it is drawn. */
  days: readonly (DayLook & { day: Day })[]
  /** The weekday on which weeks begin, for a habit that counts weeks: a line separates two weeks. */
  weeksFrom: WeekStart | undefined
  onSet(day: Day, state: ChosenState): void
  /** Opens the details of a day beside its cell. */
  onEdit(day: Day, cell: HTMLElement): void
  className?: string
}

/** The last seven days of a habit, each a button; a single Tab stop, with arrow keys inside. */
export function DayStrip({ name, days, weeksFrom, onSet, onEdit, className }: DayStripProps) {
  const today = days.at(-1)?.day
  const [chosen, setChosen] = useState<Day>()
  const stop = days.some(({ day }) => day === chosen) ? chosen : today
  const hold = useHold()
  const looks = days.map(({ look }) => look)

  const skip = ({ day, look }: (typeof days)[number]) => onSet(day, look === 'skipped' ? 'none' : 'skipped')
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = days.findIndex(({ day }) => day === stop)
    const of = days[at]
    if (of && !event.repeat && isPressed(skipHabitDay, event)) skip(of)
    else if (of && isPressed(editHabitDay, event) && event.target instanceof HTMLElement)
      onEdit(of.day, event.target)
    else if (isPressed(stripDay, event) || isPressed(stripEnds, event)) {
      const to = days[indexByKey(event.key, at, days.length)]?.day
      if (to === undefined) return
      event.currentTarget.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus()
    } else return
    event.preventDefault()
  }
  return (
    <div
      role="toolbar"
      aria-label={`${name}, last seven days`}
      onKeyDown={press}
      className={cn(stripLook, className)}
    >
      {days.map((each, index) => {
        const { day, look, part, isLimit, words } = each
        return (
          <span key={day} className={cn(placeLook, index > 0 && 'flex-1')}>
            {index > 0 && (
              <span className="pointer-events-none relative h-1 flex-1">
                <span
                  className={cn(
                    'absolute inset-0 origin-left bg-heat-2 transition-transform duration-[160ms] ease-calm forced-colors:bg-[Highlight]',
                    !isJoined(looks, index) && 'scale-x-0',
                  )}
                />
                {weekdayOf(day) === weeksFrom && (
                  <span aria-hidden="true" className="absolute -inset-y-2 inset-x-0 mx-auto w-px bg-line" />
                )}
              </span>
            )}
            <button
              type="button"
              data-day={day}
              aria-label={`${name}, ${longDay(day, today ?? day)}, ${words}`}
              aria-pressed={look === 'done'}
              aria-current={day === today ? 'date' : undefined}
              tabIndex={day === stop ? 0 : -1}
              onFocus={() => setChosen(day)}
              {...hold({
                onPress: () => onSet(day, look === 'done' ? 'none' : 'done'),
                onHold: () => skip(each),
                onMenu: (cell) => onEdit(day, cell),
              })}
              className={cn(
                'group/day relative shrink-0 touch-manipulation select-none outline-none [-webkit-touch-callout:none] after:absolute after:-inset-1.5 @max-[40em]:after:-inset-2.5',
                cellSize,
              )}
            >
              <DayCell look={look} part={part} isLimit={isLimit} isToday={day === today} />
            </button>
          </span>
        )
      })}
    </div>
  )
}

/** The square of a day. Its parent must be positioned and have a size. */
export function DayCell({ look, part, isLimit, isToday }: Omit<DayLook, 'words'> & { isToday: boolean }) {
  return (
    <span className={cn(cellLook, (isToday && todayLooks[look]) || looks[look])}>
      <PartFill part={part} isLimit={isLimit} />
      {look === 'paused' && <PauseSign />}
    </span>
  )
}

const cellLook = cn(
  'absolute inset-0 rounded-box transition-[background-color,box-shadow] duration-[120ms]',
  'group-focus-visible/day:outline-2 group-focus-visible/day:outline-offset-2 group-focus-visible/day:outline-accent',
)

const mark = 'before:absolute before:inset-0 before:m-auto'
const hovered = 'group-hover/day:shadow-[inset_0_0_0_1.5px_var(--accent)]'
const hollow = cn('shadow-[inset_0_0_0_1.5px_var(--edge)] forced-colors:border', hovered)
const openLook = 'bg-raised shadow-[inset_0_0_0_1.5px_var(--accent)] forced-colors:border-2'
const dashed = 'border-[1.5px] border-dashed border-edge group-hover/day:border-accent'

const looks: Record<DayLook['look'], string> = {
  done: 'bg-accent group-hover/day:bg-accent-hover forced-colors:bg-[Highlight]',
  part: hollow,
  missed: hollow,
  open: openLook,
  skipped: cn(
    mark,
    'bg-heat-0 before:h-0.5 before:w-2 before:rounded-full before:bg-ink-2 forced-colors:before:bg-[CanvasText]',
    hovered,
  ),
  paused: hovered,
  unknown: dashed,
  // A small ring: the day may be done, but is not asked for.
  free: cn(
    mark,
    'before:size-1.5 before:rounded-full before:border before:border-edge forced-colors:before:border-[CanvasText]',
    hovered,
  ),
  'not due': cn(
    mark,
    'before:size-1 before:rounded-full before:bg-edge forced-colors:before:bg-[CanvasText]',
    hovered,
  ),
}

const todayLooks: Partial<Record<DayLook['look'], string>> = {
  part: openLook,
  unknown: 'border-[1.5px] border-dashed border-accent bg-raised',
}

function indexByKey(key: string, at: number, count: number): number {
  if (key === 'ArrowLeft') return at - 1
  if (key === 'ArrowRight') return at + 1
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return -1
}
