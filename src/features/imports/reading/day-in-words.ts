import type { Day } from '#platform/calendar/day.ts'
import { capitalized } from '#platform/format/words.ts'
import { english } from '#platform/language/english.ts'

// The reasons that readers give contain dates. They are written here, so that the readers do not depend on how screens format
// days.

/** A date: '20 November 2026'. */
export function dayInWords(day: Day): string {
  const month = english.months[Number(day.slice(5, 7)) - 1]?.[0] ?? ''
  return `${Number(day.slice(8))} ${capitalized(month)} ${day.slice(0, 4)}`
}

/** A date without the year if that is the current one: '30 November'. */
export function comingDayInWords(day: Day, today: Day): string {
  const written = dayInWords(day)
  return day.slice(0, 4) === today.slice(0, 4) ? written.slice(0, -' 2026'.length) : written
}
