import { useNavigate, useSearch } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Measure } from '../day-figure.ts'

/**
 * What makes a link of an `a` that leads to the list behind a number. Hundreds of days are such links, too many for each to
 * watch the address as the router's own do.
 */
export function useListLink() {
  const navigate = useNavigate()
  const { range } = useSearch({ strict: false })
  return (measure: Measure, { from, to }: DayRange) => ({
    href: `/analytics/${measure}?from=${from}&to=${to}${range === undefined ? '' : `&range=${range}`}`,
    onClick(event: MouseEvent) {
      const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
      if (elsewhere || event.defaultPrevented) return
      event.preventDefault()
      void navigate({ to: `/analytics/${measure}`, search: { from, to, ...(range && { range }) } })
    },
  })
}
