import { useNavigate, useSearch } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Metric } from './day-value.ts'
import type { HabitScope } from './habit-scope.ts'

/**
 * Returns the `href` and click handler of a link to the list behind a number. A screen has hundreds of these links, too many for
 * each to watch the URL as the router's own links do.
 */
export function useListLink() {
  const navigate = useNavigate()
  const { range } = useSearch({ strict: false })
  return (metric: Metric, { from, to }: DayRange, { habit, daily }: HabitScope = {}) => ({
    href: `/analytics/${metric}?${new URLSearchParams({ from, to, ...(habit && { habit }), ...(daily && { daily: '1' }), ...(range && { range: String(range) }) })}`,
    onClick(event: MouseEvent) {
      const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
      if (elsewhere || event.defaultPrevented) return
      event.preventDefault()
      void navigate({
        to: `/analytics/${metric}`,
        search: { from, to, ...(habit && { habit }), ...(daily && { daily }), ...(range && { range }) },
      })
    },
  })
}
