import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react'
import { isPressed } from '#platform/browser/keyboard/shortcuts.ts'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import { dayByKey, monthNames } from '#platform/calendar/year-of-days.ts'
import { shortMonth } from '#platform/format/words.ts'
import { cn } from '../class-names.ts'
import { yearDay, yearEnds, yearMonth, yearWeek, yearWeekEnds } from './year-shortcuts.ts'

const shortcuts = [yearDay, yearWeek, yearMonth, yearWeekEnds, yearEnds]

/**
 * The behaviour that all year grids share, whatever their cells show: weeks as columns, one tab stop, arrow keys from day to
 * day, Home and End along a row, Page Up and Page Down by a month, and the cell under the pointer or the keyboard focus for
 * a `DayTip`. Each cell has its day in `data-day`; the box around the grid has `data-map`. `last` is the latest day shown.
 * `start` is the tab stop until a day is chosen.
 */
export function useYearGrid(weeks: readonly Day[], last: Day, start: Day = last) {
  const [chosen, choose] = useState<Day>()
  const [pointed, point] = useState<HTMLElement>()
  const first = weeks[0] ?? last
  const isShown = (day: Day) => day >= first && day <= last
  const stop = chosen !== undefined && isShown(chosen) ? chosen : isShown(start) ? start : last
  const leave = () => point(undefined)
  return {
    first,
    /** The day that is the only tab stop, and that the line below the grid describes. */
    stop,
    choose,
    pointed,
    leave,
    pressKey(event: KeyboardEvent<HTMLElement>) {
      if (!shortcuts.some((shortcut) => isPressed(shortcut, event))) return
      const to = dayByKey(event.key, stop, weeks, last, event.ctrlKey || event.metaKey)
      if (to === undefined) return
      event.preventDefault()
      event.currentTarget.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus()
    },
    /** Handlers that follow the focus and the pointer. */
    watched: {
      onFocus(event: FocusEvent) {
        const { cell, day } = cellAt(event.target)
        choose(day)
        if (cell?.matches(':focus-visible')) point(cell)
      },
      onBlur: leave,
      onPointerOver(event: PointerEvent) {
        point(event.pointerType === 'mouse' ? cellAt(event.target).cell : undefined)
      },
      onPointerLeave: leave,
    },
  }
}

/** The cell and day of an event target. */
export function cellAt(target: EventTarget): { cell: HTMLElement | undefined; day: Day | undefined } {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-day]') : null
  return { cell: cell ?? undefined, day: daySchema.safeParse(cell?.dataset.day).data }
}

/** Names of the months above a year grid. Visual only, since the name of every day includes its month. */
export function MonthNames({ weeks }: { weeks: readonly Day[] }) {
  return (
    <div aria-hidden="true" className={cn(yearRowLook, 'mb-0.5 text-small text-ink-2')}>
      <span className={yearHeaderLook} />
      {monthNames(weeks).map(({ week, month }) => (
        <span key={month} style={{ gridColumnStart: week + 2 }} className="row-start-1 w-0 whitespace-nowrap">
          {shortMonth(month)}
        </span>
      ))}
    </div>
  )
}

/** The rows of a week. Row 0 is the day on which weeks begin. */
export const weekdayRows = [0, 1, 2, 3, 4, 5, 6] as const

export const yearRowLook = 'col-span-full grid grid-cols-subgrid'
// The header column stays in place while the weeks scroll under it.
export const yearHeaderLook =
  'sticky -left-1 z-1 -ml-1 bg-raised pr-2 pl-1 text-small whitespace-nowrap text-ink-2'
