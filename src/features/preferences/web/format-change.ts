import { formatPlan } from '#features/focus/plan/focus-plan.ts'
import { todoSortNames } from '#features/lists/list/todo-sort-names.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { weekdayName } from '#platform/format/words.ts'
import type { PreferencesChange } from '../preferences.ts'
import { nameOfTimeZone } from '../time-zone-name.ts'

export const themeNames = { system: 'System', light: 'Light', dark: 'Dark' } as const

export const startPageNames = { todos: 'Todos', today: 'Today' } as const

/** Names the changes that could not be saved. */
export function formatChange(change: PreferencesChange): string {
  const parts: string[] = []
  if (change.time_zone_follows_browser) parts.push('Time zone: Follow this browser')
  else if (change.time_zone !== undefined) parts.push(`Time zone: ${nameOfTimeZone(change.time_zone)}`)
  if (change.day_start !== undefined) parts.push(`Day starts at: ${timeOfDay(change.day_start)}`)
  if (change.week_start !== undefined) parts.push(`Week starts on: ${weekdayName(change.week_start)}`)
  if (change.theme !== undefined) parts.push(`Theme: ${themeNames[change.theme]}`)
  if (change.todos_sort !== undefined) parts.push(`Sort tasks by: ${todoSortNames[change.todos_sort]}`)
  if (change.start_page !== undefined) parts.push(`Start page: ${startPageNames[change.start_page]}`)
  if (change.focus_plan !== undefined) parts.push(`Focus plan: ${formatPlan(change.focus_plan)}`)
  return parts.join(', ')
}
