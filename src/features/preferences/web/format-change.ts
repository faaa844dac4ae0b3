import type { FocusPlan } from '#features/focus/focus-plan.ts'
import { todoSortNames } from '#features/lists/todo-sort-names.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import type { PreferencesChange } from '../preferences.ts'
import { nameOfTimeZone } from '../time-zone-name.ts'

export const themeNames = { system: 'System', light: 'Light', dark: 'Dark' } as const

export const startPageNames = { todos: 'Todos', today: 'Today' } as const

export const weekdayNames: Record<WeekStart, string> = {
  1: 'Monday',
  2: 'Tuesday',
  3: 'Wednesday',
  4: 'Thursday',
  5: 'Friday',
  6: 'Saturday',
  7: 'Sunday',
}

/** As it stands beside the ring, such as '25 · 5 · long 15 after 4'. */
function formatPlan(plan: FocusPlan): string {
  return `${plan.focus} · ${plan.break} · long ${plan.long_break} after ${plan.every}`
}

/** What was changed, to tell someone that it was not saved. */
export function formatChange(change: PreferencesChange): string {
  const parts: string[] = []
  if (change.time_zone_follows_browser) parts.push('Time zone: Follow this browser')
  else if (change.time_zone !== undefined) parts.push(`Time zone: ${nameOfTimeZone(change.time_zone)}`)
  if (change.day_start !== undefined) parts.push(`Day starts at: ${timeOfDay(change.day_start)}`)
  if (change.week_start !== undefined) parts.push(`Week starts on: ${weekdayNames[change.week_start]}`)
  if (change.theme !== undefined) parts.push(`Theme: ${themeNames[change.theme]}`)
  if (change.todos_sort !== undefined) parts.push(`Sort tasks by: ${todoSortNames[change.todos_sort]}`)
  if (change.start_page !== undefined) parts.push(`Start page: ${startPageNames[change.start_page]}`)
  if (change.focus_plan !== undefined) parts.push(`Focus plan: ${formatPlan(change.focus_plan)}`)
  return parts.join(', ')
}
