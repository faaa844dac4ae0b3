import { useNavigate, useSearch } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Measure } from '../day-figure.ts'
import type { HabitScope } from '../habit-scope.ts'

/**
 * What makes a link of an `a` that leads to the list behind a number. Hundreds of days are such links, too many for each to
 * watch the address as the router's own do.
 */
export function useListLink() {
  const navigate = useNavigate()
  const { range } = useSearch({ strict: false })
  return (measure: Measure, { from, to }: DayRange, { habit, daily }: HabitScope = {}) => ({
    href: `/analytics/${measure}?${new URLSearchParams({ from, to, ...(habit && { habit }), ...(daily && { daily: '1' }), ...(range && { range: String(range) }) })}`,
    onClick(event: MouseEvent) {
      const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
      if (elsewhere || event.defaultPrevented) return
      event.preventDefault()
      void navigate({
        to: `/analytics/${measure}`,
        search: { from, to, ...(habit && { habit }), ...(daily && { daily }), ...(range && { range }) },
      })
    },
  })
}
