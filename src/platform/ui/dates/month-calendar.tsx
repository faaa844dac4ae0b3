import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { addDays, type Day, firstChoosable, lastChoosable } from '#platform/calendar/day.ts'
import { addMonths, weeksOfMonth } from '#platform/calendar/month.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'
import {
  dayOfMonth,
  longDate,
  longWeekday,
  monthAndYear,
  weekdayLetter,
} from '#platform/format/format-day.ts'
import { cn } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import { calendarDay, calendarMonth, calendarWeek, calendarWeekEnds } from './date-shortcuts.ts'

interface MonthCalendarProps {
  /** The current day: its month is shown, and it is the only tab stop. */
  at: Day
  /** Called when the keyboard or the arrows at the top move to another day. */
  onMove(day: Day): void
  chosen: Day | undefined
  onChoose(day: Day): void
  today: Day
  weekStart: WeekStart
}

/**
 * A month in six weeks with one tab stop: arrow keys by day and week, Home and End along a week, Page Up and Down by a
 * month.
 */
export function MonthCalendar({ at, onMove, chosen, onChoose, today, weekStart }: MonthCalendarProps) {
  const heading = useId()
  const grid = useRef<HTMLTableElement>(null)
  const movedByKey = useRef(false)
  const weeks = weeksOfMonth(at, weekStart)

  const move = (to: Day) => {
    if (isChoosable(to)) onMove(to)
  }
  const pressKey = (event: KeyboardEvent) => {
    const to = dayByKey(event, at, weekStart)
    if (to === undefined) return
    event.preventDefault()
    movedByKey.current = true
    move(to)
  }
  useEffect(() => {
    if (!movedByKey.current) return
    movedByKey.current = false
    grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus()
  }, [at])

  return (
    <div>
      <div className="flex items-center justify-between gap-2 pb-1">
        <h3 id={heading} aria-live="polite" className="font-semibold text-control text-ink">
          {monthAndYear(at)}
        </h3>
        <span className="-mr-2 flex shrink-0">
          <Button variant="icon" aria-label="Previous month" onClick={() => move(addMonths(at, -1))}>
            <ChevronLeft className="rtl:rotate-180" />
          </Button>
          <Button variant="icon" aria-label="Next month" onClick={() => move(addMonths(at, 1))}>
            <ChevronRight className="rtl:rotate-180" />
          </Button>
        </span>
      </div>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are chosen is a grid
        role="grid"
        aria-labelledby={heading}
        onKeyDown={pressKey}
        className="w-full table-fixed"
      >
        <thead>
          <tr className="text-ink-3 text-small">
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" className="py-1 font-normal">
                <span aria-hidden="true">{weekdayLetter(day)}</span>
                <span className="sr-only">{longWeekday(day)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: the cell of a grid may be selected
                <td key={day} aria-selected={day === chosen} className="p-0">
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === at ? 0 : -1}
                    disabled={!isChoosable(day)}
                    aria-label={day === today ? `${longDate(day)}, today` : longDate(day)}
                    aria-current={day === today ? 'date' : undefined}
                    onClick={() => onChoose(day)}
                    className={cn(dayLook, lookOf(day))}
                  >
                    {dayOfMonth(day)}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )

  function lookOf(day: Day): string {
    if (day === chosen) return chosenLook
    if (day === today) return 'font-semibold text-ink inset-ring-2 inset-ring-accent hover:bg-hover'
    if (day.slice(0, 7) !== at.slice(0, 7)) return 'text-ink-3 hover:bg-hover'
    return day < today ? 'text-ink-2 hover:bg-hover' : 'text-ink hover:bg-hover'
  }
}

const dayLook =
  'block min-h-9 w-full rounded-control text-control tabular-nums transition-colors focus-visible:relative focus-visible:z-1 focus-visible:outline-offset-1 disabled:invisible pointer-coarse:min-h-11'

const chosenLook =
  'bg-ink font-semibold text-paper hover:bg-ink forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]'

function isChoosable(day: Day): boolean {
  return day >= firstChoosable && day <= lastChoosable
}

function dayByKey(event: KeyboardEvent, day: Day, weekStart: WeekStart): Day | undefined {
  const forward = ['ArrowRight', 'ArrowDown', 'PageDown', 'End'].includes(event.key)
  const step = forward ? 1 : -1
  if (isPressed(calendarDay, event)) return addDays(day, step)
  if (isPressed(calendarWeek, event)) return addDays(day, 7 * step)
  if (isPressed(calendarMonth, event)) return addMonths(day, step)
  if (!isPressed(calendarWeekEnds, event)) return undefined
  const place = (weekdayOf(day) - weekStart + 7) % 7
  return addDays(day, forward ? 6 - place : -place)
}
