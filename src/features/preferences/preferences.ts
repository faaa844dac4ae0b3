import * as z from 'zod/mini'
import { defaultPlan, focusPlanSchema } from '#features/focus/focus-plan.ts'
import { todoSortSchema } from '#features/lists/list-row.ts'
import { normalizeTimeZone } from '#platform/calendar/time-zone.ts'
import type { WeekStart } from '#platform/calendar/week.ts'

/**
 * An IANA zone under the name that was chosen. A zone that this runtime does not know is rejected, because it cannot count
 * days in it.
 */
const timeZoneSchema = z.pipe(
  z.string('Expected a time zone'),
  z.transform((name, { issues }): string => {
    const zone = normalizeTimeZone(name)
    if (zone) return zone
    issues.push({ code: 'custom', message: 'Unknown time zone', input: name })
    return z.NEVER
  }),
)

const dayStartSchema = z
  .int('Expected whole minutes')
  .check(
    z.minimum(0, 'Day start must be between 00:00 and 06:00'),
    z.maximum(360, 'Day start must be between 00:00 and 06:00'),
  )

const weekStartSchema = z.pipe(
  z
    .int('Expected a weekday from 1 (Monday) to 7 (Sunday)')
    .check(
      z.minimum(1, 'Expected a weekday from 1 (Monday) to 7 (Sunday)'),
      z.maximum(7, 'Expected a weekday from 1 (Monday) to 7 (Sunday)'),
    ),
  z.transform((weekday) => weekday as WeekStart),
)

const themeSchema = z.enum(['system', 'light', 'dark'])

const startPageSchema = z.enum(['todos', 'today'])

export const preferencesSchema = z.object({
  time_zone: z.string(),
  time_zone_follows_browser: z.boolean(),
  day_start: z.number(),
  week_start: weekStartSchema,
  theme: themeSchema,
  /** How all to-dos are sorted; those of one list by the list itself. */
  todos_sort: todoSortSchema,
  /** The screen after signing in, and of the installed app. */
  start_page: startPageSchema,
  /** How long focus and breaks are: those of the next phase, never of a running one. */
  focus_plan: focusPlanSchema,
})
export type Preferences = z.infer<typeof preferencesSchema>

export const preferencesAnswerSchema = z.object({ preferences: preferencesSchema })

export const preferencesChangeSchema = z.partial(
  z.object({
    time_zone: timeZoneSchema,
    time_zone_follows_browser: z.boolean(),
    day_start: dayStartSchema,
    week_start: weekStartSchema,
    theme: themeSchema,
    todos_sort: todoSortSchema,
    start_page: startPageSchema,
    focus_plan: focusPlanSchema,
  }),
)
export type PreferencesChange = z.infer<typeof preferencesChangeSchema>

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

/** For preferences that an older build stored or exported. */
export const fieldsWhenMissing = {
  todos_sort: z._default(todoSortSchema, defaultPreferences.todos_sort),
  start_page: z._default(startPageSchema, defaultPreferences.start_page),
  focus_plan: z._default(focusPlanSchema, defaultPreferences.focus_plan),
}

/** Setting only a zone is a choice: it stops following the browser. */
export function changePreferences(before: Preferences, change: PreferencesChange): Preferences {
  const chosen = change.time_zone !== undefined && change.time_zone_follows_browser === undefined
  return { ...before, ...change, ...(chosen ? { time_zone_follows_browser: false } : {}) }
}
