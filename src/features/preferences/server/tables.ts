import type { TodoSort } from '#features/lists/list/list-row.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    preferences: PreferencesTable
  }
}

interface PreferencesTable {
  user_id: string
  time_zone: string
  time_zone_follows_browser: 0 | 1
  time_zone_at: Instant
  day_start: number
  day_start_at: Instant
  week_start: WeekStart
  week_start_at: Instant
  theme: 'system' | 'light' | 'dark'
  theme_at: Instant
  todos_sort: TodoSort
  todos_sort_at: Instant
  start_page: 'todos' | 'today'
  start_page_at: Instant
  /** The plan as JSON, in the form that responses contain. */
  focus_plan: string
  focus_plan_at: Instant
}
