import * as z from 'zod/mini'
import { defaultPlan, focusPlanSchema } from '#features/focus/plan/focus-plan.ts'
import { todoSortSchema } from '#features/lists/list/list-row.ts'
import type { WeekStart } from '#platform/calendar/week.ts'

export const weekStartSchema = z.pipe(
  z
    .int('Expected a weekday from 1 (Monday) to 7 (Sunday)')
    .check(
      z.minimum(1, 'Expected a weekday from 1 (Monday) to 7 (Sunday)'),
      z.maximum(7, 'Expected a weekday from 1 (Monday) to 7 (Sunday)'),
    ),
  z.transform((weekday) => weekday as WeekStart),
)

export const themeSchema = z.enum(['system', 'light', 'dark'])

export const startPageSchema = z.enum(['todos', 'today'])

export const preferencesSchema = z.object({
  time_zone: z.string(),
  time_zone_follows_browser: z.boolean(),
  day_start: z.number(),
  week_start: weekStartSchema,
  theme: themeSchema,
  /** How to-dos of all lists are sorted. Each list has a sort of its own. */
  todos_sort: todoSortSchema,
  /** The screen that opens after signing in and when the installed app starts. */
  start_page: startPageSchema,
  /** How long focus and breaks are. A change applies to the next phase, never to a running one. */
  focus_plan: focusPlanSchema,
})
export type Preferences = z.infer<typeof preferencesSchema>

export const preferencesResponseSchema = z.object({ preferences: preferencesSchema })

export type PreferencesChange = { [Name in keyof Preferences]?: Preferences[Name] | undefined }

export const defaultPreferences: Preferences = {
  time_zone: 'UTC',
  time_zone_follows_browser: true,
  day_start: 0,
  week_start: 1,
  theme: 'system',
  todos_sort: 'newest',
  start_page: 'todos',
  focus_plan: defaultPlan,
}

/**
 * Applies a change. If the change sets only a time zone, the person has chosen that zone, so the account stops following the
 * browser.
 */
export function changePreferences(before: Preferences, change: PreferencesChange): Preferences {
  const chosen = change.time_zone !== undefined && change.time_zone_follows_browser === undefined
  return { ...before, ...change, ...(chosen ? { time_zone_follows_browser: false } : {}) }
}
