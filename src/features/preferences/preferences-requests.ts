import * as z from 'zod/mini'
import { focusPlanSchema } from '#features/focus/plan/focus-plan.ts'
import { todoSortSchema } from '#features/lists/list/list-row.ts'
import { normalizeTimeZone } from '#platform/calendar/time-zone.ts'
import { startPageSchema, themeSchema, weekStartSchema } from './preferences.ts'

// The preferences as requests and files contain them. Pages never have to parse these.

/**
 * An IANA time zone, under the name that the person chose. Rejects zones that this runtime does not know, because it could not
 * count days in them.
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
